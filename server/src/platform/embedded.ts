import { type ChildProcess, fork } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** What the server says to its database process, and what it hears. */
export type ToDatabase =
  | {
      kind: 'open'
      dataDir: string
      listen: { path: string } | { host: string; port: number }
      idleInTransaction: number
      sync: Sync
    }
  | { kind: 'close' }
  | { kind: 'keep' }
  | { kind: 'count fsyncs' }
export type FromDatabase =
  | { kind: 'ready'; port: number }
  | { kind: 'failed'; message: string }
  | { kind: 'fsyncs'; count: number }
  | { kind: 'kept' }
  | { kind: 'closed' }

/**
 * When the database forces to the disk what it has written: with each commit; a folder that this start has made only
 * when it is kept, and until then it is made anew by the next start; or never, for a database that is thrown away.
 */
export type Sync = 'each' | 'kept' | 'never'

export type Embedded = {
  /** Where `pg` finds it: a folder with the socket, or loopback on Windows. */
  host: string
  port: number
  /** The process that has the files open. */
  pid: number
  /** How many fsyncs reached the disk since the start. */
  fsyncs(): Promise<number>
  /** Forces a folder that was made by this start to the disk; from here on each commit is. Else it has nothing to do. */
  keep(): Promise<void>
  /** Ends what runs, closes the files and the process. */
  close(): Promise<void>
}

/** Exit codes of the database's process when it must stop at once. */
export const stopCodes = { diskRefused: 70, panic: 71 } as const

const socketPort = 5432
/** `sun_path` holds 108 bytes on Linux and 104 elsewhere, the closing zero included. */
const longestSocketPath = process.platform === 'linux' ? 107 : 103
const closeWithin = 15_000

/**
 * Opens the embedded database of `dataDir` in a process of its own and waits until it answers. Throws with one
 * clear line when the folder is in use or can't be opened; `onEnd` is called if the process ends unasked later.
 */
export async function startEmbedded(options: {
  dataDir: string
  /** After how many idle milliseconds a transaction is rolled back and its connection ended. */
  idleInTransaction: number
  /** Default: with each commit */
  sync?: Sync | undefined
  onEnd: (error: Error) => void
}): Promise<Embedded> {
  const dataDir = resolve(options.dataDir)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const socket = socketFolder(dataDir)
  const child = fork(new URL('./embedded-process.ts', import.meta.url), [], {
    // Neither the settings (secrets) nor the switches of the server are meant for it.
    env: { TMPDIR: tmpdir(), TZ: 'UTC', ...compileCache() },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // A process that ends while it is spoken to: its end is told by 'exit', the broken pipe says nothing more.
  child.on('error', () => undefined)
  const send = (message: ToDatabase) => child.send(message, () => undefined)
  send({
    kind: 'open',
    dataDir,
    idleInTransaction: options.idleInTransaction,
    sync: options.sync ?? 'each',
    listen: socket ? { path: join(socket.folder, `.s.PGSQL.${socketPort}`) } : { host: '127.0.0.1', port: 0 },
  })
  const cleanUp = () => {
    if (socket) rmSync(socket.folder, { recursive: true, force: true })
  }
  const ready = await answer(child, 'ready').catch((error: Error) => {
    if (socket?.temporary) cleanUp()
    throw error
  })

  let closing: Promise<void> | undefined
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  child.once('exit', (code, signal) => {
    if (closing !== undefined) return
    cleanUp()
    options.onEnd(new Error(`The embedded database ended unexpectedly (${reasonOf(code, signal)}).`))
  })
  // Nothing of it keeps a program alive that is done: it ends when its server ends.
  child.unref()
  child.channel?.unref()
  async function ask<Kind extends FromDatabase['kind']>(question: ToDatabase, kind: Kind) {
    child.channel?.ref()
    const answered = answer(child, kind)
    send(question)
    return answered.finally(() => child.channel?.unref())
  }

  return {
    host: socket ? socket.folder : '127.0.0.1',
    port: socket ? socketPort : ready.port,
    pid: child.pid ?? 0,
    fsyncs: async () => (await ask({ kind: 'count fsyncs' }, 'fsyncs')).count,
    keep: async () => void (await ask({ kind: 'keep' }, 'kept')),
    close() {
      closing ??= (async () => {
        child.ref()
        const late = setTimeout(() => child.kill('SIGKILL'), closeWithin)
        if (child.connected) send({ kind: 'close' })
        await ended
        clearTimeout(late)
        cleanUp()
      })()
      return closing
    },
  }
}

/** The cache of compiled code that this process uses, for its child; the folder's own name is of one version of Node. */
function compileCache(): { NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/** A folder only this user can enter; the temporary one when the data folder's path is too long for a socket. */
function socketFolder(dataDir: string): { folder: string; temporary: boolean } | undefined {
  if (process.platform === 'win32') return undefined
  const folder = join(dataDir, 'database-socket')
  const fits = Buffer.byteLength(join(folder, `.s.PGSQL.${socketPort}`)) <= longestSocketPath
  if (!fits) return { folder: mkdtempSync(join(tmpdir(), 'podium-')), temporary: true }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  return { folder, temporary: false }
}

function reasonOf(code: number | null, signal: string | null): string {
  if (code === stopCodes.diskRefused) return 'the disk refused to keep a write'
  if (code === stopCodes.panic) return 'PostgreSQL panicked, as it does when the disk is full'
  return signal ?? `code ${code}`
}

/** The embedded database can't be opened; `message` is one line for the person at the console. */
export class DatabaseRefused extends Error {
  override name = 'DatabaseRefused'
}

/** Waits for one kind of answer; a failure told or an end of the process is thrown. */
function answer<Kind extends FromDatabase['kind']>(
  child: ChildProcess,
  kind: Kind,
): Promise<Extract<FromDatabase, { kind: Kind }>> {
  return new Promise((done, fail) => {
    const settle = (act: () => void) => {
      child.off('message', heard)
      child.off('exit', exited)
      act()
    }
    const heard = (message: FromDatabase) => {
      if (isKind(message, kind)) settle(() => done(message))
      else if (message.kind === 'failed') settle(() => fail(new DatabaseRefused(message.message)))
    }
    const exited = (code: number | null, signal: string | null) =>
      settle(() =>
        fail(new DatabaseRefused(`The embedded database did not start (${reasonOf(code, signal)}).`)),
      )
    child.on('message', heard)
    child.on('exit', exited)
  })
}

function isKind<Kind extends FromDatabase['kind']>(
  message: FromDatabase,
  kind: Kind,
): message is Extract<FromDatabase, { kind: Kind }> {
  return message.kind === kind
}
