import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../http/source.ts'
import { DatabaseRefused } from './database-fault.ts'
import { type Cluster, environment, isAlive, lastPostgresError, prepareCluster } from './embedded-folder.ts'

export interface Embedded {
  /** Its address, with the role that owns the database. Stays the same when the database is restarted. */
  url: string
  /** The same with the cluster's superuser, whose database is `postgres`. */
  adminUrl: string
  /** Ends connections and the server process; does nothing to a database that another process started. */
  close(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  /** Uses the database even if another process has it, as the commands run beside the portal do. */
  beside?: boolean | undefined
  /** Whether commits wait for the disk, default yes; false for a throw-away database. */
  durable?: boolean | undefined
  /** Listens on loopback, as on Windows, instead of a socket in its folder. */
  loopback?: boolean | undefined
  /** More PostgreSQL settings, as `name=value`. */
  settings?: readonly string[]
  /** The server process ended by itself: it is being restarted or, if fatal, could not be. */
  onError: (error: Error, fatal: boolean) => void
}

/** Small: the system's cache backs it, and the portal is its only client. */
const settings = [
  ...['shared_buffers=32MB', 'max_connections=40', 'max_wal_size=256MB', 'min_wal_size=32MB'],
  // Nothing replicates its log, and a local disk needs no I/O helper processes.
  ...['wal_level=minimal', 'max_wal_senders=0', 'io_method=sync', 'autovacuum_worker_slots=3'],
  ...['max_worker_processes=2', 'max_parallel_workers=2', 'max_parallel_workers_per_gather=1'],
  ...['huge_pages=off', 'jit=off', 'timezone=UTC', 'log_timezone=UTC'],
  // Statements contain personal data: none may get into a log.
  ...['log_min_messages=fatal', 'log_min_error_statement=panic', 'log_line_prefix=', 'lc_messages=C'],
  ...['unix_socket_permissions=0700', 'restart_after_crash=on'],
]
const durableSettings = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on']
const throwawaySettings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off']

const socketPort = 5432
/** `sun_path` holds 108 bytes on Linux and 104 elsewhere, the closing zero included. */
const longestSocketPath = process.platform === 'linux' ? 107 : 103
/** Time limit in milliseconds for an abandoned database to end, and for this one to close. */
const endsWithin = 30_000
/** After this many runs in a row that each end within `after` milliseconds, it is not restarted. */
const tooSoon = { after: 10_000, times: 3 }
/** A number no other advisory lock in this database uses: 'PODA' in ASCII. */
const ownerLock = 0x50_4f_44_41

declare module 'pg' {
  interface Client {
    /** Lets the process exit while this connection is open; missing from the typings. */
    unref(): void
  }
}

interface ServerAddress {
  host: string
  port: number
}

interface Postmaster extends ServerAddress {
  pid: number
}

interface RunningServer {
  child: ChildProcess
  /** Holds the lock that marks which process has the database. */
  owner: pg.Client
}

/**
 * Starts the embedded database of `dataDir` and waits until it answers. It listens on a socket in its own folder, or on
 * loopback on Windows, and ends together with this process, even if that crashes. Throws {@link DatabaseRefused} with
 * one clear line if another process has it or it can't be opened.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { onError, beside = false, durable = true } = options
  const dataDir = resolve(options.dataDir)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const cluster = prepareCluster(dataDir, durable)
  const { folder } = cluster
  const place = await placeFor(cluster, options)
  const given = [...settings, ...(durable ? durableSettings : throwawaySettings), ...(options.settings ?? [])]
  let closing: Promise<void> | undefined
  let shortLives = 0

  /** Waits until it runs and is ours; undefined if it belongs to another process and `beside` allows that. */
  async function open(): Promise<RunningServer | undefined> {
    for (const until = performance.now() + endsWithin; ; await wait(50)) {
      const there = postmasterOf(folder)
      const found = there ? await tryConnect(cluster, there) : 'nobody'
      let holder = 0
      if (found === 'nobody') {
        if (there && isAlive(there.pid)) removeStale(folder, there)
        else {
          const begun = await startPostgres(cluster, place, given)
          if (begun) return begun
        }
      } else if (found !== 'not yet' && there) {
        if (beside) return void (await found.end())
        const taken = await claim(found)
        if (taken === 'ours') await endAbandoned(cluster, there, found)
        else await found.end()
        holder = taken === 'ours' ? 0 : taken
      }
      if ((holder > 0 && isAlive(holder)) || performance.now() > until)
        throw new DatabaseRefused(
          `The data folder ${dataDir} is in use by process ${holder || there?.pid}; stop it first, or choose another DATA_DIR.`,
        )
    }
  }

  /** Restarts the database if it ends by itself. */
  function watch(running: RunningServer): RunningServer {
    const began = performance.now()
    running.child.once('exit', (code, signal) => {
      if (closing !== undefined) return
      const how = `The embedded database ended unexpectedly (${signal ?? `code ${code}`})`
      shortLives = performance.now() - began < tooSoon.after ? shortLives + 1 : 0
      if (shortLives === tooSoon.times) return onError(new Error(`${how}.`), true)
      onError(new Error(`${how}; it is started again.`), false)
      opened = open().then((again) => again && watch(again))
      opened.catch((error: Error) => onError(error, true))
    })
    running.child.stderr?.on('data', (text: string) => {
      if (text.includes('PANIC')) onError(new Error(lastPostgresError(text)), false)
    })
    hold(running)
    return running
  }

  /**
   * Reclaims the lock: when a PostgreSQL process is killed, all connections end, and the lock with them, but the server
   * goes on.
   */
  function hold(running: RunningServer): void {
    running.owner.once('end', async () => {
      while (closing === undefined && isRunning(running.child)) {
        const found = await tryConnect(cluster, place).catch(() => 'not yet' as const)
        if (typeof found === 'string') await wait(50)
        else if ((await claim(found)) !== 'ours') {
          await found.end()
          return onError(new DatabaseRefused(`Another process has taken ${folder}.`), true)
        } else {
          found.unref()
          running.owner = found
          return hold(running)
        }
      }
    })
  }

  let opened = open()
  const first = await opened.catch((error: unknown) => {
    place.remove()
    throw error
  })
  if (first) opened = Promise.resolve(watch(first))
  const { host, port } = (first ? place : postmasterOf(folder)) ?? place
  return {
    url: urlOf(cluster, { host, port }, 'podium'),
    adminUrl: urlOf(cluster, { host, port }, 'postgres'),
    close() {
      closing ??= opened
        .catch(() => undefined)
        .then((running) => running && end(cluster, running))
        .finally(place.remove)
      return closing
    },
  }
}

/** Returns where it listens: a socket in the database's folder, or in a temporary one if that path is too long. */
async function placeFor(
  { folder, user }: Cluster,
  { loopback = process.platform === 'win32' }: EmbeddedOptions,
): Promise<ServerAddress & { remove(): void }> {
  if (loopback) return { host: '127.0.0.1', port: await freePort(), remove() {} }
  const fits = (host: string) => Buffer.byteLength(join(host, `.s.PGSQL.${socketPort}`)) <= longestSocketPath
  if (fits(folder)) return { host: folder, port: socketPort, remove() {} }
  const inTmp = join(tmpdir(), 'podium-')
  const host = mkdtempSync(fits(`${inTmp}123456`) ? inTmp : '/tmp/podium-')
  if (user) chownSync(host, user.uid, user.gid)
  return { host, port: socketPort, remove: () => rmSync(host, { recursive: true, force: true }) }
}

type Role = 'podium' | 'postgres'

/** Each of the two roles has a database with its name. */
function urlOf({ password }: Cluster, { host, port }: ServerAddress, role: Role, database = role): string {
  if (!host.startsWith('/')) return `postgres://${role}:${password}@${host}:${port}/${database}`
  const socket = new URLSearchParams({ host, port: String(port) })
  return `postgres://${role}:${password}@localhost/${database}?${socket}`
}

/** Reads PostgreSQL's note on the process that has the folder, or had it before it was killed. */
function postmasterOf(folder: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
    const [pid, , , port, socket, address] = lines.map((line) => line.trim())
    return { pid: Math.abs(Number(pid)), host: socket || address || '', port: Number(port) }
  } catch {
    return undefined
  }
}

/** Connects; or says that nothing is listening, or that the server is still starting or stopping. */
async function tryConnect(cluster: Cluster, place: ServerAddress): Promise<pg.Client | 'nobody' | 'not yet'> {
  const client = new pg.Client({
    // Not the portal's own database: a query of its connections must find only the portal.
    connectionString: urlOf(cluster, place, 'podium', 'postgres'),
    application_name: `podium ${process.pid}`,
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ECONNREFUSED' || code === 'ENOENT') return 'nobody'
    if (code === undefined || code === '57P03' || code === 'ECONNRESET') return 'not yet'
    throw error
  }
}

/**
 * Claims the database for this process while the connection lives; or returns the process that has it, 0 if that just
 * ended.
 */
async function claim(client: pg.Client): Promise<'ours' | number> {
  const taken = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [ownerLock])
  if (taken.rows[0]?.ours) return 'ours'
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and classid = 0 and objid = $1`,
    [ownerLock],
  )
  return Number(rows[0]?.name.split(' ')[1] ?? 0)
}

/** Starts PostgreSQL; undefined if another start was faster, or a killed server has not quite ended. */
async function startPostgres(
  cluster: Cluster,
  place: ServerAddress,
  given: readonly string[],
): Promise<RunningServer | undefined> {
  const { folder, programs, start } = cluster
  const socket = place.host.startsWith('/')
  const listen = [
    `listen_addresses=${socket ? '' : place.host}`,
    `unix_socket_directories=${socket ? place.host : ''}`,
    `port=${place.port}`,
  ]
  const [command = '', ...before] = [...start.before, programs.postgres]
  const child = spawn(
    command,
    [...before, '-D', folder, ...[...given, ...listen].flatMap((item) => ['-c', item])],
    {
      ...{ cwd: folder, env: environment, stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true },
      // Ctrl-C reaches all processes of a group; the portal still needs its database to finish its work.
      detached: true,
      ...start.options,
    },
  )
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-10_000)
  })
  const over = new Promise<true>((ended) => {
    child.once('error', (error) => {
      output += error.message
      ended(true)
    })
    child.once('close', () => ended(true))
  })
  while (!(await Promise.race([over, wait(20, false)]))) {
    const there = postmasterOf(folder)
    const owner = there?.pid === child.pid ? await tryConnect(cluster, place) : 'not yet'
    if (typeof owner === 'string') continue
    if ((await claim(owner)) === 'ours') return detach(child, owner)
    // Another start mistakes it for an abandoned one and ends it.
    await owner.end()
    await over
    return undefined
  }
  if (/postmaster\.pid" already exists|pre-existing shared memory/.test(output)) return undefined
  throw new DatabaseRefused(
    `The embedded database in ${folder} can't be opened: ${lastPostgresError(output)}. Is the disk full? The data is not lost by that: make room and start again.`,
  )
}

const unrefStream = (stream: Readable | Writable | null) => {
  if (stream instanceof Socket) stream.unref()
}

/**
 * Lets the program exit while the database runs; a watcher ends the database when this process ends, even if it
 * crashes.
 */
function detach(child: ChildProcess, owner: pg.Client): RunningServer {
  child.unref()
  unrefStream(child.stderr)
  owner.unref()
  if (process.platform === 'win32') return { child, owner }
  const watcher = spawn('sh', ['-c', 'read -r _; kill -INT "$1"', 'podium-database', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watcher.unref()
  unrefStream(watcher.stdin)
  child.once('exit', () => watcher.kill('SIGKILL'))
  return { child, owner }
}

/** Ends a database whose portal was killed. It is not taken over: it may run another version's program. */
async function endAbandoned(cluster: Cluster, there: Postmaster, owner: pg.Client): Promise<void> {
  const gone = new Promise<void>((ended) => owner.once('end', () => ended()))
  interrupt(cluster, there.pid)
  await gone
}

/** Asks the server to stop without waiting for its clients. */
function interrupt({ folder, programs }: Cluster, pid: number): void {
  if (process.platform !== 'win32') process.kill(pid, 'SIGINT')
  else spawnSync(programs.pgCtl, ['stop', '-D', folder, '-m', 'fast'], { windowsHide: true })
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

async function end(cluster: Cluster, { child, owner }: RunningServer): Promise<void> {
  child.ref()
  const over = new Promise((ended) => child.once('exit', ended))
  await owner.end().catch(() => undefined)
  if (!isRunning(child)) return
  interrupt(cluster, child.pid ?? 0)
  const late = setTimeout(() => child.kill('SIGKILL'), endsWithin)
  await over
  clearTimeout(late)
}

/**
 * Removes a stale lock file. After a reboot, process ids are reused, in a container often the same ones, and PostgreSQL
 * refuses a folder whose last process seems to be alive. On Linux its command line tells.
 */
function removeStale(folder: string, { pid, host, port }: Postmaster): void {
  if (process.platform !== 'linux') return
  let words: string[] = []
  try {
    words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    // It has ended since.
  }
  if (words.includes(folder)) return
  for (const file of [join(folder, 'postmaster.pid'), join(host, `.s.PGSQL.${port}.lock`)])
    rmSync(file, { force: true })
}
