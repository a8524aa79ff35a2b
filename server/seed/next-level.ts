import { addDays, istDay } from '@podium/contract/season'
import { sql } from 'kysely'
import { answerFor, approveRound, decide, makeRound } from '../src/features/results/next-level/commands.ts'
import { startSend } from '../src/features/results/next-level/jobs.ts'
import type { DemoSeason } from './calendar.ts'
import { doJobs, type School, type World } from './world.ts'

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

/** The best of the list, by olympiad rank. */
async function listed({ db }: World, eventId: number) {
  const { rows } = await sql<{ student_id: number; school_id: number }>`
    select i.student_id, i.school_id from next_level_invitations i join next_level_rounds d on d.event_id = i.event_id
      join results r on r.set_id = d.set_id and r.student_id = i.student_id
    where i.event_id = ${eventId} order by i.school_id, r.olympiad_rank, i.student_id`.execute(db)
  return rows
}

/** Mathematics of last season: the list was made, approved and sent, and most schools have answered. */
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
    const own = children.filter(({ school_id }) => school_id === school.id)
    // Some schools let the day pass.
    if (own.length === 0 || index % 5 === 4) continue
    const answers = own.map(({ student_id }, n) =>
      n % 7 === 3
        ? { studentId: student_id, answer: 'no' as const, note: 'Is away with the family that week.' }
        : { studentId: student_id, answer: 'yes' as const, note: '' },
    )
    const at = on(`02-0${1 + (index % 9)}`, 10 + (index % 7))
    await db.transaction().execute((tx) => answerFor(tx, school.scope, at, { eventYearId, answers }))
  }
}

/** Science of last season: a list with a decision by hand, which waits for a second person. */
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

/** How last season's invitations to the next level stand. */
export async function makeNextLevel(
  world: World,
  season: DemoSeason,
  schools: readonly School[],
): Promise<void> {
  await answered(world, season, schools)
  await drafted(world, season)
}
