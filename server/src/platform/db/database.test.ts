import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { atEnd, emptyDatabase, temporaryFolder, testDatabase } from '#test/database'
import { patient } from '#test/patient'
import { runCommand } from '#test/program'
import { createStatementNames, type OpenedDatabase, openDatabase } from './database.ts'
import { refuseOtherEngine } from './database-engine.ts'
import { DatabaseRefused, isDatabaseUnavailable } from './database-fault.ts'

let database: OpenedDatabase

before(async () => {
  database = await testDatabase()
  await database.pool.query('create table tallies (id int primary key, count int not null)')
  await database.pool.query('insert into tallies select i, 0 from generate_series(1, 50) i')
})
after(() => database.pool.query('drop table if exists tallies'))

test('a bigint is read as a number, a date stays a date and a timestamp becomes a Date', async () => {
  const { rows } =
    await sql`select 9007199254740991::bigint as most, 12.50::numeric as price, date '2026-04-01' as day,
    timestamptz '2026-04-01 00:00:00+05:30' as moment, '{"a":[1]}'::jsonb as json,
    array[1, null]::bigint[] as numbers, array[date '2026-04-01'] as days,
    '{"a b",c}'::text[] as words`.execute(database.db)
  assert.deepEqual(rows, [
    {
      most: 9007199254740991,
      price: 12.5,
      day: '2026-04-01',
      moment: new Date('2026-03-31T18:30:00Z'),
      json: { a: [1] },
      numbers: [1, null],
      days: ['2026-04-01'],
      words: ['a b', 'c'],
    },
  ])
})

test('a number that JavaScript would round is refused', async () => {
  await assert.rejects(sql`select 9007199254740993::bigint as n`.execute(database.db), RangeError)
})

test('a database session uses UTC', async () => {
  const { rows } = await sql`select current_setting('timezone') as zone`.execute(database.db)
  assert.deepEqual(rows, [{ zone: 'UTC' }])
})

test('each of many callers gets the answer to its own query', async () => {
  const ask = async (number: number) => {
    const { rows } = await sql<{ same: number }>`select ${number}::int as same`.execute(database.db)
    const { rows: others } = await sql<{
      text: string
    }>`select ${'x'.repeat(number * 500)}::text as text`.execute(database.db)
    return [rows[0]?.same, others[0]?.text.length]
  }
  const numbers = Array.from({ length: 300 }, (_, index) => index)
  const answers = await Promise.all(numbers.map(ask))
  assert.deepEqual(
    answers,
    numbers.map((number) => [number, number * 500]),
  )
})

test('a statement is prepared once under a name, and its second run uses it', async () => {
  const run = async () =>
    database.db.connection().execute(async (connection) => {
      await sql`select ${'named'}::text as marked_for_this_test`.execute(connection)
      return sql<{
        name: string
      }>`select name from pg_prepared_statements where statement like ${'%marked_for_this_test%'}`
        .execute(connection)
        .then(({ rows }) => rows.filter(({ name }) => !name.startsWith('pg_')).length)
    })
  const first = await run()
  assert.ok(first >= 1)
  assert.ok((await run()) <= first + 4)
})

test('the number of named statements is limited', () => {
  const nameOf = createStatementNames(2)
  const names = ['select 1', 'select 2', 'select 3', 'select 1'].map(nameOf)
  assert.deepEqual(
    names.map((name) => name !== undefined),
    [true, true, false, true],
  )
  assert.equal(names[0], names[3])
  assert.equal(createStatementNames()('begin'), undefined)
})

test('a name identifies the same text in every process', () => {
  const [first, second] = [createStatementNames(), createStatementNames()]
  second('select 2')
  assert.equal(first('select 1'), second('select 1'))
  assert.notEqual(first('select 1'), first('select 2'))
  assert.match(first('select 1') ?? '', /^s_[\w-]{24}$/)
})

test('a statement whose table has changed since it was planned is planned again', async () => {
  await database.pool.query('create table grown (id int); insert into grown values (1)')
  const all = () => sql`select * from grown`.execute(database.db)
  // On all connections, since each has prepared the statement itself.
  for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 10 }, all))
  await database.pool.query('alter table grown add column name text')
  for (let round = 0; round < 20; round++) assert.deepEqual((await all()).rows, [{ id: 1, name: null }])
  await database.pool.query('drop table grown')
})

test('inside a transaction such a statement fails with the reason, and the next one is planned again', async () => {
  await database.pool.query('create table widened (id int); insert into widened values (1)')
  const all = () =>
    database.db.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx)
      return (await sql`select * from widened`.execute(tx)).rows
    })
  await all()
  await database.pool.query('alter table widened add column name text')
  const outcomes = []
  for (let round = 0; round < 12; round++) outcomes.push(await all().catch((error: unknown) => error))
  const refused = outcomes.filter((outcome) => outcome instanceof Error)
  assert.ok(refused.length > 0 && refused.length <= 10, `${refused.length} refused`)
  for (const error of refused) assert.equal((error as { code?: string }).code, '0A000')
  assert.deepEqual(outcomes.at(-1), [{ id: 1, name: null }])
  await database.pool.query('drop table widened')
})

test('a statement that the session has forgotten is prepared again', async () => {
  const ask = () => sql<{ n: number }>`select ${1}::int as n`.execute(database.db)
  await ask()
  await Promise.all(
    Array.from({ length: 10 }, () => sql`deallocate all`.execute(database.db).then(() => ask())),
  )
  for (let round = 0; round < 10; round++) assert.deepEqual((await ask()).rows, [{ n: 1 }])
})

test('a failed statement does not affect the next one with the same text', async () => {
  const divide = (by: number) => sql<{ n: number }>`select 10 / ${by}::int as n`.execute(database.db)
  await assert.rejects(divide(0), /division by zero/)
  assert.deepEqual((await divide(5)).rows, [{ n: 2 }])
})

test('concurrent transactions on one row lose no update', async () => {
  await Promise.all(
    Array.from({ length: 40 }, () =>
      database.db.transaction().execute(async (tx) => {
        const { rows } = await sql<{
          count: number
        }>`select count from tallies where id = 1 for update`.execute(tx)
        await sql`update tallies set count = ${(rows[0]?.count ?? 0) + 1} where id = 1`.execute(tx)
      }),
    ),
  )
  const { rows } = await sql`select count from tallies where id = 1`.execute(database.db)
  assert.deepEqual(rows, [{ count: 40 }])
})

test('a transaction that throws leaves nothing behind', async () => {
  const broken = database.db.transaction().execute(async (tx) => {
    await sql`update tallies set count = 99 where id = 2`.execute(tx)
    throw new Error('no')
  })
  await assert.rejects(broken, /no/)
  const { rows } = await sql`select count from tallies where id = 2`.execute(database.db)
  assert.deepEqual(rows, [{ count: 0 }])
})

test('a connection lost in the middle of a transaction blocks no one and leaves nothing', async () => {
  const client = await database.pool.connect()
  client.on('error', () => undefined)
  await client.query('begin')
  await client.query('update tallies set count = 99 where id = 3')
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  client.release(true)
  await sql`update tallies set count = count + 1 where id = 3`.execute(database.db)
  const { rows } = await sql`select count from tallies where id = 3`.execute(database.db)
  assert.deepEqual(rows, [{ count: 1 }])
})

test('a connection cut while in use fails its statement, not the server', async () => {
  await assert.rejects(sql`select pg_terminate_backend(pg_backend_pid())`.execute(database.db))
  const { rows } = await sql`select 1 as alive`.execute(database.db)
  assert.deepEqual(rows, [{ alive: 1 }])
})

test('a connection cut while idle ends no process, and the next caller gets another', async () => {
  const url = database.pool.options.connectionString
  const fresh = await openDatabase({ ...patient, url, dataDir: '', onError: () => undefined })
  const client = await fresh.pool.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const ended = new Promise((end) => client.once('end', end))
  await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await ended
  await assert.rejects(client.query('select 1'), isDatabaseUnavailable)
  client.release(true)
  const { rows: alive } = await sql`select 1 as alive`.execute(fresh.db)
  await fresh.close()
  assert.deepEqual(alive, [{ alive: 1 }])
})

test('code that uses db inside a transaction gets an error instead of waiting forever', async () => {
  const tight = await openDatabase({
    ...{ ...patient, url: database.pool.options.connectionString, dataDir: '' },
    poolSize: 1,
    acquireTimeout: 1_000,
    onError: () => undefined,
  })
  // Connected now: the time is also a limit for connecting, which fails with another message.
  await sql`select 1`.execute(tight.db)
  const selfish = Array.from({ length: 4 }, () =>
    tight.db.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx)
      await sql`select 1`.execute(tight.db)
    }),
  )
  const results = await Promise.allSettled(selfish)
  await tight.close()
  for (const result of results) {
    assert.equal(result.status, 'rejected')
    if (result.status === 'rejected') assert.match(result.reason.message, /db used inside a transaction/)
  }
})

/** Returns the database's address for a role that owns nothing in it. */
async function asStranger({ pool }: OpenedDatabase): Promise<string> {
  const role = `podium_stranger_${randomUUID().slice(0, 8)}`
  await pool.query(
    `create role ${role} login password 'engine-test'; grant create on schema public to ${role}`,
  )
  atEnd(() => pool.query(`drop owned by ${role}; drop role ${role}`))
  const url = new URL(pool.options.connectionString ?? '')
  url.username = role
  url.password = 'engine-test'
  return url.href
}

async function asked(url: string): Promise<unknown> {
  const database = await openDatabase({ url, dataDir: '', onError: () => undefined })
  try {
    return await refuseOtherEngine(database).catch((error: unknown) => error)
  } finally {
    await database.close()
  }
}

test('a role that owns nothing can do all the portal needs, and trying it leaves nothing behind', async () => {
  const database = await emptyDatabase()
  const here = async () =>
    (await database.pool.query('select count(*) from pg_class union all select count(*) from pg_proc')).rows
  const before = await here()
  assert.equal(await asked(await asStranger(database)), undefined)
  assert.deepEqual(await here(), before)
})

test('a start without the right to temporary tables ends with one line that says so', async () => {
  const database = await emptyDatabase()
  const url = await asStranger(database)
  await database.pool.query(
    "do $$ begin execute format('revoke temporary on database %I from public', current_database()); end $$",
  )
  const env = { DATABASE_URL: url, DATA_DIR: temporaryFolder('podium-engine-'), DEMO: 'off' }
  for (const command of [[], ['migrate']]) {
    const { code, err } = await runCommand(command, env)
    assert.equal(code, 1)
    assert.match(
      err,
      /^The database lacks what Podium needs of PostgreSQL: temporary tables .*permission denied/,
    )
    assert.equal(err.trim().split('\n').length, 1, err)
  }
  const { code, out } = await runCommand(['check'], env)
  assert.equal(code, 1)
  assert.match(out, /^WRONG {2}database {3}The database lacks .*temporary tables/m)
  const { rows } = await database.pool.query("select to_regclass('schema_migrations') as made")
  assert.deepEqual(rows, [{ made: null }])
})

test('a start lists everything that a server without a trigger language lacks', async () => {
  const database = await emptyDatabase()
  await database.pool.query('drop extension plpgsql')
  const refusal = await asked(database.pool.options.connectionString ?? '')
  assert.ok(refusal instanceof DatabaseRefused, String(refusal))
  assert.match(refusal.message, /: do blocks \(.*\); triggers with transition tables \(.*"plpgsql".*\)\. See/)
})

test('a database that does not store text as UTF8 is refused', async () => {
  const { pool } = await emptyDatabase()
  const name = `podium_test_${process.pid}_${randomUUID().slice(0, 8)}`
  await pool.query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`)
  atEnd(() => pool.query(`drop database ${name} with (force)`))
  const url = new URL(pool.options.connectionString ?? '')
  url.pathname = name
  const refusal = await asked(url.href)
  assert.ok(refusal instanceof DatabaseRefused, String(refusal))
  assert.match(refusal.message, /keeps text as LATIN1/)
})
