import { addDays, istDay } from '@podium/contract/season'
import { saveLateFee } from '../src/features/catalogue/fees/commands-late.ts'
import type { Happening } from './story.ts'
import type { World } from './world.ts'

/** The office announces late fees: one that counts by now, for Environment, and one of the last week for three subjects. */
export function lateFees({ db, officers, seasons: [season] }: World): Happening[] {
  const set = async (at: Date, letters: readonly string[], lateFrom: string, lateFee: number) => {
    const events = await db
      .selectFrom('events')
      .select(['id', 'version'])
      .where('season', '=', season.label)
      .where('level', '=', 1)
      .where('letter', 'in', letters)
      .execute()
    const named = events.map(({ id, version }) => ({ eventYearId: id, version }))
    const fee = { FYear: season.label, events: named, lateFrom, lateFee }
    await db.transaction().execute((tx) => saveLateFee(tx, officers.owner, at, fee))
  }
  const announced = season.at(0.84)
  const since = istDay(season.at(0.92))
  const last = addDays(season.days.closesOn, -6)
  return [
    // In a season that has just begun there is no day between the two.
    ...(since > istDay(announced) ? [{ at: announced, act: () => set(announced, ['V'], since, 25) }] : []),
    { at: announced, act: () => set(announced, ['M', 'S', 'E'], last, 50) },
  ]
}
