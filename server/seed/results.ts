import { sectionsOf } from '#features/catalogue/rules'
import { approveSet, resolveAnomalies, startCompute } from '../src/features/results/commands.ts'
import { startImport } from '../src/features/results/marks/commands.ts'
import { decideOnPapers } from '../src/features/results/ranking/commands.ts'
import { holdSchool, releaseSet } from '../src/features/results/release/commands.ts'
import { versionAsShown } from '../src/features/results/release/queries-school-preview.ts'
import type { DemoSeason } from './calendar.ts'
import { randomOf } from './random.ts'
import { doJobs, type World } from './world.ts'

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

interface Sitting {
  roll: string
  name: string
}

interface MarkedEvent {
  letter: string
  season: string
  sections: unknown
}

/** A child's marks in an event: absent now and then; the weights of right answers as fraction of the final score. */
function marksOf(event: MarkedEvent, sitting: Sitting, key: string) {
  const random = randomOf(`${key} of ${sitting.roll} in ${event.letter} ${event.season}`)
  // The gift goes by the name, so that a child who is good in one subject is in the next.
  const gift = 0.3 + 0.68 * randomOf(`gift of ${sitting.name} ${sitting.roll.split('-')[0]}`).next()
  const sections = sectionsOf(event.sections)
  if (random.chance(0.04)) return { present: false, marks: sections.map(() => 0), final: 0 }
  const marks = sections.map(({ maximum }) =>
    Math.max(0, Math.min(maximum, Math.round(maximum * (gift + (random.next() - 0.5) * 0.35)))),
  )
  const raw = marks.reduce((sum, mark) => sum + mark, 0)
  // Three weights only, so that some children end level and a tie-break decides.
  return { present: true, marks, final: raw + (raw * random.pick([9, 12, 15])) / 10_000 }
}

/** The file of marks as the evaluation sends it; `odd` adds rows that an officer has to look at. */
function marksFile(
  event: MarkedEvent,
  sittings: readonly Sitting[],
  { key = 'marks', odd = false } = {},
): { name: string; bytes: Buffer } {
  const sections = sectionsOf(event.sections)
  const lines = [['Roll No', 'Attendance', ...sections.map(({ name }) => name), 'Final Score'].join()]
  for (const sitting of sittings) {
    const { present, marks, final } = marksOf(event, sitting, key)
    lines.push([sitting.roll, present ? 'P' : 'A', ...marks, present ? final.toFixed(4) : ''].join())
  }
  if (odd) {
    const [first] = sittings
    lines.push(['XYZ9999-07-001', 'P', ...sections.map(() => 4), ''].join())
    if (first) lines.push([first.roll, 'P', ...sections.map(() => 5), ''].join())
  }
  return {
    name: `marks-${event.letter}-${event.season}.csv`,
    bytes: Buffer.from(`${lines.join('\n')}\n`),
  }
}
