import { messages } from '@podium/contract/messages'
import { foldName } from '@podium/contract/names'
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'
import { codeLetters, schoolCode } from './rules.ts'

/** The first serial from `from` on with which the code of this name is no school's yet. */
async function freeSerial(db: Db | Tx, name: string, from: number): Promise<number> {
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

/** What a school is made from. */
interface Described {
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

/** Zone of a state of India; abroad is one of its own. */
export async function zoneOf(tx: Tx, place: { country: string; state: string }): Promise<string> {
  if (place.country !== 'India') return 'Abroad'
  const state = await tx
    .selectFrom('states')
    .select('zone')
    .where('name', '=', place.state)
    .executeTakeFirst()
  return state?.zone ?? 'Abroad'
}

/** A UDISE code is one school's; `id` is the school that may have it already. */
export async function refuseTakenUdise(tx: Tx, udise: string, id?: number): Promise<void> {
  if (udise === '') return
  const other = await tx.selectFrom('schools').select('id').where('udise_code', '=', udise).executeTakeFirst()
  if (!other || other.id === id) return
  // Said as a whole too: who approves an application has no such field before him.
  const message = messages.udiseTaken
  throw new Refusal('input.invalid', { message, issues: [{ path: 'udiseCode', message }] })
}

/** The next code for a name; the counter's row is locked until the school is there, so two never get one number. */
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

/** Makes a school under the chosen code, or the next free one. Refuses a code or a UDISE code that another school has. */
export async function makeSchool(
  tx: Tx,
  now: Date,
  described: Described &
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
