// A statement of 20,000 lines against a large season: how long the matching takes, compared in the same run with a
// floor that only looks up each line's UTR in an index; and how long a school waits meanwhile.
//   TEST_DATABASE_URL=postgres://… node bench/statement.ts
// Compare the ratio, not the milliseconds of different machines. Each figure is the median of several rounds. `held` is
// the longest that the event loop, and so every other call of this process, was blocked in any of them. A school's call
// is its list of students, a plain indexed select, sent repeatedly: alone, then during the work.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { paise } from '@podium/contract/money'
import { seasonOfYear } from '@podium/contract/season'
import { sql } from 'kysely'
import { insertSeason } from '../server/seed/catalogue.ts'
import { randomOf } from '../server/seed/random.ts'
import { matching, matchLines } from '../server/src/features/bank/matching/rules.ts'
import type { BankLine } from '../server/src/features/bank/matching/rules-candidates.ts'
import { candidatesFor } from '../server/src/features/bank/statements/jobs.ts'
import { yieldingToEventLoop } from '../server/src/platform/concurrency-limit.ts'
import { benchName, dropDatabase, makeDatabase } from './common.ts'

const schools = Number(process.env.BENCH_SCHOOLS ?? 20_000)
const students = Number(process.env.BENCH_STUDENTS ?? 1_000_000)
const lineCount = Number(process.env.BENCH_LINES ?? 20_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)

const database = await makeDatabase(benchName)
const { db } = database
try {
  const season = seasonOfYear(2026)
  await db.transaction().execute((tx) => insertSeason(tx, season, new Date(), 'open'))
  await makeWorld(season)
  const lines = await makeLines()
  console.log(
    `${schools.toLocaleString('en-IN')} schools, ${students.toLocaleString('en-IN')} students, ${lines.length} lines`,
  )
  const alone = await callsWhile(season, () => wait(3_000))
  console.log(`a school's call alone:  ${calls(alone.waits)}`)
  const floor = await measured(season, () => floorOf(lines))
  show('floor, one map of UTRs', floor, floor)
  show(
    'what they are compared with',
    await measured(season, () => db.transaction().execute((tx) => candidatesFor(tx, lines))),
    floor,
  )
  const world = await db.transaction().execute((tx) => candidatesFor(tx, lines))
  const counted = new Map<string, number>()
  for (const { state } of matchLines(lines, world).values()) counted.set(state, (counted.get(state) ?? 0) + 1)
  show(
    'comparing, in pieces',
    await measured(season, () => yieldingToEventLoop(matching(lines, world))),
    floor,
  )
  show('the same in one piece', await measured(season, async () => matchLines(lines, world)), floor)
  console.log([...counted].map(([state, count]) => `${state} ${count}`).join(', '))
} finally {
  await database.close()
  await dropDatabase(benchName)
}

interface Measurement {
  /** All in ms */
  took: number
  held: number
  waits: number[]
}

/** Runs `act` while a school requests its students again and again. */
async function callsWhile(season: string, act: () => Promise<unknown>): Promise<Measurement> {
  const loop = monitorEventLoopDelay({ resolution: 1 })
  const waits: number[] = []
  let working = true
  const school = (async () => {
    while (working) {
      const start = performance.now()
      await sql`
        select id, name, class_id, section, roll_no, reg_amount, paid from students
        where school_id = ${1 + (waits.length % schools)} and season = ${season}
        order by class_id, section, roll_no, id`.execute(db)
      waits.push(performance.now() - start)
    }
  })()
  await wait(50)
  loop.enable()
  const start = performance.now()
  await act()
  const took = performance.now() - start
  // A block is only recorded when the loop comes round.
  await wait(5)
  loop.disable()
  working = false
  await school
  return { took, held: loop.max / 1e6, waits }
}

/** Runs several rounds: the median of the time, the longest block, all waits. */
async function measured(season: string, act: () => Promise<unknown>): Promise<Measurement> {
  const each: Measurement[] = []
  for (let round = 0; round < rounds; round++) each.push(await callsWhile(season, act))
  return {
    took: at(
      each.map(({ took }) => took),
      0.5,
    ),
    held: Math.max(...each.map(({ held }) => held)),
    waits: each.flatMap(({ waits }) => waits),
  }
}

function at(figures: readonly number[], share: number): number {
  const inOrder = figures.toSorted((a, b) => a - b)
  return inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * share))] ?? 0
}

function calls(waits: readonly number[]): string {
  const [half, slow, longest] = [at(waits, 0.5), at(waits, 0.99), Math.max(...waits)]
  return `p50 ${half.toFixed(1)}, p99 ${slow.toFixed(1)}, longest ${longest.toFixed(1)} ms of ${waits.length}`
}

function show(what: string, { took, held, waits }: Measurement, floor: Measurement): void {
  const ratio = `${(took / floor.took).toFixed(1)} ×`.padStart(8)
  console.log(
    `${what.padEnd(28)}${took.toFixed(0).padStart(6)} ms ${ratio}, held ${held.toFixed(0)} ms; a school's call beside it: ${calls(waits)}`,
  )
}

/** The unavoidable work: the pending payments in a map by UTR, and one lookup for each line. */
async function floorOf(lines: readonly BankLine[]): Promise<number> {
  const { rows } = await sql<{ id: number; utr: string; payable: number }>`
    select id, utr, payable from payments where state = 'pending'`.execute(db)
  const byUtr = new Map(rows.map((row) => [row.utr, row]))
  return lines.filter((line) => byUtr.get(line.utr)?.payable === line.amount).length
}

/** Creates schools with fifty students each; half of them have a pending payment. */
async function makeWorld(season: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`insert into foundation (id, name, support_phone, support_email)
      values (1, 'Bench', '', '')`.execute(tx)
    await sql`
      insert into schools (code, name, name_key, address, city, state, district, zone, country, pin_code, created_at)
      select 'SCH' || lpad(i::text, 5, '0'), n || ' ' || p, lower(n || ' ' || p), 'Road', 'City', 'State', '', 'Zone', 'India', '560001', now()
      from generate_series(1, ${schools}::int) i,
        lateral (select (array['Vidya Mandir', 'Bal Niketan', 'Gyan Jyoti', 'Public School'])[1 + i % 4] as n,
          'Gram' || chr(97 + i % 26) || chr(97 + i / 26 % 26) || chr(97 + i / 676 % 26) as p) names`.execute(
      tx,
    )
    await sql`
      insert into students (school_id, season, class_id, section, roll_no, name, name_key, reg_amount, reg_retained,
        created_at, updated_at)
      select 1 + i % ${schools}::int, ${season}, 1 + i / ${schools}::int % 12, 'A', i, 'Student ' || i, 'student ' || i,
        17500 + (i % ${schools}::int) * 100, 2500, now(), now()
      from generate_series(1, ${students}::int) i`.execute(tx)
    await sql`
      insert into payments (school_id, season, purpose, reference, gross, retained, payable, paid_on, utr, remarks,
        proof_sha256, submitted_at)
      select s.id, ${season}, 'registration', 'PD27-' || s.code || '-R1', t.gross, t.retained, t.gross - t.retained, '2026-11-18',
        (600000000000 + s.id)::text, 'NEFT', '', now()
      from schools s cross join lateral (
        select sum(reg_amount) as gross, sum(reg_retained) as retained from students where school_id = s.id) t
      where s.id % 2 = 0`.execute(tx)
    await sql`
      insert into payment_lines (payment_id, student_id, purpose, gross, retained)
      select p.id, s.id, 'registration', s.reg_amount, s.reg_retained
      from payments p join students s on s.school_id = p.school_id`.execute(tx)
  })
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`vacuum analyze`.execute(connection)
  })
}

/**
 * Returns lines of every kind: by reference, without its zeros, by UTR, by code, by name, with another amount, unknown.
 */
async function makeLines(): Promise<BankLine[]> {
  const { rows } = await sql<{
    id: number
    code: string
    name: string
    reference: string | null
    utr: string | null
    payable: number
  }>`
    select s.id, s.code, s.name, p.reference, p.utr, coalesce(p.payable, (
      select sum(reg_amount - reg_retained) from students where school_id = s.id)) as payable
    from schools s left join payments p on p.school_id = s.id order by s.id limit ${lineCount}`.execute(db)
  const random = randomOf('bench of statements')
  return rows.map((row, id) => {
    const reference = row.reference ?? `PD27-${row.code}-R1`
    const [narration, utr] = random.pick([
      [`NEFT CR-${row.name.toUpperCase()}-${reference}`, ''],
      [`IMPS/${reference.replace(/SCH0+/, 'SCH')}/FEES`, ''],
      ['RTGS INWARD', row.utr ?? ''],
      [`FEES ${row.code}`, ''],
      [`NEFT CR-${row.name.toUpperCase().slice(0, 20)}`, ''],
      ['CASH DEPOSIT', ''],
    ] as const)
    const amount = random.chance(0.85) ? row.payable : random.whole(10_000, 9_000_000)
    return { id, day: '2026-11-19', amount: paise(amount), utr, narration }
  })
}
