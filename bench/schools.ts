// The office's register with 20,000 schools: its list compared with a plain indexed select of the same fifty rows, in
// the same run.
//   TEST_DATABASE_URL=postgres://… node bench/schools.ts
// Compare the ratio, not the milliseconds of different machines. Each figure is the median of several rounds; the list
// is the work of the whole call: the page with its figures, and the number of schools.
import { seasonOfYear } from '@podium/contract/season'
import { sql } from 'kysely'
import { insertSeason } from '../server/seed/catalogue.ts'
import {
  type RegisterQuery,
  schoolRegister,
  wholeRegister,
} from '../server/src/features/schools/register/queries.ts'
import { mint, type OfficeScope } from '../server/src/platform/auth/scope.ts'
import { benchName, dropDatabase, makeDatabase, medianOf } from './common.ts'

const schools = Number(process.env.BENCH_SCHOOLS ?? 20_000)
const students = Number(process.env.BENCH_STUDENTS ?? 200_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 15)

const database = await makeDatabase(benchName)
const { db } = database
try {
  const season = seasonOfYear(2026)
  await db.transaction().execute((tx) => insertSeason(tx, season, new Date()))
  await makeWorld(season)
  const scope = mint<OfficeScope>({
    kind: 'office',
    staffId: 1,
    name: 'Bench',
    email: '',
    role: 'owner',
    session: '',
  })
  const plain: RegisterQuery & { page: number } = {
    FYear: season,
    search: '',
    state: '',
    district: '',
    standing: 'all',
    due: '',
    staff: '',
    contacts: '',
    followUp: '',
    sort: 'name',
    page: 1,
  }
  const bare = await median(() =>
    sql`select id, code, name, city, state from schools order by name_key, id limit 50`.execute(db),
  )
  console.log(`${schools.toLocaleString('en-IN')} schools, ${students.toLocaleString('en-IN')} students`)
  console.log(`bare indexed select of fifty rows: ${bare.toFixed(2)} ms`)
  const queries: [string, Partial<typeof plain>][] = [
    ['the first page', {}],
    ['the two hundredth page', { page: 200 }],
    ['by code', { sort: 'code' }],
    ['a word that many have', { search: 'vidya' }],
    ['two words that few have', { search: 'vidya 4217' }],
    ['a phone number', { search: '+91 90000 04217' }],
    ['of one state', { state: 'State 7' }],
    ['without staff', { staff: 'none' }],
    ['who owe something', { due: 'open' }],
    ['by what they owe', { sort: 'due' }],
  ]
  for (const [says, query] of queries) {
    let total = 0
    const time = await median(async () => {
      total = (await schoolRegister(db, scope, new Date(), { ...plain, ...query })).total
    })
    const ratio = (time / bare).toFixed(1)
    console.log(
      `${says.padEnd(26)} ${time.toFixed(2).padStart(8)} ms  ${ratio.padStart(6)} ×  (${total} found)`,
    )
  }
  const file = await median(() =>
    db.transaction().execute((tx) => wholeRegister(tx, scope, new Date(), plain)),
  )
  console.log(`${'all of it, for a file'.padEnd(26)} ${file.toFixed(2).padStart(8)} ms`)
} finally {
  await database.close()
  await dropDatabase(benchName)
}

function median(act: () => Promise<unknown>): Promise<number> {
  return medianOf(rounds, act)
}

/** Creates schools in 36 states, most with two people; half of the students' fees are announced. */
async function makeWorld(season: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`
      insert into schools (code, name, name_key, address, city, state, district, zone, country, pin_code, phone,
        affiliation_no, udise_code, created_at)
      select 'S' || i, initcap(n) || ' ' || i, n || ' ' || i, 'Road', 'City ' || (i % 400), 'State ' || (i % 36),
        'District ' || (i % 700), 'Zone', 'India', (560000 + i % 9000)::text, (9000000000 + i)::text, 'CBSE ' || i,
        (29000000000 + i)::text, now()
      from generate_series(1, ${schools}::int) i,
        lateral (select (array['vidya mandir', 'bal niketan', 'gyan jyoti', 'public school'])[1 + i % 4] as n) names`.execute(
      tx,
    )
    await sql`
      insert into users (email, name, designation, school_id, created_at)
      select 'u' || i || '@bench.example', 'Teacher ' || i, 'Teacher', 1 + i % ${schools}::int, now()
      from generate_series(1, ${Math.floor(schools * 1.8)}::int) i`.execute(tx)
    await sql`
      insert into students (school_id, season, class_id, section, roll_no, name, name_key, paid, reg_amount,
        reg_retained, created_at, updated_at)
      select 1 + i % ${schools}::int, ${season}, 1 + i / ${schools}::int % 12, 'A', i, 'Student ' || i,
        'student ' || i, i % ${schools}::int % 2 = 0, 17500, 2500, now(), now()
      from generate_series(1, ${students}::int) i`.execute(tx)
  })
  await database.pool.query('vacuum analyze')
}
