import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { stopCodes } from './embedded.ts'

type Init = NodeFS['init']
type Module = Parameters<NonNullable<Parameters<Init>[1]['preRun']>[number]>[0]
type Stream = { nfd?: number }
/** What Emscripten's file system looks like from here; its typings leave `stream_ops` out. */
type NodeFiles = { stream_ops: { fsync?: (stream: Stream) => number } }

/**
 * PGlite's files in a folder, with the one thing added that makes a commit last: as shipped the file system
 * layer has no fsync, so that PostgreSQL's own call comes to nothing (docs/decisions/0002-durable-embedded-database.md).
 */
export class DurableFiles extends NodeFS {
  /** Calls of fsync that reached the disk since the start; a test counts them. */
  fsyncs = 0
  /** Without it no call reaches the disk: of a database that is thrown away, or forced there as a whole later. */
  sync = true

  override async init(...[database, options]: Parameters<Init>): ReturnType<Init> {
    return super.init(database, {
      ...options,
      preRun: [...(options.preRun ?? []), (module: Module) => this.#install(module)],
      // PostgreSQL's PANIC (its log can't be written, for one): what is in memory can't be trusted any more, and
      // PGlite would go on with it. The next start recovers from the log.
      onAbort: () => process.exit(stopCodes.panic),
    })
  }

  #install(module: Module): void {
    const nodeFiles = (module.FS.filesystems as unknown as { NODEFS: NodeFiles }).NODEFS
    nodeFiles.stream_ops.fsync = (stream) => {
      if (!this.sync) return 0
      try {
        if (stream.nfd === undefined) throw new Error('no file is open')
        fsyncSync(stream.nfd)
      } catch {
        // After a failed fsync nobody knows what is on the disk, and a second try may lie that all is well.
        process.exit(stopCodes.diskRefused)
      }
      this.fsyncs += 1
      return 0
    }
  }
}

/** Forces a folder with all below it to the disk: files first, each folder after what it holds. */
export function syncFolder(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncFolder(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncPath(folder)
}

/** Forces one file or folder to the disk. A folder can't be opened on Windows, and needs no such call there. */
export function syncPath(path: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
