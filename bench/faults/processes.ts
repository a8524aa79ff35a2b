// The programs of a run: started, restarted when they end, killed, and all ended at its end.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findInPath, isExecutable, Missing } from '../../scripts/machine.ts'
import { unprivileged } from '../../server/src/platform/db/embedded-folder.ts'

/** The user for programs that refuse to run as root; undefined if we are not root. */
export const unprivilegedUser = unprivileged()

/** Logs, data, configurations. Deleted at the end of a run, unless it failed. */
export const folder = mkdtempSync(join(tmpdir(), 'podium-faults-'))
if (unprivilegedUser) chownSync(folder, unprivilegedUser.uid, unprivilegedUser.gid)

/** All folders that a run leaves. */
export const foldersOfRun = [folder]

/** Returns a folder of this run that the servant may write to. */
export function place(name: string): string {
  const path = join(folder, name)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (unprivilegedUser) chownSync(path, unprivilegedUser.uid, unprivilegedUser.gid)
  return path
}

/**
 * Finds the programs needed besides Node, each with its Debian package; throws Missing with the command to install the
 * missing ones.
 */
export function findPrograms() {
  const programs = [
    ['haproxy', 'haproxy'],
    ['patroni', 'patroni'],
    ['etcd', 'etcd-server'],
    ['pgbouncer', 'pgbouncer'],
  ] as const
  const located = programs.map(([name, debian]) => {
    const usual = `/usr/sbin/${name}`
    return { name, debian, path: isExecutable(usual) ? usual : findInPath(name) }
  })
  const versions = [18, 17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin`)
  const postgres = versions.find((bin) => isExecutable(join(bin, 'postgres')))
  const lacking: string[] = located.flatMap(({ debian, path }) => (path ? [] : [debian]))
  if (!postgres) lacking.push('postgresql')
  if (lacking.length > 0 || !postgres)
    throw new Missing(
      `This machine lacks ${lacking.join(', ')}. On Debian: sudo apt-get install -y --no-install-recommends ${lacking.join(' ')}`,
    )
  const path = (name: string) => located.find((program) => program.name === name)?.path ?? name
  return {
    haproxy: path('haproxy'),
    patroni: path('patroni'),
    etcd: path('etcd'),
    pgbouncer: path('pgbouncer'),
    postgres,
  }
}

export interface Program {
  name: string
  /** Kills it as a power cut would; it is restarted after `pause` ms. */
  kill(pause?: number): void
  /** Sends SIGTERM, and restarts it when it has ended by itself. */
  restart(): Promise<void>
  log(): string
}

interface StartCommand {
  name: string
  command: string
  args: string[]
  env?: Record<string, string>
  /** The user it runs as; root's own programs run as root */
  as?: typeof unprivilegedUser
}

const running = new Set<ChildProcess>()
let ending = false

/** Starts a program, and restarts it a second after it has ended, until the run ends. */
export function keepRunning(name: string, start: () => StartCommand): Program {
  const log = join(folder, `${name}.log`)
  let child: ChildProcess | undefined
  let pause = 1_000
  const begin = () => {
    if (ending) return
    const { command, args, env, as } = start()
    const out = openSync(log, 'a')
    const started = spawn(command, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...env },
      stdio: ['ignore', out, out],
      ...as,
    })
    closeSync(out)
    child = started
    running.add(started)
    started.once('exit', () => {
      running.delete(started)
      setTimeout(begin, pause)
      pause = 1_000
    })
  }
  begin()
  return {
    name,
    kill(wait = 1_000) {
      pause = wait
      child?.kill('SIGKILL')
    },
    async restart() {
      const stopping = child
      if (!stopping) return
      pause = 0
      const ended = once(stopping, 'exit')
      stopping.kill('SIGTERM')
      await ended
    },
    log: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
  }
}

/** Other processes of this run, by id: PostgreSQL, which Patroni leaves behind. */
export const alsoEnds: Array<() => number[]> = []

/** Ends everything at once; also deletes the files of a successful run. Safe to call more than once. */
export function endAll(keep: boolean): void {
  ending = true
  for (const child of running) child.kill('SIGKILL')
  for (const pids of alsoEnds) for (const pid of pids()) killHard(pid)
  for (const path of foldersOfRun)
    if (!keep || path !== folder) rmSync(path, { recursive: true, force: true, maxRetries: 5 })
}

export function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** Returns the ids of a process and all its descendants, itself first. */
export function familyOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return [
    pid,
    ...stdout
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0),
  ]
}

/** Polls until there is an answer; throws after this many seconds. */
export async function until<Found>(
  what: string,
  ask: () => Promise<Found | undefined>,
  seconds = 120,
): Promise<Found> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const answer = await ask().catch(() => undefined)
    if (answer !== undefined) return answer
    if (Date.now() > end) throw new Error(`not within ${seconds} s: ${what}`)
    await sleep(100)
  }
}
