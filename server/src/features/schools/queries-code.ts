import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { codeLetters, schoolCode } from './rules.ts'

/** The first serial from `from` on with which the code of this name is no school's yet. */
export async function freeSerial(db: Db | Tx, name: string, from: number): Promise<number> {
  const { rows } = await sql<{ code: string }>`
    select code from schools where code like ${`${codeLetters(name)}%`}`.execute(db)
  const taken = new Set(rows.map(({ code }) => code))
  let serial = from
  while (taken.has(schoolCode(name, serial))) serial++
  return serial
}

/** The code that a new school of this name would get now. */
export async function proposeCode(db: Db | Tx, name: string): Promise<string> {
  const counter = await db
    .selectFrom('counters')
    .select('value')
    .where('name', '=', 'school-code')
    .executeTakeFirst()
  return schoolCode(name, await freeSerial(db, name, (counter?.value ?? 0) + 1))
}
