import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { tidy } from '@podium/contract/fields'
import type { Db, Tx } from './database.ts'

/** Contents of files in the data folder, each under its SHA-256; what they are called stands in the table `files`. */
export interface FileStore {
  /** Keeps the content, safe against a power cut, and answers its hash. The same content is kept once. */
  put(bytes: Buffer): Promise<string>
  /** The same of a stream, which is never whole in memory; passes on what the stream throws. */
  putStream(stream: Readable): Promise<KeptContent>
  /** Where the content lies, for those who read it in pieces. */
  path(sha256: string): string
  read(sha256: string): Promise<Buffer>
  /** Hashes whose content was written before this instant. */
  before(instant: Date): Promise<string[]>
  remove(sha256: string): Promise<void>
}

export interface KeptContent {
  sha256: string
  /** How many bytes */
  size: number
}

const hashPattern = /^[0-9a-f]{64}$/

/** The store in `<root>/<aa>/<sha256>`, `files` of the data folder unless another is named. */
export function createFileStore(dataDir: string, root = join(dataDir, 'files')): FileStore {
  const folderOf = (sha256: string) => {
    if (!hashPattern.test(sha256)) throw new RangeError('not a hash')
    return join(root, sha256.slice(0, 2))
  }
  return {
    async put(bytes) {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const folder = folderOf(sha256)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const temporary = join(folder, `.${sha256}.${randomBytes(6).toString('hex')}`)
      try {
        await writeSynced(temporary, bytes)
        await rename(temporary, join(folder, sha256))
      } catch (thrown) {
        await unlink(temporary).catch(() => undefined)
        throw thrown
      }
      // The names too must be on the disk before a row promises the file: this folder's, and its own in the root.
      await syncFolder(folder)
      await syncFolder(root)
      return sha256
    },
    async putStream(stream) {
      await mkdir(root, { recursive: true, mode: 0o700 })
      const temporary = join(root, `.${randomBytes(12).toString('hex')}`)
      try {
        const kept = await writeStream(temporary, stream)
        const folder = folderOf(kept.sha256)
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await rename(temporary, join(folder, kept.sha256))
        await syncFolder(folder)
        await syncFolder(root)
        return kept
      } catch (thrown) {
        await unlink(temporary).catch(() => undefined)
        throw thrown
      }
    },
    path: (sha256) => join(folderOf(sha256), sha256),
    read: (sha256) => readFile(join(folderOf(sha256), sha256)),
    async before(instant) {
      const old: string[] = []
      for (const folder of await readdir(root).catch(() => [])) {
        // Of an upload that broke off
        if (folder.startsWith('.')) {
          await removeOlder(join(root, folder), instant)
          continue
        }
        for (const name of await readdir(join(root, folder))) {
          const { mtime } = await stat(join(root, folder, name))
          if (mtime < instant && hashPattern.test(name)) old.push(name)
        }
      }
      return old
    },
    remove: (sha256) => unlink(join(folderOf(sha256), sha256)),
  }
}

async function writeSynced(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function writeStream(path: string, stream: Readable): Promise<KeptContent> {
  const hash = createHash('sha256')
  let size = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const piece of stream) {
      const bytes = piece as Buffer
      hash.update(bytes)
      size += bytes.length
      await file.writeFile(bytes)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { sha256: hash.digest('hex'), size }
}

async function removeOlder(path: string, instant: Date): Promise<void> {
  const { mtime } = await stat(path)
  if (mtime < instant) await unlink(path)
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export interface NewFile {
  /** Whose it is; absent for the foundation's own. */
  schoolId?: number | undefined
  /** `payment-proof`, `receipt`, `import` … */
  kind: string
  name: string
  mediaType: string
  /** The content, or what the store answered when it was kept. */
  bytes: Buffer | KeptContent
  createdBy?: number | undefined
}

/** A file's name as it may be shown and saved under: no path, no control characters, at most 100 characters. */
export function safeName(name: string, otherwise = 'file'): string {
  const bare = tidy(name.split(/[\\/]/).at(-1) ?? '')
    .replace(/[<>:"|?*\n]/g, '_')
    .replace(/^\.+/, '')
  if (bare.length <= 100) return bare || otherwise
  const extension = /\.[a-zA-Z0-9]{1,8}$/.exec(bare)?.[0] ?? ''
  return [...bare].slice(0, 100 - extension.length).join('') + extension
}

/**
 * Keeps a file: first its content, then its row in this transaction, so that a row never promises what is not there.
 * Answers the file's id, 22 characters that nobody can guess. The content must have passed `acceptUpload` or be our own.
 */
export async function storeFile(tx: Tx, files: FileStore, now: Date, file: NewFile): Promise<string> {
  const { sha256, size } = Buffer.isBuffer(file.bytes)
    ? { sha256: await files.put(file.bytes), size: file.bytes.length }
    : file.bytes
  const id = randomBytes(16).toString('base64url')
  await tx
    .insertInto('files')
    .values({
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
    .execute()
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
 * A kept file with its content, or undefined where there is none. `of` narrows it to one school or kind: another
 * school's file is not found, as an unknown one is.
 */
export async function readStored(
  db: Db | Tx,
  files: FileStore,
  id: string,
  of: { schoolId?: number; kind?: string } = {},
): Promise<StoredFile | undefined> {
  let query = db
    .selectFrom('files')
    .select(['id', 'school_id', 'kind', 'name', 'media_type', 'bytes', 'sha256', 'created_by', 'created_at'])
    .where('id', '=', id)
  if (of.schoolId !== undefined) query = query.where('school_id', '=', of.schoolId)
  if (of.kind !== undefined) query = query.where('kind', '=', of.kind)
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
 * Deletes contents that no row names: of transactions that were rolled back, and of rows erased since. Leaves alone
 * what is younger than a day, whose row may still be on its way. Answers how many went.
 */
export async function sweepFiles(db: Db, files: FileStore, now: Date): Promise<number> {
  const old = await files.before(new Date(now.getTime() - 86_400_000))
  let removed = 0
  for (const sha256 of old) {
    const row = await db.selectFrom('files').select('id').where('sha256', '=', sha256).executeTakeFirst()
    if (row) continue
    await files.remove(sha256)
    removed++
  }
  return removed
}
