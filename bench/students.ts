// The office's register of students with two million rows of twenty thousand schools: each search compared with a plain
// indexed select of fifty rows, in the same run.
//   TEST_DATABASE_URL=postgres://… node bench/students.ts
// Compare the ratio, not the milliseconds of different machines. Each figure is the median of several rounds and the
// work of the whole call: the page of fifty with schools and fees, and the bounded count.
import { seasonOfYear } from '@podium/contract/season'
import { sql } from 'kysely'
import { insertSeason } from '../server/seed/catalogue.ts'
import { type StudentQuery, studentRegister } from '../server/src/features/students/register/queries.ts'
import { mint, type OfficeScope } from '../server/src/platform/auth/scope.ts'
import { benchName, dropDatabase, makeDatabase, medianOf } from './common.ts'

const schools = Number(process.env.BENCH_SCHOOLS ?? 20_000)
const students = Number(process.env.BENCH_STUDENTS ?? 2_000_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 15)

const database = await makeDatabase(benchName)
const { db } = database
try {
  const [season, before] = [seasonOfYear(2026), seasonOfYear(2025)]
  for (const label of [before, season])
    await db.transaction().execute((tx) => insertSeason(tx, label, new Date()))
  await makeWorld(season, before)
  const scope = mint<OfficeScope>({
    kind: 'office',
    staffId: 1,
    name: 'Bench',
    email: '',
    role: 'owner',
    session: '',
  })
  const plain: StudentQuery & { page: number } = {
    FYear: season,
    search: '',
    school: '',
    classId: 0,
    subject: '',
    fee: '',
    standing: 'active',
    sort: 'name',
    page: 1,
  }
  const { rows } = await sql<{ exam: string; name: string }>`
    select exam_roll_no as exam, name_key as name from students
    where season = ${season} and active and exam_roll_no is not null limit 1`.execute(db)
  const [sample = { exam: '', name: '' }] = rows
  const bare = await median(() =>
    sql`select id, name, class_id, section, roll_no, parent_mobile from students
      where season = ${season} order by name_key, id limit 50`.execute(db),
  )
  console.log(`${schools.toLocaleString('en-IN')} schools, ${students.toLocaleString('en-IN')} students`)
  console.log(`bare indexed select of fifty rows: ${bare.toFixed(2)} ms`)
  const queries: [string, Partial<typeof plain>][] = [
    ['the first page', {}],
    ['the twentieth page', { page: 20 }],
    ['one letter', { search: 'a' }],
    ['a first name that many have', { search: 'aarav' }],
    ['two beginnings, any order', { search: 'sha aar' }],
    ['a rare name', { search: 'name04218' }],
    ['a rare name, all seasons', { search: 'name04218', FYear: undefined }],
    ['a name that nobody has', { search: 'zzzz' }],
    ['a mobile', { search: '+91 90000 04218' }],
    ['a roll no', { search: '4217' }],
    ['an exam roll no', { search: sample.exam }],
    ['a school by code', { school: 'SCH04217', sort: 'class' }],
    ['a school’s code and a name', { search: `${sample.exam.slice(0, 8)} ${sample.name.slice(0, 3)}` }],
    ['a city’s schools', { school: 'city 42' }],
    ['class, subject, unpaid', { classId: 7, subject: 'M', fee: 'due' }],
    ['being verified', { fee: 'sent' }],
    ['waived', { fee: 'waived', search: 'aarav' }],
    ['deleted', { standing: 'deleted' }],
  ]
  for (const [says, query] of queries) {
    let result = ''
    const time = await median(async () => {
      const { total, more } = await studentRegister(db, scope, { ...plain, ...query })
      result = `${total}${more ? '+' : ''}`
    })
    const ratio = (time / bare).toFixed(1)
    console.log(
      `${says.padEnd(30)} ${time.toFixed(2).padStart(8)} ms  ${ratio.padStart(6)} ×  (${result} found)`,
    )
  }
} finally {
  await database.close()
  await dropDatabase(benchName)
}

function median(act: () => Promise<unknown>): Promise<number> {
  return medianOf(rounds, act)
}

/**
 * Creates half of the students in each of two seasons; forty first names, sixty family names and one of ten thousand
 * rare ones.
 */
async function makeWorld(season: string, before: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`
      insert into schools (code, name, name_key, address, city, state, zone, country, pin_code, phone, created_at)
      select 'SCH' || lpad(i::text, 5, '0'), 'Vidya Mandir ' || i, 'vidya mandir ' || i, 'Road', 'City ' || (i % 400),
        'State ' || (i % 36), 'Zone', 'India', (560000 + i % 9000)::text, (9000000000 + i)::text, now()
      from generate_series(1, ${schools}::int) i`.execute(tx)
    await sql`
      insert into students (school_id, season, class_id, section, roll_no, name, name_key, parent_mobile, paid, locked,
        active, letters, exam_roll_no, created_at, updated_at)
      select 1 + i % ${schools}::int, case when i % 2 = 0 then ${season} else ${before} end, 1 + i / ${schools}::int % 12,
        'A', i / 12, initcap(n), n, (9000000000 + i % 900000)::text, i % 3 = 0, i % 2000 = 0, i % 100 <> 7,
        case i % 3 when 0 then 'M,S' when 1 then 'M' else 'E,S' end,
        case when i % 3 = 0 then 'SCH' || lpad((1 + i % ${schools}::int)::text, 5, '0') || '-' || lpad((1 + i / ${schools}::int % 12)::text, 2, '0')
          || '-' || lpad(i::text, 7, '0') end, now(), now()
      from generate_series(1, ${students}::int) i,
        lateral (select (array['aarav','aditi','akash','ananya','anil','arjun','bhavna','charu','deepa','dev','diya','esha',
          'farah','gauri','harsh','isha','ishaan','jai','kabir','kavya','kiran','lata','manav','meera','mohan','naina',
          'neha','om','pooja','rahul','ravi','riya','rohan','sana','sara','tara','uma','varun','veer','zoya'])[1 + i * 7919::bigint % 40]
          || ' ' || (array['sharma','verma','iyer','nair','khan','singh','das','roy','patel','shah','mehta','rao'])[1 + i * 104729::bigint % 12]
          || ' name' || lpad((i * 31::bigint % 10000)::text, 5, '0') as n) names`.execute(tx)
  })
  const client = await database.pool.connect()
  await client.query('set statement_timeout = 0')
  await client.query('vacuum analyze')
  await client.query('reset statement_timeout')
  client.release()
}
