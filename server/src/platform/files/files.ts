import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { tidy } from '@podium/contract/fields'
import { sql } from 'kysely'
import { addRow } from '#platform/db/rows'
import { type Markers, markersIn } from '../backup/backup-store.ts'
import type { Db, Tx } from '../db/database.ts'
import { StoreFault } from '../errors.ts'

/**
 * Stores file contents, each under its SHA-256; their names are in the table `files`. A store that can't be used throws
 * a StoreFault.
 */
export interface FileStore extends Markers {
  /** The operator's name for it: a folder's path, or the address of a bucket */
  readonly place: string
  /**
   * Writes a large file to disk as it arrives, outside the store; passes on the stream's errors. The caller removes it.
   */
  receive(stream: Readable): Promise<ReceivedFile>
  /**
   * Stores the content, safe against a power cut. The same content is stored once, and counts as new again for
   * `before`. A store may be slow: call this outside any transaction that someone waits for.
   */
  put(content: Buffer | ReceivedFile): Promise<StoredContent>
  /** Returns the content as it was stored. Throws {@link ContentMissing} if there is none. */
  read(sha256: string): Promise<Buffer>
  /** Provides it as a file on this machine, for reading in chunks; the file exists until `use` has ended. */
  withPath<Result>(sha256: string, use: (path: string) => Promise<Result>): Promise<Result>
  /** Lists hashes whose content was last stored before this instant. */
  before(instant: Date): AsyncIterable<string>
  remove(sha256: string): Promise<void>
}

export interface StoredContent {
  sha256: string
  /** How many bytes */
  size: number
}

/** A file on this machine that has not been accepted yet. */
export interface ReceivedFile extends StoredContent {
  path: string
}

/** The store has no content with this hash. */
export class ContentMissing extends Error {}

const hashPattern = /^[0-9a-f]{64}$/

export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Checks that a text is a hash before it becomes part of a path or name. */
export function hashed(sha256: string): string {
  if (!hashPattern.test(sha256)) throw new RangeError('not a hash')
  return sha256
}

/** In milliseconds; older files were left by a process that was killed. */
const aDay = 86_400_000

/** Writes a stream to the data folder; the caller removes the file. */
export async function receive(dataDir: string, stream: Readable): Promise<ReceivedFile> {
  const folder = join(dataDir, 'received')
  const path = join(folder, randomBytes(12).toString('hex'))
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(folder))
      await removeOlder(join(folder, name), new Date(Date.now() - aDay))
    const hash = createHash('sha256')
    let size = 0
    const counted = async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        hash.update(piece)
        size += piece.length
        yield piece
      }
    }
    await pipeline(stream, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    return { path, sha256: hash.digest('hex'), size }
  } catch (thrown) {
    await rm(path, { force: true })
    throw thrown === stream.errored ? thrown : faultOf(folder, thrown)
  }
}

/** Turns the error of a full, broken or read-only disk into a StoreFault. */
function faultOf(place: string, thrown: unknown): unknown {
  const { code = '', syscall } = thrown as NodeJS.ErrnoException
  // When asked to create parent folders too on a read-only mount, Node reports that the folder does not exist.
  const unmakeable = syscall === 'mkdir' && code === 'ENOENT'
  return unmakeable || /^(?:ENOSPC|EDQUOT|EFBIG|EROFS|EACCES|EPERM|EIO|ESTALE)$/.test(code)
    ? StoreFault.of(place, thrown)
    : thrown
}

/** Creates the store in `<root>/<aa>/<sha256>`; by default `files` in the data folder. */
export function createFileStore(dataDir: string, root = join(dataDir, 'files')): FileStore {
  const pathOf = (sha256: string) => join(root, hashed(sha256).slice(0, 2), sha256)
  return {
    place: root,
    receive: (stream) => receive(dataDir, stream),
    async put(content) {
      const stored = Buffer.isBuffer(content)
        ? { sha256: sha256Of(content), size: content.length }
        : { sha256: content.sha256, size: content.size }
      const path = pathOf(stored.sha256)
      const temporary = join(dirname(path), `.${stored.sha256}.${randomBytes(6).toString('hex')}`)
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await writeSynced(temporary, content)
        await rename(temporary, path)
        // Before a row refers to the file, the names must be on disk too: in its folder, and the folder's own in the
        // root.
        await syncFolder(dirname(path))
        await syncFolder(root)
        return stored
      } catch (thrown) {
        await rm(temporary, { force: true }).catch(() => undefined)
        throw faultOf(root, thrown)
      }
    },
    read: (sha256) =>
      readFile(pathOf(sha256)).catch((thrown: NodeJS.ErrnoException) => {
        throw thrown.code === 'ENOENT' ? new ContentMissing(sha256) : faultOf(root, thrown)
      }),
    withPath: (sha256, use) => use(pathOf(sha256)),
    async *before(instant) {
      for (const folder of await readdir(root).catch(() => [])) {
        if (!/^[0-9a-f]{2}$/.test(folder)) continue
        for (const name of await readdir(join(root, folder))) {
          const path = join(root, folder, name)
          // Left by a process that was killed while writing
          if (!hashPattern.test(name)) await removeOlder(path, instant)
          else if ((await stat(path)).mtime < instant) yield name
        }
      }
    },
    remove: (sha256) => rm(pathOf(sha256), { force: true }),
    ...markersIn(root),
  }
}

async function writeSynced(path: string, content: Buffer | ReceivedFile): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    if (Buffer.isBuffer(content)) await file.writeFile(content)
    else for await (const piece of createReadStream(content.path)) await file.writeFile(piece)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function removeOlder(path: string, instant: Date): Promise<void> {
  const stats = await stat(path).catch(() => undefined)
  if (stats && stats.mtime < instant) await rm(path, { force: true })
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

interface NewFile {
  /** The owner; absent for the foundation's own files. */
  schoolId?: number | undefined
  /** `payment-proof`, `receipt`, `import` … */
  kind: string
  name: string
  mediaType: string
  /** The content, or the store's result of storing it. */
  bytes: Buffer | StoredContent
  createdBy?: number | undefined
}

/** Returns a file name that is safe to show and save: no path, no control characters, at most 100 characters. */
export function safeName(name: string, otherwise = 'file'): string {
  const bare = tidy(name.split(/[\\/]/).at(-1) ?? '')
    .replace(/[<>:"|?*\n]/g, '_')
    .replace(/^\.+/, '')
  if (bare.length <= 100) return bare || otherwise
  const extension = /\.[a-zA-Z0-9]{1,8}$/.exec(bare)?.[0] ?? ''
  const start = [...bare].slice(0, 100 - extension.length).join('')
  // Ends between two words, unless most of it is one word
  const end = start.lastIndexOf(' ')
  return start.slice(0, end > 50 ? end : undefined).trimEnd() + extension
}

/**
 * Stores a file: first its content, then its row in this transaction, so that a row never refers to missing content.
 * Returns the file's id, 22 characters that can't be guessed. The content must have passed `acceptUpload` or be our
 * own.
 */
export async function storeFile(tx: Tx, files: FileStore, now: Date, file: NewFile): Promise<string> {
  const { sha256, size } = Buffer.isBuffer(file.bytes) ? await files.put(file.bytes) : file.bytes
  const id = randomBytes(16).toString('base64url')
  await addRow(tx, 'files', {
    id,
    school_id: file.schoolId,
    kind: file.kind,
    name: safeName(file.name),
    media_type: file.mediaType,
    bytes: size,
    sha256,
    created_by: file.createdBy,
    created_at: now,
  })
  return id
}

export interface StoredFile {
  id: string
  schoolId: number | null
  kind: string
  name: string
  mediaType: string
  sha256: string
  createdAt: Date
  content: Buffer
}

/**
 * Returns a stored file with its content; undefined if there is none. `filter` restricts it to a school or kind: another
 * school's file is not found, just like an unknown one.
 */
export async function readStored(
  db: Db | Tx,
  files: FileStore,
  id: string,
  filter: { schoolId?: number; kind?: string } = {},
): Promise<StoredFile | undefined> {
  let query = db
    .selectFrom('files')
    .select(['id', 'school_id', 'kind', 'name', 'media_type', 'bytes', 'sha256', 'created_by', 'created_at'])
    .where('id', '=', id)
  if (filter.schoolId !== undefined) query = query.where('school_id', '=', filter.schoolId)
  if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind)
  const row = await query.executeTakeFirst()
  if (!row) return undefined
  return {
    id: row.id,
    schoolId: row.school_id,
    kind: row.kind,
    name: row.name,
    mediaType: row.media_type,
    sha256: row.sha256,
    createdAt: row.created_at,
    content: await files.read(row.sha256),
  }
}

/**
 * Deletes contents that no row refers to: from transactions that were rolled back, and of rows erased since. Skips
 * contents younger than a day, whose row may still be coming. Returns how many were deleted.
 */
export async function sweepFiles(db: Db, files: FileStore, now: Date): Promise<number> {
  let removed = 0
  for await (const sha256 of files.before(new Date(now.getTime() - aDay)))
    removed += await dropContents(db, files, [sha256])
  return removed
}

/**
 * Deletes those contents that no row refers to any more; one that can't be deleted is left to the nightly sweep.
 * Returns how many were deleted.
 */
async function dropContents(db: Db, files: FileStore, hashes: readonly string[]): Promise<number> {
  let removed = 0
  for (const sha256 of hashes) {
    const row = await db.selectFrom('files').select('id').where('sha256', '=', sha256).executeTakeFirst()
    if (row) continue
    const deleted = await files.remove(sha256).then(
      () => 1,
      () => 0,
    )
    removed += deleted
  }
  return removed
}

/**
 * Deletes files of a kind that are over a day old and can no longer be downloaded, including their contents: many hold
 * students' names or codes.
 */
export async function dropDayOld(db: Db, files: FileStore, kind: string, now: Date): Promise<void> {
  const { rows } = await sql<{ sha256: string }>`
    delete from files where kind = ${kind} and created_at < ${new Date(now.getTime() - aDay)}::timestamptz
    returning sha256`.execute(db)
  await dropContents(
    db,
    files,
    rows.map(({ sha256 }) => sha256),
  )
}
