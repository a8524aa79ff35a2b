import { messages } from '@podium/contract/messages'
import { foldName } from '@podium/contract/names'
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { firstRow } from '#platform/db/rows'
import { orNotFound, Refusal } from '#platform/errors'
import { codeLetters, schoolCode } from './rules.ts'

/** The first serial number, starting at `from`, whose school code for this name is free. */
async function freeSerial(db: Db | Tx, name: string, from: number): Promise<number> {
  const { rows } = await sql<{ code: string }>`
    select code from schools where code like ${`${codeLetters(name)}%`}`.execute(db)
  const taken = new Set(rows.map(({ code }) => code))
  let serial = from
  while (taken.has(schoolCode(name, serial))) serial++
  return serial
}

/** The code that a new school with this name would get now. */
export async function proposeCode(db: Db | Tx, name: string): Promise<string> {
  const counter = await firstRow(db, 'counters', { name: 'school-code' }, ['value'])
  return schoolCode(name, await freeSerial(db, name, (counter?.value ?? 0) + 1))
}

/** The data needed to create a school. */
interface SchoolInput {
  name: string
  address: string
  city: string
  district: string
  state: string
  country: string
  pin_code: string
  phone: string
  udise_code: string
  affiliation_no: string
}

/** The zone of an Indian state, or the zone abroad. */
export async function zoneOf(tx: Tx, place: { country: string; state: string }): Promise<string> {
  if (place.country !== 'India') return 'Abroad'
  const state = await firstRow(tx, 'states', { name: place.state }, ['zone'])
  return state?.zone ?? 'Abroad'
}

/** Refuses a UDISE code of another school; school `id` may have it. */
export async function refuseTakenUdise(tx: Tx, udise: string, id?: number): Promise<void> {
  if (udise === '') return
  // One at a time, so that the second of two schools with one code is refused, not broken off by the index.
  await sql`select pg_advisory_xact_lock(hashtext(${`udise ${udise}`}))`.execute(tx)
  const other = await tx.selectFrom('schools').select('id').where('udise_code', '=', udise).executeTakeFirst()
  if (!other || other.id === id) return
  // Also the message of the whole refusal, because the form for approving an application has no such field.
  const message = messages.udiseTaken
  throw new Refusal('input.invalid', { message, issues: [{ path: 'udiseCode', message }] })
}

/** The next free code for a name. Locks the counter until the school is created, so that no number is used twice. */
async function nextCode(tx: Tx, name: string): Promise<string> {
  const { rows } = await sql<{ value: number }>`
    insert into counters (name, value) values ('school-code', 1)
    on conflict (name) do update set value = counters.value + 1 returning value`.execute(tx)
  const first = rows[0]?.value ?? 1
  const serial = await freeSerial(tx, name, first)
  if (serial !== first) {
    await tx.updateTable('counters').set({ value: serial }).where('name', '=', 'school-code').execute()
  }
  return schoolCode(name, serial)
}

/** Creates a school with the chosen code or the next free one. Refuses a code or UDISE code of another school. */
export async function makeSchool(
  tx: Tx,
  now: Date,
  described: SchoolInput &
    Partial<Record<'email' | 'group_id' | 'landline' | 'fax' | 'website' | 'whatsapp', string>>,
  chosenCode: string | undefined,
) {
  await refuseTakenUdise(tx, described.udise_code)
  const school = await tx
    .insertInto('schools')
    .values({
      ...described,
      code: chosenCode ?? (await nextCode(tx, described.name)),
      name_key: foldName(described.name),
      zone: await zoneOf(tx, described),
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning(['id', 'code', 'name'])
    .executeTakeFirst()
  return orNotFound(school, 'application.code_taken')
}
