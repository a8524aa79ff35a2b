import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { atEnd, emptyDatabase, temporaryFolder } from '../../../test/database.ts'
import { runCommand } from '../../../test/program.ts'
import { type OpenedDatabase, openDatabase } from './database.ts'
import { refuseOtherEngine } from './database-engine.ts'
import { DatabaseRefused } from './database-fault.ts'

/** The address of a database for somebody who owns nothing in it. */
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

test('a role that owns nothing has all that is needed, and trying it leaves nothing behind', async () => {
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

test('an engine without a language for triggers is told all that it lacks', async () => {
  const database = await emptyDatabase()
  await database.pool.query('drop extension plpgsql')
  const refusal = await asked(database.pool.options.connectionString ?? '')
  assert.ok(refusal instanceof DatabaseRefused, String(refusal))
  assert.match(refusal.message, /: do blocks \(.*\); triggers with transition tables \(.*"plpgsql".*\)\. See/)
})

test('a database that does not keep text as UTF8 is refused', async () => {
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
