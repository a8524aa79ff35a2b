import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { login } from '@podium/contract/accounts/calls'
import { forgotPassword } from '@podium/contract/accounts/calls-registration'
import { getStudentDetails, saveStudentDetails } from '@podium/contract/students/calls'
import pg from 'pg'
import { anAccount } from '#test/accounts-factories'
import { emptyDatabase, temporaryFolder, testDatabase } from '#test/database'
import { aDay, thisSeason } from '#test/factories'
import { runCommand } from '#test/program'
import { mailsTo, type TestServer, testServer } from '#test/server'
import { anEntry, aTeacherInSeason } from '#test/students-factories'
import { DatabaseRefused } from './platform/db/database-fault.ts'
import { grantUse } from './platform/db/migrate.ts'

/** The portal's own role, separate from the one that creates tables (docs/security.md, T42). */
const role = `portal_${randomUUID().slice(0, 8)}`

suite('a portal whose role may change rows alone', () => {
  let owner: pg.Pool
  before(async () => {
    owner = (await testDatabase()).pool
    await owner.query(`create role ${role} login password 'of-the-portal'`)
  })
  after(async () => {
    const databases = await owner.query<{ name: string }>(
      `select d.datname as name from pg_database d, aclexplode(d.datacl) a where a.grantee = '${role}'::regrole`,
    )
    assert.ok(databases.rows.length > 0)
    await owner.query(`drop owned by ${role}`)
    await owner.query(`drop role ${role}`)
  })

  /** Returns the same address for the portal's role. */
  const asPortal = (url = '') => {
    const address = new URL(url)
    address.username = role
    address.password = 'of-the-portal'
    return address.href
  }
  const ownUrl = () => owner.options.connectionString ?? ''

  test('is refused by a start on a database without all migrations, and by a command that has no other role', async () => {
    const { pool } = await emptyDatabase()
    const url = pool.options.connectionString ?? ''
    const env = {
      DATABASE_URL: asPortal(url),
      DATA_DIR: temporaryFolder('podium-data-'),
      SECRET: 'three blue lamps on a hill, and one more',
      DEMO: 'off',
      PORT: '0',
    }
    const lacks =
      /^The database lacks \d+ migrations .* run `npm run migrate` with DATABASE_MIGRATE_URL first\.\n$/
    for (const words of [[], ['migrate']]) {
      const { code, err } = await runCommand(words, env)
      assert.equal(code, 1)
      assert.match(err, lacks)
    }
    const same = await runCommand(['migrate'], { ...env, DATABASE_MIGRATE_URL: env.DATABASE_URL })
    assert.equal(same.code, 1)
    const migrated = await runCommand(['migrate'], { ...env, DATABASE_MIGRATE_URL: url })
    assert.deepEqual([migrated.code, migrated.err], [0, ''])
    assert.match(migrated.out, new RegExp(`${role} may read and write its rows, and nothing else`))
    const again = await runCommand(['migrate'], env)
    assert.deepEqual([again.code, again.err], [0, ''])
    await pool.query(`drop owned by ${role}`)
  })

  test("is granted to an existing role that is not the owner's own", async () => {
    await assert.rejects(grantUse(owner, 'no_such_role'), DatabaseRefused)
    const { rows } = await owner.query<{ role: string }>('select current_user as role')
    await assert.rejects(grantUse(owner, rows[0]?.role ?? ''), DatabaseRefused)
  })

  suite('on the tables of another', () => {
    let server: TestServer
    let portal: pg.Client
    before(async () => {
      await grantUse(owner, role)
      const databaseUrl = asPortal(ownUrl())
      server = await testServer({ clock: () => aDay, settings: { databaseUrl } })
      portal = new pg.Client({ connectionString: databaseUrl })
      await portal.connect()
    })
    after(() => portal.end())

    test('serves: it reads, writes, limits, mails and works', async () => {
      const teacher = await aTeacherInSeason()
      const saved = await server.call(saveStudentDetails, { body: anEntry({}) }, teacher)
      assert.equal(saved.body.result, 'success', saved.body.message)
      const body = await server.ask(getStudentDetails, { FYear: thisSeason }, teacher)
      assert.equal(body.data.length, 1)
      const { email } = await anAccount(server)
      await server.call(login, { body: { emailId: email, password: 'not this one' } })
      await server.ask(forgotPassword, { emailId: email })
      await server.drain()
      assert.equal((await mailsTo(server, email)).length, 1)
      const audited = await portal.query('select from audit where school_id = $1', [teacher.schoolId])
      assert.ok((audited.rowCount ?? 0) > 0)
    })

    for (const statement of [
      'create table own (id int)',
      'create schema own',
      'alter table students add column own int',
      'drop table students',
      'truncate audit',
      'create index own on students (id)',
      'alter table students disable trigger user',
      `create function own() returns int language sql as 'select 1'`,
      `insert into schema_migrations (name, sha256) values ('9999_own.sql', 'x')`,
      'delete from schema_migrations',
      `copy students to program 'cat'`,
      `select pg_read_file('/etc/passwd')`,
      'create role own',
    ])
      test(`may not run “${statement}”`, async () => {
        await assert.rejects(portal.query(statement), { code: '42501' })
      })

    test('is subject to timeouts for statements, locks and idle transactions', async () => {
      const { rows } = await server.deps.database.pool.query(
        `select current_user as role, current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
           current_setting('idle_in_transaction_session_timeout') as idle`,
      )
      assert.deepEqual(rows, [{ role, statement: '5s', lock: '2s', idle: '10s' }])
    })
  })
})
