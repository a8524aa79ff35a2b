import { randomUUID } from 'node:crypto'
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Who holds the folder: the process that has the files open, and the server it works for. */
type Owner = { pid: number; start: string; serverPid: number; serverStart: string }

const lockName = /^database\.lock\.(\d+)$/

/**
 * When a process began, so that a number given anew to another process is not taken for the old one.
 * Linux only: elsewhere empty, and then a living process of that number counts as the owner.
 */
export function startOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // The second field is the program's name in brackets and may hold blanks; the start is the 20th after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()?.split(' ') ?? []
    return `${boot}/${fields[19] ?? ''}`
  } catch {
    return ''
  }
}

function isAlive(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it lives, under another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  const now = startOf(pid)
  return start === '' || now === '' || start === now
}

/** The folder is in use; `message` is one line for the person at the console. */
export class FolderInUse extends Error {
  /** The server is gone and its database process is closing the files: worth a short wait. */
  readonly ending: boolean

  constructor(folder: string, owner: Owner) {
    super(
      `The data folder ${folder} is in use by process ${owner.serverPid}; stop it first, or choose another DATA_DIR.`,
    )
    this.name = 'FolderInUse'
    this.ending = !isAlive(owner.serverPid, owner.serverStart)
  }
}

/**
 * Makes this process the owner of the folder, and gives back the release; throws {@link FolderInUse}.
 *
 * The lock is a numbered file and the highest number counts. Taking over is creating the next number, which only
 * one of several can do (`link` fails on an existing name); nobody removes the highest file, so none of them can
 * remove a lock that another has just taken. An owner that died leaves its file: it is recognised by number and
 * start of its process.
 */
export function lockFolder(folder: string, serverPid: number): () => void {
  const owner: Owner = {
    pid: process.pid,
    start: startOf(process.pid),
    serverPid,
    serverStart: startOf(serverPid),
  }
  const draft = join(folder, `.database.lock.${randomUUID()}`)
  writeFileSync(draft, JSON.stringify(owner), { mode: 0o600 })
  try {
    for (;;) {
      const highest = numbers(folder).at(-1) ?? 0
      const holder = highest === 0 ? undefined : readOwner(join(folder, `database.lock.${highest}`))
      if (holder && isAlive(holder.pid, holder.start)) throw new FolderInUse(folder, holder)
      const mine = highest + 1
      const path = join(folder, `database.lock.${mine}`)
      if (!tryLink(draft, path)) continue
      const now = numbers(folder)
      if (now.at(-1) !== mine) {
        rmSync(path, { force: true })
        continue
      }
      for (const lower of now)
        if (lower < mine) rmSync(join(folder, `database.lock.${lower}`), { force: true })
      return () => release(path)
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Emptied, not removed: see {@link lockFolder}. */
function release(path: string): void {
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, '{}', { mode: 0o600 })
  renameSync(draft, path)
}

function numbers(folder: string): number[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const digits = lockName.exec(name)?.[1]
      return digits === undefined ? [] : [Number(digits)]
    })
    .sort((a, b) => a - b)
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function readOwner(path: string): Owner | undefined {
  try {
    const owner: Partial<Owner> = JSON.parse(readFileSync(path, 'utf8'))
    const { pid, start, serverPid, serverStart } = owner
    if (typeof pid !== 'number' || typeof serverPid !== 'number') return undefined
    return { pid, start: start ?? '', serverPid, serverStart: serverStart ?? '' }
  } catch {
    return undefined
  }
}
