// A statement of 4,000 lines against a large season: how long the comparing takes, beside a floor that only looks each
// line's UTR up in an index, in the same run.
//   TEST_DATABASE_URL=postgres://… node bench/statement.ts
// Compare the ratio, not the milliseconds of one machine with another's. Each figure is the median of some rounds.
// `held` is the longest that the comparing keeps the event loop, and with it every other call of this process.

import { paise } from '@podium/contract/money'
import { seasonOfYear } from '@podium/contract/season'
import { sql } from 'kysely'
import { insertSeason } from '../server/seed/catalogue.ts'
import { randomOf } from '../server/seed/random.ts'
import { worldFor } from '../server/src/features/payments/jobs-bank.ts'
import { matchLines } from '../server/src/features/payments/rules-match.ts'
import type { BankLine } from '../server/src/features/payments/rules-match-world.ts'
import { benchName, dropDatabase, makeDatabase, medianOf } from './common.ts'

const schools = Number(process.env.BENCH_SCHOOLS ?? 20_000)
const students = Number(process.env.BENCH_STUDENTS ?? 1_000_000)
const lineCount = Number(process.env.BENCH_LINES ?? 4_000)
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
  const floor = await median(() => floorOf(lines))
  console.log(`floor, one map of UTRs:   ${floor.toFixed(0).padStart(7)} ms`)
  const load = await median(() => db.transaction().execute((tx) => worldFor(tx, lines)))
  const ratio = (time: number) => `${(time / floor).toFixed(1).padStart(6)} ×`
  console.log(`what they are compared with:${load.toFixed(0).padStart(5)} ms ${ratio(load)}`)
  const world = await db.transaction().execute((tx) => worldFor(tx, lines))
  const counted = new Map<string, number>()
  const match = await median(async () => {
    const matches = matchLines(lines, world)
    counted.clear()
    for (const { state } of matches.values()) counted.set(state, (counted.get(state) ?? 0) + 1)
  })
  console.log(`comparing, held:          ${match.toFixed(0).padStart(7)} ms ${ratio(match)}`)
  console.log([...counted].map(([state, count]) => `${state} ${count}`).join(', '))
} finally {
  await database.close()
  await dropDatabase(benchName)
}

function median(act: () => Promise<unknown>): Promise<number> {
  return medianOf(rounds, act)
}

/** What cannot be left out: the payments that wait, in a map by UTR, and one look for each line. */
async function floorOf(lines: readonly BankLine[]): Promise<number> {
  const { rows } = await sql<{ id: number; utr: string; payable: number }>`
    select id, utr, payable from payments where state = 'pending'`.execute(db)
  const byUtr = new Map(rows.map((row) => [row.utr, row]))
  return lines.filter((line) => byUtr.get(line.utr)?.payable === line.amount).length
}

/** Schools with fifty students each; half of them have sent a payment that waits. */
async function makeWorld(season: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`insert into foundation (id, name, support_phone, support_email) values (1, 'Bench', '', '')`.execute(
      tx,
    )
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
      select s.id, ${season}, 'registration', 'PD27-' || s.code || '-R1', t.gross, t.kept, t.gross - t.kept, '2026-11-18',
        (600000000000 + s.id)::text, 'NEFT', '', now()
      from schools s cross join lateral (
        select sum(reg_amount) as gross, sum(reg_retained) as kept from students where school_id = s.id) t
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

/** Lines of every kind: by reference, without its zeros, by UTR, by code, by name, of another amount, of nobody. */
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
