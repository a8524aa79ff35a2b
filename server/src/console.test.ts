import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { officeConfirm, officeSignIn } from '@podium/contract/staff/calls'
import { acceptInvitation } from '@podium/contract/staff/calls-people'
import { SMTPServer } from 'smtp-server'
import { hashPassword } from '#platform/auth/passwords'
import { totpCode } from '#platform/auth/secrets'
import { freePort } from '#platform/http/source'
import {
  atEnd,
  emptyDatabase,
  freshDataDir,
  migratedDatabase,
  temporaryFolder,
  testDatabase,
} from '#test/database'
import { aDay, anOfficer } from '#test/factories'
import { type Program, runCommand, startProgram, until } from '#test/program'
import { addRow, findRows, valuesOf } from '#test/rows'
import { mailsTo, type TestServer, testServer } from '#test/server'

/** The commands other than the start, each in its own process as an operator runs it. */
const secret = 'a secret that only the tests know, long enough'

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
)
const linesOf = (text: string) => text.trimEnd().split('\n')

describe('the commands themselves', () => {
  test('each command explains its usage without any setting', async () => {
    const broken = { PORT: 'http' }
    for (const name of ['restore', 'owner']) {
      const { code, out, err } = await runCommand([name, '--help'], broken)
      assert.deepEqual([code, err], [0, ''])
      for (const line of linesOf(out)) assert.match(line, new RegExp(`^npm run ${name}\\b`))
    }
    const all = await runCommand(['--help'], broken)
    assert.equal(all.code, 0)
    const named = new Set([...all.out.matchAll(/^npm run (\w+)/gm)].map(([, name = '']) => name))
    assert.equal(named.size, 6)
    for (const name of named) assert.equal(scripts[name], `exec node scripts/run.mjs ${name}`)
    assert.match(all.out, /Exit codes: 0 done, 1 failed, 2 not called like this/)
  })

  test('a wrong invocation is explained, with exit code 2, and nothing is done', async () => {
    const dataDir = join(temporaryFolder('podium-none-'), 'data')
    const calls = [
      ['serve'],
      ['restore'],
      ['restore', 'a', '--chek'],
      ['migrate', 'now'],
      ['owner', 'invite'],
      ['owner', 'remove', 'a@b.example'],
      ['owner', 'reset-second-factor', 'a@b.example', '--new', 'A'],
    ]
    for (const call of calls) {
      const { code, out, err } = await runCommand(call, { DATA_DIR: dataDir })
      assert.deepEqual([call, code, out], [call, 2, ''])
      assert.match(err, /npm run /, call.join(' '))
    }
    assert.equal(existsSync(dataDir), false)
  })

  test("the version is the package's, with the newest migration", async () => {
    const { code, out } = await runCommand(['version'], {})
    assert.equal(code, 0)
    assert.match(out, /^Podium \d+\.\d+\.\d+, database \d{4}_\w+, Node \d+\.\d+\.\d+\n$/)
  })

  test('a checkout may be in a folder with spaces and letters of any language', async () => {
    const folder = temporaryFolder('podium Namūnā के लिए-')
    for (const file of ['child.mjs', 'lifeline.mjs'])
      copyFileSync(join(import.meta.dirname, '../../scripts', file), join(folder, file))
    const { runFollowing } = await import(pathToFileURL(join(folder, 'child.mjs')).href)
    let output = ''
    const code = await runFollowing(process.execPath, ['-p', '40 + 2'], {
      cwd: folder,
      env: process.env,
      output: (bytes: Buffer) => {
        output += bytes
      },
    })
    assert.deepEqual([code, output], [0, '42\n'])
  })

  test('a wrong setting is one line with exit code 1', async () => {
    const { code, err } = await runCommand(['migrate'], { PORT: 'http' })
    assert.deepEqual([code, linesOf(err)], [1, ['PORT must be a number from 0 to 65535, not "http"']])
  })

  test('an unreachable database is one line with exit code 1', async () => {
    const DATABASE_URL = `postgres://nobody@127.0.0.1:${await freePort()}/none`
    const env = { DATABASE_URL, DATA_DIR: temporaryFolder('podium-data-'), SECRET: secret, DEMO: 'off' }
    for (const call of [['migrate'], []]) {
      const { code, err } = await runCommand(call, env)
      assert.deepEqual(
        [code, linesOf(err).at(-1)],
        [1, "The database can't be reached (ECONNREFUSED): check DATABASE_URL, and that it runs."],
      )
    }
  })
})

describe('npm run dev', () => {
  test('serves pages from their sources and calls from the portal behind them, and ends with both', async () => {
    const dev = join(import.meta.dirname, '../../scripts/dev.ts')
    const dataDir = await freshDataDir()
    const { url, child, ended } = await startProgram({ DATA_DIR: dataDir, SECRET: secret }, dev)
    assert.ok(existsSync(join(dataDir, 'postgres/postmaster.pid')))
    const page = async (path: string) =>
      (await fetch(url + path, { headers: { accept: 'text/html' } })).text()
    for (const [path, entry] of [
      ['/login', 'gate'],
      ['/student/entry', 'school'],
      ['/office/payments', 'office'],
      ['/r/abc', 'family'],
    ])
      assert.match(await page(path ?? ''), new RegExp(`src="/src/pages/${entry}/main.tsx"`))
    assert.match(await (await fetch(`${url}/src/pages/gate/main.tsx`)).text(), /import.meta.hot/)
    const origin = { origin: url, 'content-type': 'application/json' }
    const refused = await fetch(`${url}/api/Account/Login`, { method: 'POST', headers: origin, body: '{}' })
    assert.equal(refused.status, 400)
    child.kill('SIGTERM')
    assert.equal(await ended, 0)
    assert.ok(!existsSync(join(dataDir, 'postgres/postmaster.pid')), 'the database has ended too')
  })
})

describe('on the embedded database', () => {
  test('the commands work beside the portal, and start the database if none is running', async () => {
    const dataDir = await freshDataDir()
    const env = { DATA_DIR: dataDir, SECRET: secret, DEMO: 'off' }
    const portal = await startProgram(env)
    const beside = async () => {
      const migrated = await runCommand(['migrate'], env)
      assert.deepEqual([migrated.code, migrated.err], [0, ''])
      assert.match(migrated.out, /^The database is at \d{4}_\w+\.sql already\.\n$/)
      const unknown = await runCommand(['owner', 'invite', 'a@b.example', '--new', 'Asha'], env)
      assert.deepEqual(
        [unknown.code, unknown.err],
        [1, 'Nobody works in the office yet: the start of the portal prints the link for its first owner.\n'],
      )
      const saved = await runCommand(['backup'], env)
      assert.deepEqual([saved.code, saved.err], [0, ''])
      const checked = await runCommand(['check'], env)
      assert.equal(checked.code, 0, checked.out)
      assert.match(checked.out, /^ok {5}database +embedded PostgreSQL 18\./m)
    }
    await beside()
    assert.equal((await fetch(`${portal.url}/readyz`)).status, 200)
    portal.child.kill('SIGTERM')
    assert.equal(await portal.ended, 0)
    await beside()
  })

  test('a restore without the SECRET of the backup says where to find it, and generates none', async () => {
    const dataDir = temporaryFolder('podium-none-')
    for (const check of [[], ['--check']]) {
      const { code, err } = await runCommand(['restore', 'a.backup', ...check], { DATA_DIR: dataDir })
      assert.deepEqual([code, linesOf(err).length], [1, 1])
      assert.match(err, /^SECRET is missing: set it to the one that the backup was made with\./)
    }
    assert.deepEqual(readdirSync(dataDir), [])
  })

  test('no database is created just to look for an owner', async () => {
    const dataDir = temporaryFolder('podium-none-')
    const { code, err } = await runCommand(['owner', 'invite', 'a@b.example'], { DATA_DIR: dataDir })
    assert.equal(code, 1)
    assert.match(err, /^There is no database in /)
    assert.equal(existsSync(join(dataDir, 'postgres')), false)
  })
})

describe('while the portal runs', () => {
  let server: TestServer
  let env: Record<string, string>
  /** How far the server's clock is ahead of the commands', so that each sign-in has a new code. */
  let ahead = 0
  const now = () => new Date(Date.now() + ahead)
  const password = 'three blue lamps on a hill'
  before(async () => {
    server = await testServer({ clock: now })
    const { connectionString = '' } = server.deps.database.pool.options
    const DATA_DIR = temporaryFolder('podium-data-')
    env = {
      DATABASE_URL: connectionString,
      DATA_DIR,
      SECRET: secret,
      DEMO: 'off',
      PUBLIC_URL: 'https://p.example',
    }
    await server.deps.db
      .insertInto('foundation')
      .values({ id: 1, name: 'Namuna', support_phone: '', support_email: 'help@namuna.example' })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  })

  async function anOwner(traits: { role?: string; disabled?: boolean } = {}) {
    const email = `${randomUUID()}@foundation.example`
    const password_hash = await hashPassword(server.deps.keys, password)
    const { role = 'owner', disabled = false } = traits
    return addRow('staff', {
      email,
      name: 'Tara Kalpanik',
      role,
      password_hash,
      created_at: aDay,
      disabled_at: disabled ? aDay : null,
    })
  }

  const auditOf = (id: number) =>
    findRows(
      'audit',
      { subject_kind: 'staff', subject_id: String(id) },
      ['action', 'actor_kind', 'actor_name', 'change'],
      'id',
    )

  const tokenIn = (text: string) => /https:\/\/p\.example\/office\/join#token=([\w-]+)/.exec(text)?.[1] ?? ''

  async function signIn(email: string, typed: string, secretOf?: string) {
    ahead += 60_000
    const cookies = new Map<string, string>()
    const signInAnswer = await server.ask(officeSignIn, { emailId: email, password: typed }, { cookies })
    const key = secretOf ?? signInAnswer.secret ?? ''
    const confirmAnswer = await server.call(
      officeConfirm,
      { body: { code: totpCode(key, now()) } },
      { cookies },
    )
    return { next: signInAnswer.next, result: confirmAnswer.body.result, secret: key }
  }

  test('a sole owner who has lost the password gets a link, printed and e-mailed, and can sign in again', async () => {
    const owner = await anOwner()
    const { code, out, err } = await runCommand(['owner', 'invite', ` ${owner.email.toUpperCase()}`], env)
    assert.deepEqual([code, err], [0, ''])
    const token = tokenIn(out)
    assert.match(token, /^[\w-]{43}$/)
    const mails = await mailsTo(server, owner.email)
    assert.deepEqual(
      mails.map(({ text }) => tokenIn(text)),
      [token],
    )
    const fresh = 'four green lamps in a valley'
    assert.equal(
      (await server.call(acceptInvitation, { body: { token, password: fresh } })).body.result,
      'success',
    )
    assert.equal((await signIn(owner.email, fresh)).result, 'success')
    const [line] = await auditOf(owner.id)
    assert.deepEqual(line, {
      action: 'staff.link_sent',
      actor_kind: 'system',
      actor_name: 'Server console',
      change: { person: 'Tara Kalpanik' },
    })
  })

  test('a link from the console invalidates the one before it', async () => {
    const owner = await anOwner()
    const tokens = [
      await runCommand(['owner', 'invite', owner.email], env),
      await runCommand(['owner', 'invite', owner.email], env),
    ]
    const accept = async (acceptAt: number) =>
      (
        await server.call(acceptInvitation, {
          body: { token: tokenIn(tokens[acceptAt]?.out ?? ''), password: 'five lamps, all of them red' },
        })
      ).body.code
    assert.equal(await accept(0), 'staff.invite_over')
    assert.equal(await accept(1), undefined)
  })

  test('an owner who has lost the phone sets up a new second factor, and is signed out until then', async () => {
    const owner = await anOwner()
    const { secret: lostSecret } = await signIn(owner.email, password)
    const { code, out, err } = await runCommand(['owner', 'reset-second-factor', owner.email], env)
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, /Tara Kalpanik work no more/)
    const sessions = await findRows('sessions', { staff_id: owner.id }, ['ended_at'])
    assert.deepEqual(
      sessions.map(({ ended_at }) => ended_at === null),
      [false],
    )
    const secondSignIn = await signIn(owner.email, password)
    assert.deepEqual([secondSignIn.next, secondSignIn.result], ['enrol', 'success'])
    assert.notEqual(secondSignIn.secret, lostSecret)
    const line = (await auditOf(owner.id)).find(({ action }) => action === 'staff.second_factor_reset')
    assert.equal(line?.actor_name, 'Server console')
  })

  test('a new owner is created by name, and someone who is no owner is refused', async () => {
    await anOfficer('owner')
    const [viewer, off] = [await anOwner({ role: 'viewer' }), await anOwner({ disabled: true })]
    const stranger = `${randomUUID()}@foundation.example`
    const refused: Array<[args: string[], says: RegExp]> = [
      [['invite', stranger], /^Nobody of the office has the address .*add --new/],
      [['reset-second-factor', stranger], /^Nobody of the office has the address /],
      [['invite', viewer.email], /is in the office as viewer, not as owner/],
      [['reset-second-factor', viewer.email], /is in the office as viewer, not as owner/],
      [['invite', off.email], /is deactivated/],
      [['invite', viewer.email, '--new', 'Vani'], /is known in the office/],
      [['invite', 'vani at example', '--new', 'Vani'], /is no e-mail address/],
    ]
    for (const [args, says] of refused) {
      const { code, out, err } = await runCommand(['owner', ...args], env)
      assert.deepEqual([args, code, out, linesOf(err).length], [args, 1, '', 1])
      assert.match(err, says)
    }
    assert.deepEqual([await auditOf(viewer.id), await auditOf(off.id)], [[], []])
    const { code, out } = await runCommand(['owner', 'invite', stranger, '--new', 'Vani Namuna'], env)
    assert.equal(code, 0)
    const body = { token: tokenIn(out), password: 'six lamps, none of them lit' }
    assert.equal((await server.call(acceptInvitation, { body })).body.result, 'success')
    const created = await server.deps.db
      .selectFrom('staff')
      .selectAll()
      .where('email', '=', stranger)
      .executeTakeFirst()
    assert.deepEqual([created?.role, created?.name], ['owner', 'Vani Namuna'])
    assert.deepEqual(valuesOf(await auditOf(created?.id ?? 0), 'action'), [
      'staff.invited',
      'staff.password_set',
    ])
  })

  test('migrate brings an empty database to this version and ends, and nothing runs on it before', async () => {
    const { pool } = await emptyDatabase()
    const empty = { ...env, DATABASE_URL: pool.options.connectionString ?? '' }
    const early = await runCommand(['owner', 'invite', 'a@b.example'], empty)
    assert.deepEqual([early.code, /run `npm run migrate` first/.test(early.err)], [1, true], early.err)
    const waiting = await runCommand(['check'], empty)
    assert.match(waiting.out, /^ok {5}migrations \d+ wait for `npm run migrate`/m)
    const first = await runCommand(['migrate'], empty)
    assert.equal(first.code, 0, first.err)
    assert.equal(linesOf(first.out)[0], '0001_platform.sql')
    const second = await runCommand(['migrate'], empty)
    assert.deepEqual([second.code, linesOf(second.out).length], [0, 1])
  })

  test('a check of a healthy portal says ok to everything', async () => {
    const { code, out, err } = await runCommand(['check'], env)
    assert.deepEqual([code, err], [0, ''], out)
    assert.deepEqual(
      linesOf(out).map((line) => line.split(/ +/).slice(0, 2)),
      ['settings', 'database', 'migrations', 'clock', 'secret', 'files', 'backups', 'mail'].map((what) => [
        'ok',
        what,
      ]),
    )
  })

  test('a check reports a newer database, another SECRET, and what needs the previous one', async () => {
    const owner = await anOwner()
    await signIn(owner.email, password)
    const other = await runCommand(['check'], { ...env, SECRET: 'quite another one than that of the tests' })
    assert.equal(other.code, 1)
    assert.match(other.out, /^WRONG {2}secret +\d+ of \d+ second factors don't open with SECRET/m)
    const start = await runCommand([], {
      ...env,
      SECRET: 'quite another one than that of the tests',
      PORT: '0',
    })
    assert.equal(start.code, 1)
    assert.match(
      start.err,
      /^SECRET is not the one of this database: it opens none of the office's second f/m,
    )
    const secrets = { SECRET: 'quite another one than that of the tests', SECRET_PREVIOUS: secret }
    const changed = await runCommand(['check'], { ...env, ...secrets })
    assert.match(
      changed.out,
      /^ok {5}secret +opens \d+ second factors; SECRET_PREVIOUS is still needed for \d+ passwords, \d+ rec/m,
    )
    const newer = await migratedDatabase()
    await newer.pool.query(`insert into schema_migrations (name, sha256) values ('9999_later.sql', '')`)
    const looked = await runCommand(['check'], { ...env, DATABASE_URL: newer.pool.options.connectionString })
    assert.equal(looked.code, 1)
    assert.match(looked.out, /^WRONG {2}migrations The database has the migration 9999_later\.sql/m)
  })
})

describe('a check of what is around the portal', () => {
  const nowhere = async () => ({ DATA_DIR: temporaryFolder('podium-check-'), SECRET: secret, DEMO: 'off' })

  test('a check passes where nothing exists yet: the first start creates it', async () => {
    const { code, out } = await runCommand(['check'], await nowhere())
    assert.equal(code, 0, out)
    assert.match(out, /^ok {5}database +embedded, not made yet/m)
    assert.match(out, /^ok {5}mail +no SMTP_URL/m)
  })

  test('a wrong setting, a folder that is a file and an unreachable database are one line each', async () => {
    const settings = await runCommand(['check'], { PORT: 'http' })
    assert.deepEqual([settings.code, linesOf(settings.out).length], [1, 1])
    assert.match(settings.out, /^WRONG {2}settings +PORT must be a number/)
    const env = await nowhere()
    const file = join(env.DATA_DIR, 'file')
    writeFileSync(file, '')
    const DATABASE_URL = `postgres://nobody@127.0.0.1:${await freePort()}/none`
    const { code, out } = await runCommand(['check'], {
      ...env,
      BACKUP_DIR: join(file, 'backups'),
      DATABASE_URL,
    })
    assert.equal(code, 1)
    assert.match(out, /^WRONG {2}backups +.*can't be written to \(ENOTDIR\)$/m)
    assert.match(out, /^WRONG {2}database +The database can't be reached \(ECONNREFUSED\)/m)
    assert.match(out, /^ok {5}files/m)
    assert.doesNotMatch(out, /migrations|clock/, 'only what could be looked at is reported')
  })

  test('a check names the address that is wrong: of the database, its standby or the role that migrates', async () => {
    const { pool } = await testDatabase()
    const DATABASE_URL = pool.options.connectionString ?? ''
    const other = new URL(DATABASE_URL)
    other.pathname = '/none'
    const env = { ...(await nowhere()), DATABASE_URL }
    const wrong = await runCommand(['check'], {
      ...env,
      DATABASE_READ_URL: DATABASE_URL,
      DATABASE_MIGRATE_URL: other.href,
    })
    assert.equal(wrong.code, 1, wrong.out)
    assert.match(wrong.out, /^WRONG {2}standby +.* is no standby$/m)
    assert.match(
      wrong.out,
      /^WRONG {2}migrating +There is no database of the name in DATABASE_MIGRATE_URL\.$/m,
    )
    const migrated = await runCommand(['migrate'], { ...env, DATABASE_MIGRATE_URL: other.href })
    assert.deepEqual(
      [migrated.code, migrated.err],
      [1, 'There is no database of the name in DATABASE_MIGRATE_URL.\n'],
    )
    const right = await runCommand(['check'], { ...env, DATABASE_MIGRATE_URL: DATABASE_URL })
    assert.match(right.out, /^ok {5}migrating +/m)
  })

  test('a check behind a pooler prints the statements that are to be run once', async () => {
    const { pool } = await testDatabase()
    const DATABASE_URL = pool.options.connectionString ?? ''
    const { out } = await runCommand(['check'], {
      ...(await nowhere()),
      ...{ DATABASE_URL, DATABASE_POOLER: 'transaction' },
    })
    assert.match(out, /^WRONG {2}database +With DATABASE_POOLER=transaction/m)
    assert.match(out, /^ +alter role \w+ in database \w+ set statement_timeout = 5000;$/m)
  })

  test('a portal that cannot listen says which setting to change', async () => {
    const env = { ...(await nowhere()), DATA_DIR: await freshDataDir(), PORT: String(await freePort()) }
    for (const HOST of ['192.0.2.1', 'nowhere.invalid']) {
      const { code, err } = await runCommand([], { ...env, HOST })
      assert.deepEqual([code, err], [1, `HOST is no address of this machine: ${HOST}\n`])
    }
  })

  test('a check greets the mail server, and reports one that is unreachable or not a mail server', async () => {
    const mailServer = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'] })
    await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve))
    const other = createServer((socket) => socket.end('220-no\r\n500 go away\r\n'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    // Not awaited: none of them keeps the process alive, and a connection that was cut never reports its close.
    atEnd(async () => {
      mailServer.close()
      other.close()
    })
    const portOf = (address: ReturnType<typeof other.address>) =>
      typeof address === 'object' && address ? address.port : 0
    const env = await nowhere()
    const look = (port: number) => runCommand(['check'], { ...env, SMTP_URL: `smtp://127.0.0.1:${port}` })
    const well = await look(portOf(mailServer.server.address()))
    assert.deepEqual([well.code, /^ok {5}mail +127\.0\.0\.1:\d+$/m.test(well.out)], [0, true], well.out)
    for (const port of [portOf(other.address()), await freePort()]) {
      const bad = await look(port)
      assert.deepEqual([bad.code, /^WRONG {2}mail /m.test(bad.out)], [1, true], bad.out)
    }
  })
})

const statusOf = async ({ url }: Program, path: string) => {
  const answer = await fetch(`${url}${path}`).catch(() => undefined)
  await answer?.arrayBuffer()
  return answer?.status
}

const draining = (portal: Program) =>
  until(async () => ((await statusOf(portal, '/readyz')) === 503 ? true : undefined), '/readyz says 503')

test('a portal told to stop reports that it is not ready, and serves until its drain is over', async () => {
  const portal = await startProgram({ DATA_DIR: await freshDataDir(), DRAIN_SECONDS: '600' })
  assert.equal(await statusOf(portal, '/readyz'), 200)
  portal.child.kill('SIGTERM')
  await draining(portal)
  for (let call = 0; call < 20; call++) {
    assert.equal(await statusOf(portal, '/readyz'), 503)
    assert.equal(await statusOf(portal, '/healthz'), 200)
    // A call that queries the database
    assert.equal(await statusOf(portal, '/api/Account/GetCountry'), 200)
  }
  portal.child.kill('SIGTERM')
  assert.equal(await portal.ended, 0, portal.printed.err)
  assert.equal(await statusOf(portal, '/healthz'), undefined)
})

test('a drain ends by itself, and the portal with it', async () => {
  const portal = await startProgram({ DATA_DIR: await freshDataDir(), DRAIN_SECONDS: '1' })
  portal.child.kill('SIGTERM')
  await draining(portal)
  assert.equal(await portal.ended, 0, portal.printed.err)
})
