import { normaliseMobile } from '@podium/contract/fields'
import { foldName } from '@podium/contract/names'
import { type RawBuilder, sql } from 'kysely'

/** Splits a search into the words that a match must contain; a number's digits form one word, however it was typed. */
export function searchWords(typed: string): string[] {
  if (/^[+\d\s().-]*\d[+\d\s().-]*$/.test(typed)) return [normaliseMobile(typed).replace(/\D/g, '')]
  return foldName(typed).split(' ').filter(Boolean)
}

/**
 * SQL: each word of a search occurs in one of these folded columns. True for an empty search, false for one without any
 * letter or digit.
 */
export function hasWords(typed: string, ...columns: RawBuilder<unknown>[]): RawBuilder<unknown> {
  if (typed.trim() === '') return sql`true`
  const words = searchWords(typed)
  if (words.length === 0) return sql`false`
  // Folded words contain no LIKE wildcards.
  const matches = (word: string) => columns.map((column) => sql`${column} like ${`%${word}%`}`)
  return sql.join(
    words.map((word) => sql`(${sql.join(matches(word), sql` or `)})`),
    sql` and `,
  )
}

/** A LIKE pattern for lower-case texts that contain this one; its wildcards are escaped. */
export const containing = (typed: string) => `%${typed.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

/** SQL: the rows of a page, counted from 1. */
export const pageOf = (page: number, pageSize: number) =>
  sql`limit ${pageSize} offset ${(Math.max(1, page) - 1) * pageSize}`

/** SQL: an instant as answers give it, `2026-11-29T08:30:00.000Z`. */
export const instant = (at: string | RawBuilder<unknown>) => sql<string>`
  to_char(${typeof at === 'string' ? sql.ref(at) : at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
