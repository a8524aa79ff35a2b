import { seasonYear } from '@podium/contract/season'
import { sql } from 'kysely'
import type { World } from './world.ts'

/** Holidays of the whole country on a fixed day, in the seasons of the demo world and the next; the districts of its schools. */
export async function makeLists({ db, seasons: [current] }: World): Promise<void> {
  const year = seasonYear(current.label)
  const holidays = [year - 1, year, year + 1].flatMap((from) => [
    { held_on: `${from}-08-15`, name: 'Independence Day' },
    { held_on: `${from}-10-02`, name: 'Gandhi Jayanti' },
    { held_on: `${from}-12-25`, name: 'Christmas Day' },
    { held_on: `${from + 1}-01-26`, name: 'Republic Day' },
  ])
  await db
    .insertInto('holidays')
    .values(holidays)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`
    insert into districts (state_id, name)
    select distinct s.id, h.district from schools h join states s on s.name = h.state
    where h.country = 'India' and h.district <> '' on conflict do nothing`.execute(db)
}
