// Keeps the big data set (20,000 schools, a million students, two million entries and results) in a permanent database,
// to measure lists and the office's effect on schools.
//   TEST_DATABASE_URL=postgres://… node bench/big.ts make      BENCH_DATABASE=podium_big BENCH_SCHOOLS=20000
//   TEST_DATABASE_URL=postgres://… node bench/big.ts drop
import { sql } from 'kysely'
import { dropDatabase, isThere, machine, makeDatabase } from './common.ts'
import { makeWorld } from './world/make.ts'

const name = process.env.BENCH_DATABASE ?? 'podium_big'
const schools = Number(process.env.BENCH_SCHOOLS ?? 20_000)

if (process.argv[2] === 'drop') {
  await dropDatabase(name)
} else if (await isThere(name)) {
  console.log(`${name} is there already; «node bench/big.ts drop» takes it away`)
} else {
  const start = performance.now()
  const database = await makeDatabase(name)
  try {
    await makeWorld(database, { schools, now: new Date(), say: (line) => console.log(line) })
    const { rows } = await sql<{ name: string; rows: number; size: string }>`
      select relname as name, reltuples::bigint as rows, pg_size_pretty(pg_total_relation_size(oid)) as size
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 1000
      order by reltuples desc`.execute(database.db)
    console.table(rows)
    console.log(`made in ${((performance.now() - start) / 1000).toFixed(0)} s, ${machine()}`)
  } finally {
    await database.close()
  }
}
