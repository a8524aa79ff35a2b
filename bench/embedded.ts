// What the embedded database costs against PostgreSQL: the same statements, the same driver, turn about in one run.
//   TEST_DATABASE_URL=postgres://… node bench/embedded.ts
// Numbers are operations per second; compare the ratio, not the figures of one machine with another's.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type OpenedDatabase, openDatabase } from '../server/src/platform/database.ts'

const address = process.env.TEST_DATABASE_URL
if (!address) throw new Error('Say which PostgreSQL to compare with: TEST_DATABASE_URL')
const schema = `podium_bench_${process.pid}`
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const rounds = 3
const students = 20_000
const schools = 200

type Operation = (database: OpenedDatabase, turn: number) => Promise<unknown>
const operations: Record<string, Operation> = {
  'key look-up': ({ db }, turn) =>
    sql`select id, name, class, fee from ${sql.table(`${schema}.students`)} where id = ${1 + (turn % students)}`.execute(
      db,
    ),
  'page of 100': ({ db }, turn) =>
    sql`select * from ${sql.table(`${schema}.students`)} where school_id = ${1 + (turn % schools)} order by id limit 100`.execute(
      db,
    ),
  'write transaction': ({ db }, turn) =>
    db.transaction().execute(async (tx) => {
      const id = 1 + ((turn * 7919) % students)
      await sql`update ${sql.table(`${schema}.students`)} set fee = fee + 1, version = version + 1 where id = ${id}`.execute(
        tx,
      )
      await sql`insert into ${sql.table(`${schema}.audit`)} (student_id, change) values (${id}, ${'{"fee":1}'})`.execute(
        tx,
      )
    }),
}

async function prepare({ pool }: OpenedDatabase): Promise<void> {
  await pool.query(`
    create schema ${schema};
    create table ${schema}.students (
      id int primary key, school_id int not null, name text not null, class text not null, section text not null,
      guardian text not null, phone text not null, fee int not null, version int not null default 1,
      created_at timestamptz not null default now()
    );
    insert into ${schema}.students (id, school_id, name, class, section, guardian, phone, fee)
      select i, 1 + i % ${schools}, 'Student ' || i, (1 + i % 12)::text, 'A', 'Guardian ' || i, '90000' || (10000 + i), 12500
      from generate_series(1, ${students}) i;
    create index on ${schema}.students (school_id, id);
    create table ${schema}.audit (id bigint generated always as identity primary key, student_id int, change jsonb);
    analyze ${schema}.students`)
}

async function measure(database: OpenedDatabase, operation: Operation, callers: number): Promise<number> {
  let done = 0
  const end = performance.now() + seconds * 1000
  const caller = async (number: number) => {
    for (let turn = number; performance.now() < end; turn += callers) {
      await operation(database, turn)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, number) => caller(number)))
  return done / seconds
}

const onError = (error: Error) => {
  throw error
}
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const dataDir = mkdtempSync(join(tmpdir(), 'podium-bench-'))
const embedded = await openDatabase({ dataDir, onError })
const postgres = await openDatabase({ url: address, dataDir, onError })
try {
  const settings = await postgres.pool.query(
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit, current_setting('server_version') as version`,
  )
  console.log('PostgreSQL of this run:', settings.rows[0])
  await prepare(embedded)
  await prepare(postgres)
  const table = []
  for (const [name, operation] of Object.entries(operations)) {
    for (const callers of [1, 10]) {
      const results: [number[], number[]] = [[], []]
      for (let round = 0; round < rounds; round += 1) {
        results[0].push(await measure(embedded, operation, callers))
        results[1].push(await measure(postgres, operation, callers))
      }
      const [ours, theirs] = [median(results[0]), median(results[1])]
      table.push({
        operation: name,
        callers,
        embedded: Math.round(ours),
        postgres: Math.round(theirs),
        ratio: Number((ours / theirs).toFixed(2)),
      })
    }
  }
  console.table(table)
} finally {
  await postgres.pool.query(`drop schema if exists ${schema} cascade`)
  await postgres.close()
  await embedded.close()
  rmSync(dataDir, { recursive: true, force: true })
}
