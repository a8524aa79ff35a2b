import { type RawBuilder, sql } from 'kysely'
import { bankLinesLike, packetsLike, paymentsLike } from '#features/office/search/queries'
import { ofName } from '#features/students/register/queries'
import { mayDo, type Permission } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { ReadDb } from '#platform/db/database'
import { searchWords } from '#platform/db/search-words'
import { peopleNamed, type Searched } from './queries.ts'

/** The words of a line; the index audit_by_words is of this, letter by letter, and has no line of an import. */
const wordsOfLine = sql`
  array_to_tsvector(array_remove(regexp_split_to_array(lower(left(regexp_replace(
    a.actor_name || ' ' || a.acting_for || ' ' || jsonb_path_query_array(a.change, '$.** ? (@.type() == "object").keyvalue()
      ? (@.key != "parentName" && @.key != "parentEmail" && @.key != "parentMobile" && @.key != "fileId" && @.key != "jobId"
        && @.key != "import" && @.key != "invitation" && @.key != "sort").value[*] ? (@.type() == "string")')::text,
    '(\\S{200})', '\\1 ', 'g'), 20000)), '(?:\\\\.|[\\x01-/:-@[-\\x60{-\\xbf\\u0964\\u0965\\u2000-\\u206f\\u20b9])+'), ''))`

const betweenWords = /[\s!-/:-@[-`{-\u00bf\u0964\u0965\u2000-\u206f\u20b9]+/
/** Of a name that more have, the newest; who means one of the others adds the school. */
const mostNamed = 200

/**
 * The lines that words find: those of a person or a school of that name or with the words in what they tell, and those of
 * the records that are called so. A school's code among the words narrows to that school.
 */
export async function searched(db: ReadDb, scope: OfficeScope, typed: string): Promise<Searched | undefined> {
  if (typed === '') return
  const parts = typed.normalize('NFC').split(/\s+/)
  const { rows: schools } = await sql<{ id: number; code: string }>`
    select o.id, c.code from schools c join schools o on o.id = c.id or o.merged_into = c.id
    where c.code = any(${parts.map((part) => part.toUpperCase())}::text[])`.execute(db)
  const codes = new Set(schools.map(({ code }) => code))
  const ofSchool =
    codes.size === 0 ? sql`true` : sql`a.school_id = any(${schools.map(({ id }) => id)}::bigint[])`
  const text = parts.filter((part) => !codes.has(part.toUpperCase())).join(' ')
  if (text === '') return { lines: [ofSchool], records: [] }
  const words = text.split(betweenWords).filter(Boolean)
  if (words.length === 0) return { lines: [], records: [] }
  const query = words.map((word, at) => `'${word}'${at === words.length - 1 ? ':*' : ''}`).join(' & ')
  const lines = [
    sql`a.action <> 'student.imported' and ${wordsOfLine} @@ lower(${query})::tsquery`,
    await peopleNamed(db, text),
    ...(await schoolsNamed(db, scope, text)),
  ]
  const records = await recordsNamed(db, scope, text)
  const here = (part: RawBuilder<unknown>) => sql`${ofSchool} and ${part}`
  return { lines: lines.map(here), records: records.map(here) }
}

async function schoolsNamed(db: ReadDb, scope: OfficeScope, text: string): Promise<RawBuilder<unknown>[]> {
  const words = searchWords(text)
  if (!mayDo(scope.role, 'schools.read') || words.join('').length < 3) return []
  const has = words.map((word) => sql`search_key like ${`%${word}%`}`)
  const { rows } = await sql<{ id: number }>`
    select id from schools where ${sql.join(has, sql` and `)} limit ${mostNamed}`.execute(db)
  return rows.length === 0 ? [] : [sql`a.school_id = any(${rows.map(({ id }) => id)}::bigint[])`]
}

const kindsOf = {
  student: ['student', 'waiver'],
  payment: ['payment'],
  line: ['bank-line'],
  packet: ['packet'],
}

/** Students by name or exam roll no, payments, bank lines and parcels by their numbers: of kinds that the role may read. */
async function recordsNamed(db: ReadDb, scope: OfficeScope, text: string): Promise<RawBuilder<unknown>[]> {
  const ifRead = (permission: Permission, from: number, ...found: RawBuilder<unknown>[]) =>
    mayDo(scope.role, permission) && text.length >= from ? found : []
  const child = ofName(text)
  const found = [
    ...(child
      ? ifRead(
          'students.read',
          3,
          sql`(select 'student', s.id from students s where ${child} limit ${mostNamed})`,
        )
      : []),
    ...ifRead(
      'payments.read',
      4,
      sql`select 'payment', p.id from (${paymentsLike(text, mostNamed)}) p (id)`,
      sql`select 'line', l.id from ${bankLinesLike(text, mostNamed)} l (id)`,
    ),
    ...ifRead('dispatch.read', 1, sql`select 'packet', c.id from (${packetsLike(text, mostNamed)}) c (id)`),
  ]
  if (found.length === 0) return []
  const { rows } = await sql<{ kind: keyof typeof kindsOf; id: number }>`
    select f.kind, f.id from (${sql.join(found, sql` union all `)}) f (kind, id)`.execute(db)
  return Object.entries(kindsOf).flatMap(([kind, kinds]) => {
    const ids = rows.flatMap((row) => (row.kind === kind ? [String(row.id)] : []))
    return ids.length === 0
      ? []
      : [sql`(a.subject_kind = any(${kinds}::text[]) and a.subject_id = any(${ids}::text[]))`]
  })
}
