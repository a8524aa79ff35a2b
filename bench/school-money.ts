// The database cost of the calls that tell a school what it owes: milliseconds of execution and planning, and the
// number of statements, from pg_stat_statements, which PostgreSQL must preload (shared_preload_libraries,
// pg_stat_statements.track_planning = on).
//   TEST_DATABASE_URL=postgres://… node bench/school-money.ts [folder of another checkout …]     BENCH_DATABASE=podium_big
// All checkouts listed are measured in the same run, alternating with this one.
import { join } from 'node:path'
import { sql } from 'kysely'
import { machine, openNamed, quantile, takeSavedAway, teacherToken } from './common.ts'
import { samplesOf } from './samples.ts'
import { ask, serve } from './server.ts'

const name = process.env.BENCH_DATABASE ?? 'podium_big'
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const thisCheckout = join(import.meta.dirname, '..')
const checkouts = [...process.argv.slice(2), thisCheckout]
const calls = [
  'Get_Deadlines',
  'Get_Season_Track',
  'Get_DashBoard_Summary_For_Payment',
  'Get_AccountStatement',
]

const database = await openNamed(name)
const { db } = database
await sql`create extension if not exists pg_stat_statements`.execute(db)
await takeSavedAway(database)
const { season } = await samplesOf(db, new Date())
const { rows: schools } = await sql<{ id: number; students: number }>`
  select s.school_id as id, count(*)::int as students from students s join schools o on o.id = s.school_id and o.active
  where s.season = ${season} group by 1 order by 2 desc limit 20`.execute(db)
const tokens = await Promise.all(schools.map(({ id }) => teacherToken(database, id)))

/** Returns the database's milliseconds and statements since the last reset, only of the server's connections. */
async function spent() {
  const { rows } = await sql<{ ms: number; calls: number }>`
    select sum(total_exec_time + total_plan_time)::float8 as ms, sum(calls)::int as calls from pg_stat_statements
    where query !~* 'pg_stat_statements|sessions|jobs|mails|dispatch_' and dbid = (select oid from pg_database
    where datname = current_database())`.execute(db)
  return rows[0] ?? { ms: 0, calls: 0 }
}

const totals = new Map<string, { ms: number[]; statements: number }>()
for (let round = 0; round < rounds; round++) {
  for (const [index, checkout] of checkouts.entries()) {
    const port = Number(process.env.PORT ?? 4180) + index
    const server = await serve(join(checkout, 'server/src/main.ts'), name, port)
    for (const call of calls) {
      const path = `/api/ManageSchool/${call}?FYear=${season}`
      const each = async () => {
        for (const token of tokens) await ask(server.url, { path, token })
      }
      await each()
      await sql`select pg_stat_statements_reset()`.execute(db)
      await each()
      const { ms, calls: statements } = await spent()
      const key = `${call.padEnd(34)} ${index === checkouts.length - 1 ? 'here' : checkout}`
      const entry = totals.get(key) ?? { ms: [], statements: 0 }
      entry.ms.push(ms / tokens.length)
      entry.statements = statements / tokens.length
      totals.set(key, entry)
    }
    await server.stop()
  }
}
const students = quantile(
  schools.map((school) => school.students),
  0.5,
)
console.log(
  `${schools.length} schools, ${students} students in the middle one, ${rounds} rounds, ${machine()}`,
)
for (const [key, { ms, statements }] of [...totals].sort()) {
  console.log(
    `${key.padEnd(50)} ${quantile(ms, 0.5).toFixed(2).padStart(6)} ms  ${statements.toFixed(1).padStart(5)} statements`,
  )
}
await database.close()
