import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { emailVerify } from '@podium/contract/accounts/calls-registration'
import { freshDataDir, temporaryFolder } from '#test/database'
import { type Program, runCommand, startProgram, until } from '#test/program'
import { valuesOf } from '#test/rows'
import { type OpenedDatabase, openDatabase } from './database.ts'

/** The embedded database of the real program: who owns it, and what remains of it after any end. */
const secret = 'a secret that only the tests know, long enough'
const envOf = (dataDir: string) => ({ DATA_DIR: dataDir, SECRET: secret, DEMO: 'off' })
const folderOf = (dataDir: string) => join(dataDir, 'postgres')

/** Returns the id of the process that has the database open. */
function pidOf(dataDir: string): number {
  const [pid] = readFileSync(join(folderOf(dataDir), 'postmaster.pid'), 'utf8').split('\n')
  return Number(pid)
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A zombie has ended, but its exit status was not collected yet
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const ended = (pid: number) => until(async () => (lives(pid) ? undefined : true), `process ${pid} has ended`)

/** Writes an address and returns it once the write is acknowledged. */
async function write({ url }: Program): Promise<string> {
  const EmailId = `${crypto.randomUUID()}@teachers.example`
  const { status } = await fetch(`${url}${emailVerify.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ EmailId }),
  })
  assert.equal(status, 200)
  return EmailId
}

async function killed(portal: Program): Promise<void> {
  portal.child.kill('SIGKILL')
  await portal.ended
}

async function stopped(portal: Program, signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<void> {
  portal.child.kill(signal)
  assert.equal(await portal.ended, 0, portal.printed.err)
}

async function beside<Result>(dataDir: string, act: (database: OpenedDatabase) => Promise<Result>) {
  const database = await openDatabase({ dataDir, beside: true, onError: assert.fail })
  try {
    return await act(database)
  } finally {
    await database.close()
  }
}

/** Returns how many of these addresses were saved. */
const countSaved = (dataDir: string, addresses: string[]) =>
  beside(
    dataDir,
    async ({ db }) =>
      (await db.selectFrom('tickets').select('email').where('email', 'in', addresses).execute()).length,
  )

describe('a data folder', () => {
  test('becomes a database of one process that keeps what was written, and a clean stop leaves no process', async () => {
    const dataDir = join(temporaryFolder('podium-new-'), 'data')
    const first = await startProgram(envOf(dataDir))
    const address = await write(first)
    const pid = pidOf(dataDir)
    assert.ok(lives(pid))
    await stopped(first, 'SIGINT')
    assert.equal(lives(pid), false)
    assert.equal(existsSync(join(folderOf(dataDir), 'postmaster.pid')), false)
    assert.deepEqual(
      readdirSync(dataDir).filter((name) => name.startsWith('postgres')),
      ['postgres'],
    )
    assert.equal(await countSaved(dataDir, [address]), 1)
  })

  test('is synced at each commit, and its role may change nothing in the cluster', async () => {
    const dataDir = await freshDataDir()
    const database = await openDatabase({ dataDir, onError: assert.fail })
    const { rows } = await database.pool.query(
      `select name, setting from pg_settings
       where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses') order by 1`,
    )
    assert.deepEqual(Object.fromEntries(valuesOf(rows, 'name', 'setting')), {
      ...{ fsync: 'on', full_page_writes: 'on', listen_addresses: '', synchronous_commit: 'on' },
    })
    await assert.rejects(database.pool.query("copy (select 1) to program 'true'"), /permission denied/)
    await database.close()
  })

  test('whose path is too long for a socket gets a short one, which is removed at the stop', async () => {
    const dataDir = join(temporaryFolder('podium-deep-'), 'x'.repeat(120))
    cpSync(await freshDataDir(), dataDir, { recursive: true })
    const portal = await startProgram(envOf(dataDir))
    const socket = readFileSync(join(folderOf(dataDir), 'postmaster.pid'), 'utf8').split('\n')[4] ?? ''
    assert.ok(socket.length < 100 && existsSync(socket), socket)
    await write(portal)
    // A command can use it too.
    assert.equal((await runCommand(['migrate'], envOf(dataDir))).code, 0)
    await stopped(portal)
    assert.equal(existsSync(socket), false)
  })

  test('of another version of PostgreSQL, or of PGlite, is refused with the way out', async () => {
    const dataDir = await freshDataDir()
    writeFileSync(join(folderOf(dataDir), 'PG_VERSION'), '17\n')
    const old = temporaryFolder('podium-pglite-')
    mkdirSync(join(old, 'database'))
    writeFileSync(join(old, 'database', 'PG_VERSION'), '18\n')
    const wayOut = /Make a backup with the version of Podium that made it .* into an empty DATA_DIR/
    for (const [folder, why] of [
      [dataDir, /is of PostgreSQL 17, and this version of Podium has PostgreSQL 18/],
      [old, /is an embedded database of an older kind/],
    ] as const) {
      const { code, err } = await runCommand([], envOf(folder))
      assert.equal(code, 1)
      assert.match(err, why)
      assert.match(err, wayOut)
      assert.equal(err.trimEnd().split('\n').length, 1)
      const checked = await runCommand(['check'], envOf(folder))
      assert.match(checked.out, /^WRONG {2}database /m)
    }
    assert.equal(existsSync(folderOf(old)), false)
  })

  test('moves to another place by a backup and a restore', async () => {
    const [from, to] = [await freshDataDir(), join(temporaryFolder('podium-to-'), 'data')]
    const portal = await startProgram(envOf(from))
    await write(portal)
    const invited = await runCommand(
      ['owner', 'invite', 'first@office.example', '--new', 'Tara'],
      envOf(from),
    )
    assert.equal(invited.code, 1)
    await beside(from, ({ db }) =>
      db
        .insertInto('staff')
        .values({ email: 'first@office.example', name: 'Tara', role: 'owner', created_at: new Date() })
        .execute(),
    )
    const saved = await runCommand(['backup'], envOf(from))
    assert.equal(saved.code, 0, saved.err)
    await stopped(portal)
    const [name = ''] = readdirSync(join(from, 'backups')).filter((file) => file.startsWith('podium-'))
    const file = join(from, 'backups', name)
    const restored = await runCommand(['restore', file], { ...envOf(to) })
    assert.ok([0, 3].includes(restored.code), restored.err)
    const restarted = await startProgram(envOf(to))
    const staff = await beside(to, ({ db }) => db.selectFrom('staff').select('email').execute())
    assert.deepEqual(staff, [{ email: 'first@office.example' }])
    await stopped(restarted)
  })

  test('half created by an interrupted start does not break the next start', async () => {
    const dataDir = temporaryFolder('podium-cut-')
    const ended = spawn('true')
    await once(ended, 'exit')
    mkdirSync(join(dataDir, `postgres.new-${ended.pid}`))
    writeFileSync(join(dataDir, `postgres.new-${ended.pid}`, 'PG_VERSION'), '18\n')
    const database = await openDatabase({ dataDir, durable: false, onError: assert.fail })
    await database.close()
    assert.deepEqual(readdirSync(dataDir), ['postgres'])
  })
})

describe('while a portal runs', () => {
  test('of two portals started at once on a new folder, one serves', async () => {
    const dataDir = join(temporaryFolder('podium-two-'), 'data')
    const both = await Promise.allSettled([startProgram(envOf(dataDir)), startProgram(envOf(dataDir))])
    const serving = both.filter((start) => start.status === 'fulfilled')
    assert.equal(
      serving.length,
      1,
      JSON.stringify(both.map((start) => start.status === 'rejected' && start.reason.message)),
    )
    for (const { value } of serving) {
      await write(value)
      await stopped(value)
    }
  })

  describe('one portal', () => {
    let dataDir: string
    let portal: Program
    before(async () => {
      dataDir = await freshDataDir()
      portal = await startProgram(envOf(dataDir))
    })

    const isReady = async () => ((await fetch(`${portal.url}/readyz`)).ok ? true : undefined)

    test('keeps its folder: a second start is refused in one line that names the folder, and changes nothing', async () => {
      const { code, err } = await runCommand([], envOf(dataDir))
      assert.equal(code, 1)
      assert.match(
        err,
        new RegExp(`^The data folder .* is in use by process ${portal.child.pid};[^\\n]*\\n$`),
      )
      await write(portal)
    })

    test('keeps its folder when a database process is killed and all connections end', async () => {
      const victim = await beside(dataDir, async ({ pool }) => {
        const { rows } = await pool.query<{ pid: number }>(
          "select pid from pg_stat_activity where backend_type = 'client backend' and application_name <> 'podium' limit 1",
        )
        return rows[0]?.pid ?? 0
      })
      process.kill(victim, 'SIGKILL')
      await ended(victim)
      await until(isReady, 'it is ready again')
      await write(portal)
      const pid = pidOf(dataDir)
      assert.match((await runCommand([], envOf(dataDir))).err, /is in use by process/)
      assert.equal(pidOf(dataDir), pid, 'the refused portal ended the database')
    })

    test('restarts its database when that is killed, and keeps everything acknowledged', async () => {
      const addresses = [await write(portal)]
      const pid = pidOf(dataDir)
      process.kill(pid, 'SIGKILL')
      await until(
        async () => ((await isReady()) && pidOf(dataDir) !== pid ? true : undefined),
        'the portal is ready again',
      )
      addresses.push(await write(portal))
      assert.equal(await countSaved(dataDir, addresses), 2)
      assert.match(
        portal.printed.out,
        /embedded database ended unexpectedly \(SIGKILL\); it is started again/,
      )
      assert.equal((await runCommand([], envOf(dataDir))).code, 1, 'a second portal started')
      await stopped(portal)
    })
  })
})

/** The tests share one folder, each continuing with the portal the previous one started. */
describe('a portal that is killed', () => {
  let dataDir: string
  let portal: Program
  before(async () => {
    dataDir = await freshDataDir()
    portal = await startProgram(envOf(dataDir))
  })

  test('stops its database too, and the next start has everything acknowledged', async () => {
    const addresses = [await write(portal), await write(portal)]
    const pid = pidOf(dataDir)
    await killed(portal)
    portal = await startProgram(envOf(dataDir))
    assert.notEqual(pidOf(dataDir), pid)
    assert.equal(await countSaved(dataDir, addresses), 2)
    await ended(pid)
  })

  test('but leaves its database running: the next start ends it first', async () => {
    const address = await write(portal)
    const pid = pidOf(dataDir)
    process.kill(watcherOf(pid), 'SIGKILL')
    await killed(portal)
    assert.ok(lives(pid), 'the watcher was killed, yet the database ended')
    // A command can use it.
    assert.equal((await runCommand(['migrate'], envOf(dataDir))).code, 0)
    portal = await startProgram(envOf(dataDir))
    assert.equal(lives(pid), false)
    assert.equal(await countSaved(dataDir, [address]), 1)
  })

  test('leaves no process id that another process may have by then', async () => {
    const file = join(folderOf(dataDir), 'postmaster.pid')
    const lines = readFileSync(file, 'utf8').split('\n')
    const pid = pidOf(dataDir)
    process.kill(watcherOf(pid), 'SIGKILL')
    await killed(portal)
    process.kill(pid, 'SIGKILL')
    await ended(pid)
    // As root, PostgreSQL runs as another user, who can't signal root's processes.
    const stranger = spawn('sleep', ['600'], { ...idsOf(folderOf(dataDir)) })
    try {
      writeFileSync(file, [stranger.pid, ...lines.slice(1)].join('\n'))
      await stopped(await startProgram(envOf(dataDir)))
      assert.equal(stranger.exitCode, null)
    } finally {
      stranger.kill()
    }
  })
})

/** Returns the shell process that ends a database when its portal is gone. */
function watcherOf(database: number): number {
  const pids = readdirSync('/proc').filter((name) => {
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      return words.includes('podium-database') && words.includes(String(database))
    } catch {
      return false
    }
  })
  assert.equal(pids.length, 1)
  return Number(pids[0])
}

const idsOf = (path: string) => {
  const { uid, gid } = statSync(path)
  return process.getuid?.() === 0 ? { uid, gid } : {}
}

describe('a start as root', { skip: process.getuid?.() !== 0 && 'needs root' }, () => {
  test('runs the database as another user, who owns its folder, even one copied by root', async () => {
    const dataDir = await freshDataDir()
    assert.equal(statSync(folderOf(dataDir)).uid, 0, 'the copy does not belong to root')
    const database = await openDatabase({ dataDir, onError: assert.fail })
    const uid = statSync(folderOf(dataDir)).uid
    assert.notEqual(uid, 0)
    assert.match(
      readFileSync(`/proc/${pidOf(dataDir)}/status`, 'utf8'),
      new RegExp(`^Uid:\\s+${uid}\\s+${uid}\\s`, 'm'),
    )
    await database.pool.query('select from students')
    await database.close()
  })

  test('skips a folder that this user cannot enter', async () => {
    const above = temporaryFolder('podium-closed-')
    chmodSync(above, 0o700)
    const dataDir = join(above, 'data')
    cpSync(await freshDataDir(), dataDir, { recursive: true })
    const database = await openDatabase({ dataDir, onError: assert.fail })
    await database.pool.query('select from students')
    await database.close()
    assert.equal(statSync(above).mode & 0o777, 0o700)
  })
})
