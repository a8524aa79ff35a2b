// The process of the embedded database: opens the folder, serves it on a socket, and ends with its server.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Server, Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import type { FromDatabase, ToDatabase } from './embedded.ts'
import { DurableFiles, syncFolder, syncPath } from './embedded-files.ts'
import { FolderInUse, lockFolder } from './embedded-lock.ts'
import { SharedSession } from './embedded-session.ts'
import { serveSession } from './embedded-wire.ts'

const startParams = [
  // '-F' of the defaults turns fsync off: it must go.
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync', '-c', 'full_page_writes=on'],
  ...['-c', 'synchronous_commit=on', '-c', 'timezone=UTC'],
  // The default of 128 MB is a third of what the whole server may take; the system's own cache stands behind it.
  ...['-c', 'shared_buffers=32MB'],
]

async function openFolder(folder: string, sync = true): Promise<{ database: PGlite; files: DurableFiles }> {
  const files = new DurableFiles(folder)
  files.sync = sync
  const database = await PGlite.create({ fs: files, startParams })
  return { database, files }
}

/**
 * Makes a new database beside its place and moves it there when it is whole and on the disk, so that a start
 * that is cut off leaves no half-made folder which no later start could open. In a process of its own, since
 * making one takes 300 MB that would never be given back.
 */
async function createFolder(folder: string, sync: boolean): Promise<void> {
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  const maker = fork(import.meta.filename, [draft], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const [code] = await once(maker, 'exit')
  if (code !== 0) throw new Error(`The embedded database in ${folder} can't be made. Is the disk full?`)
  if (sync) syncFolder(draft)
  renameSync(draft, folder)
  if (sync) syncPath(dirname(folder))
}

/** Takes the folder; waits a little while the database process of a killed server closes its files. */
async function ownFolder(dataDir: string): Promise<() => void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return lockFolder(dataDir, process.ppid)
    } catch (error) {
      if (!(error instanceof FolderInUse && error.ending) || tries >= 100) throw error
      await wait(100)
    }
  }
}

/** Stands beside a folder that is not on the disk as a whole yet: nobody was told of anything in it. */
const unkeptMark = (folder: string) => `${folder}.unkept`

/** Makes the folder where there is none, or one that was never kept. Answers whether it is to be kept later. */
async function prepareFolder(folder: string, { sync }: Opening): Promise<boolean> {
  const mark = unkeptMark(folder)
  if (existsSync(mark)) rmSync(folder, { recursive: true, force: true })
  else if (existsSync(folder)) return false
  if (sync === 'kept') {
    writeFileSync(mark, '')
    syncPath(mark)
    syncPath(dirname(mark))
  }
  await createFolder(folder, sync === 'each')
  if (sync === 'kept') return true
  removeMark(mark)
  return false
}

function removeMark(mark: string): void {
  rmSync(mark, { force: true })
  syncPath(dirname(mark))
}

function tell(message: FromDatabase): void {
  if (process.connected) process.send?.(message)
}

type Opening = Extract<ToDatabase, { kind: 'open' }>

async function run(order: Opening): Promise<void> {
  const release = await ownFolder(order.dataDir)
  const folder = join(order.dataDir, 'database')
  let unkept = await prepareFolder(folder, order)
  const { database, files } = await openFolder(folder, order.sync !== 'never' && !unkept).catch(
    (cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause)
      const hint = 'Is the disk full? The data is not lost by that: make room and start again.'
      throw new Error(`The embedded database in ${folder} can't be opened: ${reason}. ${hint}`)
    },
  )
  const { listen } = order
  if ('path' in listen) rmSync(listen.path, { force: true })
  const server = serveSession(new SharedSession(database, order.idleInTransaction))
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((done, fail) => server.once('error', fail).listen(listen, done))

  let closing = false
  async function close(): Promise<void> {
    if (closing) return
    closing = true
    server.close()
    for (const socket of sockets) socket.destroy()
    await database.close()
    release()
    tell({ kind: 'closed' })
    process.exit(0)
  }
  /** Between two statements, for all that follows is synchronous: what is written is forced to the disk, then the mark goes. */
  function keep(): void {
    if (unkept) {
      syncFolder(folder)
      removeMark(unkeptMark(folder))
      files.sync = true
      unkept = false
    }
    tell({ kind: 'kept' })
  }
  process.on('message', (message: ToDatabase) => {
    if (message.kind === 'close') void close()
    if (message.kind === 'keep') keep()
    if (message.kind === 'count fsyncs') tell({ kind: 'fsyncs', count: files.fsyncs })
  })
  process.on('disconnect', () => void close())
  if (!process.connected) return close()
  tell({ kind: 'ready', port: 'path' in listen ? 0 : portOf(server) })
}

function portOf(server: Server): number {
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  const gone = () => process.exit(1)
  if (process.connected) process.send?.({ kind: 'failed', message } satisfies FromDatabase, gone)
  else gone()
}

// Ctrl-C and a service manager's SIGTERM reach every process of the group; the server still needs its database to
// finish what it has. It says when, and if it dies instead the channel closes.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)
process.on('disconnect', () => {
  // Before the database is open there is nothing to close; run() looks again when it is.
})
const draft = process.argv[2]
if (draft === undefined) {
  process.once('message', (message: ToDatabase) => {
    if (message.kind === 'open') run(message).catch(fail)
  })
} else {
  openFolder(draft)
    .then(({ database }) => database.close())
    .then(() => process.exit(0), fail)
}
