import { addDays, istDay } from '@podium/contract/season'
import { sql } from 'kysely'
import { sectionsOf } from '#features/catalogue/rules'
import { approveSet, resolveAnomalies, startCompute } from '../src/features/results/commands.ts'
import { startImport } from '../src/features/results/marks/commands.ts'
import { answerFor, approveRound, decide, makeRound } from '../src/features/results/next-level/commands.ts'
import { startSend } from '../src/features/results/next-level/jobs.ts'
import { decideOnPapers } from '../src/features/results/ranking/commands.ts'
import { holdSchool, releaseSet } from '../src/features/results/release/commands.ts'
import { versionAsShown } from '../src/features/results/release/queries-school-preview.ts'
import type { DemoSeason } from './calendar.ts'
import { randomOf } from './random.ts'
import { doJobs, type School, type World } from './world.ts'

/** The progress of an event's results; all of last season's are released except three. */
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

async function bringToStage(world: World, season: DemoSeason, event: Event, stage: Stage, again = false) {
  const { db, deps, officers } = world
  const year = Number(season.label.slice(0, 4)) + 1
  const on = (day: string, hour: number) => season.on(`${year}-${again ? '02' : '01'}-${day}`, hour)
  const sittings = (await sat(world, event.id)).map(({ roll, name }) => ({ roll: roll ?? '', name }))
  if (sittings.length === 0) return
  const file = marksFile(event, sittings, {
    key: again ? 'marks, looked at again' : 'marks',
    odd: stage === 'imported',
  })
  const stored = await deps.files.put(file.bytes)
  const reason = again ? 'The answer sheets of one centre had been read with the key of the other paper.' : ''
  const input = { eventId: event.id, file: { name: file.name, stored }, reason }
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

/**
 * Creates marks, ranks and releases of a past season; in last season some events are unfinished, and one is corrected
 * later.
 */
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
    await bringToStage(world, season, event, stage)
  }
}

/** Corrects and re-releases the marks of one event of last season after the awards were sent. */
export async function correctResults(world: World, season: DemoSeason): Promise<void> {
  const corrected = Object.keys(unfinished).filter((letter) => unfinished[letter] === 'corrected')
  const events = await world.db
    .selectFrom('events')
    .select(['id', 'letter', 'season', 'sections'])
    .where('season', '=', season.label)
    .where('letter', 'in', corrected)
    .orderBy('id')
    .execute()
  for (const event of events) await bringToStage(world, season, event, 'released', true)
}

interface Candidate {
  roll: string
  name: string
}

interface MarkedEvent {
  letter: string
  season: string
  sections: unknown
}

/**
 * Returns a student's marks in an event, sometimes absent; the weights of correct answers are a fraction of the final
 * score.
 */
function marksOf(event: MarkedEvent, sitting: Candidate, key: string) {
  const random = randomOf(`${key} of ${sitting.roll} in ${event.letter} ${event.season}`)
  // Ability depends on the name, so that a student who is good in one subject is good in the next.
  const gift = 0.3 + 0.68 * randomOf(`gift of ${sitting.name} ${sitting.roll.split('-')[0]}`).next()
  const sections = sectionsOf(event.sections)
  if (random.chance(0.04)) return { present: false, marks: sections.map(() => 0), final: 0 }
  const marks = sections.map(({ maximum }) =>
    Math.max(0, Math.min(maximum, Math.round(maximum * (gift + (random.next() - 0.5) * 0.35)))),
  )
  const raw = marks.reduce((sum, mark) => sum + mark, 0)
  // Only three weights, so that some students are level and a tie-break decides.
  return { present: true, marks, final: raw + (raw * random.pick([9, 12, 15])) / 10_000 }
}

/** Returns a file of marks from the evaluation; `odd` adds rows that an officer must check. */
function marksFile(
  event: MarkedEvent,
  sittings: readonly Candidate[],
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
  return { name: `marks-${event.letter}-${event.season}.csv`, bytes: Buffer.from(`${lines.join('\n')}\n`) }
}

const note =
  'The second level is written at one centre in each state capital. There is no fee. Please send two photographs of each child.'

async function eventOf({ db }: World, season: DemoSeason, letter: string) {
  return db
    .selectFrom('events')
    .select('id')
    .where('season', '=', season.label)
    .where('letter', '=', letter)
    .where('level', '=', 1)
    .executeTakeFirst()
}

/** Returns the best of the list, by olympiad rank. */
async function listed({ db }: World, eventId: number) {
  const { rows } = await sql<{ student_id: number; school_id: number }>`
    select i.student_id, i.school_id from next_level_invitations i join next_level_rounds d on d.event_id = i.event_id
      join results r on r.set_id = d.set_id and r.student_id = i.student_id
    where i.event_id = ${eventId} order by i.school_id, r.olympiad_rank, i.student_id`.execute(db)
  return rows
}

/** Mathematics of last season: the list was created, approved and sent, and most schools have answered. */
async function answered(world: World, season: DemoSeason, schools: readonly School[]): Promise<void> {
  const { db, officers } = world
  const event = await eventOf(world, season, 'M')
  if (!event) return
  const year = Number(season.label.slice(0, 4)) + 1
  const on = (day: string, hour: number) => season.on(`${year}-${day}`, hour)
  const eventYearId = event.id
  const terms = { eventYearId, answerBy: `${year}-02-10`, note }
  await db.transaction().execute((tx) => makeRound(tx, officers.results, on('01-17', 11), terms))
  await db
    .transaction()
    .execute((tx) => approveRound(tx, officers.secondResults, on('01-18', 12), { eventYearId, version: 1 }))
  await db
    .transaction()
    .execute((tx) => startSend(tx, officers.results, on('01-18', 15), { eventYearId, version: 1 }))
  await doJobs(world, on('01-18', 15.1))
  const children = await listed(world, eventYearId)
  for (const [index, school] of schools.entries()) {
    const students = children.filter(({ school_id }) => school_id === school.id)
    // Some schools miss the deadline.
    if (students.length === 0 || index % 5 === 4) continue
    const answers = students.map(({ student_id }, n) =>
      n % 7 === 3
        ? { studentId: student_id, answer: 'no' as const, note: 'Is away with the family that week.' }
        : { studentId: student_id, answer: 'yes' as const, note: '' },
    )
    const answeredAt = on(`02-0${1 + (index % 9)}`, 10 + (index % 7))
    await db.transaction().execute((tx) => answerFor(tx, school.scope, answeredAt, { eventYearId, answers }))
  }
}

/** Science of last season: a list with a manual decision, which waits for a second officer. */
async function drafted(world: World, season: DemoSeason): Promise<void> {
  const { db, officers, deps } = world
  const event = await eventOf(world, season, 'S')
  if (!event) return
  const now = deps.clock()
  const eventYearId = event.id
  const terms = { eventYearId, answerBy: addDays(istDay(now), 21), note }
  await db.transaction().execute((tx) => makeRound(tx, officers.results, now, terms))
  const [first] = await listed(world, eventYearId)
  if (!first) return
  const reason = 'Has moved abroad; the school has told us by telephone.'
  const decision = { eventYearId, version: 1, studentIds: [first.student_id], as: 'leave' as const, reason }
  await db.transaction().execute((tx) => decide(tx, officers.results, now, decision))
}

/** Creates last season's invitations to the next level. */
export async function makeNextLevel(
  world: World,
  season: DemoSeason,
  schools: readonly School[],
): Promise<void> {
  await answered(world, season, schools)
  await drafted(world, season)
}
