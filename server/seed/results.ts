import { approveSet, resolveAnomalies, startCompute } from '../src/features/results/commands.ts'
import { startImport } from '../src/features/results/marks/commands.ts'
import { decideOnPapers } from '../src/features/results/ranking/commands-paper-comparison.ts'
import { releaseSet } from '../src/features/results/release/commands.ts'
import { holdSchool } from '../src/features/results/release/commands-holds.ts'
import { versionAsShown } from '../src/features/results/release/queries-seen.ts'
import type { DemoSeason } from './calendar.ts'
import { doJobs } from './jobs.ts'
import { marksFile } from './marks.ts'
import type { World } from './world.ts'

/** How far the results of an event have come; all of last season's are released but three. */
type Stage = 'imported' | 'computed' | 'approved' | 'released' | 'corrected'

const unfinished: Readonly<Record<string, Stage>> = {
  F: 'imported',
  V: 'computed',
  T: 'approved',
  G: 'corrected',
}

async function sat(world: World, eventId: number) {
  return world.db
    .selectFrom('enrolments as n')
    .innerJoin('students as s', 's.id', 'n.student_id')
    .select(['s.exam_roll_no as roll', 's.name'])
    .where('n.event_id', '=', eventId)
    .where('s.active', '=', true)
    .where('s.paid', '=', true)
    .orderBy('s.exam_roll_no')
    .execute()
}

interface Event {
  id: number
  letter: string
  season: string
  sections: unknown
}

async function bring(world: World, season: DemoSeason, event: Event, stage: Stage, again = false) {
  const { db, deps, officers } = world
  const year = Number(season.label.slice(0, 4)) + 1
  const on = (day: string, hour: number) => season.on(`${year}-${again ? '02' : '01'}-${day}`, hour)
  const sittings = (await sat(world, event.id)).map(({ roll, name }) => ({ roll: roll ?? '', name }))
  if (sittings.length === 0) return
  const file = marksFile(event, sittings, {
    key: again ? 'marks, looked at again' : 'marks',
    odd: stage === 'imported',
  })
  const kept = await deps.files.put(file.bytes)
  const reason = again ? 'The answer sheets of one centre had been read with the key of the other paper.' : ''
  const input = { eventId: event.id, file: { name: file.name, kept }, reason }
  const { setId } = await db
    .transaction()
    .execute((tx) => startImport(tx, deps.files, officers.results, on('08', 11), input))
  await doJobs(world, on('08', 11.1))
  if (stage === 'imported') return
  const noted = { setId, kind: 'zero_marks' as const, note: 'Looked at: the sheets are empty.' }
  await db.transaction().execute((tx) => resolveAnomalies(tx, officers.results, on('08', 15), noted))
  await db.transaction().execute((tx) => startCompute(tx, officers.results, on('08', 16), setId))
  await doJobs(world, on('08', 16.1))
  if (stage === 'computed') return
  await decideWhereTheyDiffer(world, setId, on('08', 17))
  await db
    .transaction()
    .execute(async (tx) =>
      approveSet(tx, officers.secondResults, on('09', 12), await versionAsShown(tx, setId)),
    )
  if (stage === 'approved') return
  await db
    .transaction()
    .execute(async (tx) => releaseSet(tx, officers.owner, on('15', 10), await versionAsShown(tx, setId)))
  await doJobs(world, on('15', 10.1))
}

async function decideWhereTheyDiffer({ db, officers }: World, setId: number, now: Date): Promise<void> {
  const set = await db
    .selectFrom('result_sets')
    .select('papers_differ')
    .where('id', '=', setId)
    .executeTakeFirstOrThrow()
  if (!set.papers_differ) return
  const note = 'Other schools sat on the second date; the papers were made to the same plan. The marks stand.'
  await db
    .transaction()
    .execute(async (tx) =>
      decideOnPapers(tx, officers.results, now, { ...(await versionAsShown(tx, setId)), note }),
    )
}

/** Marks, ranks and releases of a season that is over; in last season some events are still on their way, and one is corrected later. */
export async function makeResults(world: World, season: DemoSeason, finished: boolean): Promise<void> {
  const { db, officers } = world
  const events = await db
    .selectFrom('events')
    .select(['id', 'letter', 'season', 'sections'])
    .where('season', '=', season.label)
    .orderBy('id')
    .execute()
  for (const event of events) {
    const stage = finished ? 'released' : (unfinished[event.letter] ?? 'released')
    if (!finished && event.letter === 'S') {
      const held = {
        eventId: event.id,
        schCode: 'NNA0275',
        reason: 'The answer sheets of Class 6 are being counted again.',
      }
      const day = season.on(`${Number(season.label.slice(0, 4)) + 1}-01-10`, 12)
      await db.transaction().execute((tx) => holdSchool(tx, officers.results, day, held))
    }
    await bring(world, season, event, stage)
  }
}

/** The marks of one event of last season are looked at again after the awards have gone out, and released anew. */
export async function correctResults(world: World, season: DemoSeason): Promise<void> {
  const corrected = Object.keys(unfinished).filter((letter) => unfinished[letter] === 'corrected')
  const events = await world.db
    .selectFrom('events')
    .select(['id', 'letter', 'season', 'sections'])
    .where('season', '=', season.label)
    .where('letter', 'in', corrected)
    .orderBy('id')
    .execute()
  for (const event of events) await bring(world, season, event, 'released', true)
}
