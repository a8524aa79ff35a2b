import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { StoreFault } from '../errors.ts'

/** Opens a backup from its beginning; may be called repeatedly. */
export type OpenBackup = () => Promise<Readable>

/** Receives the bytes of a backup. */
type BackupSink = (pieces: AsyncIterable<Buffer>) => Promise<void>

/** Lets instances leave markers for each other (start.ts). */
export interface Markers {
  mark(id: string, text: string): Promise<void>
  marked(id: string): Promise<boolean>
  unmark(id: string): Promise<void>
}

/** A store of backups, each under its name. */
export interface BackupStore extends Markers {
  /** The operator's name for it: a folder's path */
  readonly place: string
  /** The same for one backup in it */
  locate(name: string): string
  /**
   * Adds a backup: `fill` writes it, and it is only kept if `check` finds in the store what was written. Safe against a
   * power cut; an incomplete backup never has its final name.
   */
  add<Checked>(
    name: string,
    fill: (sink: BackupSink) => Promise<unknown>,
    check: (open: OpenBackup) => Promise<Checked>,
  ): Promise<Checked>
  open: (name: string) => Promise<Readable>
  /** Returns the backups' names, newest first. */
  names(): Promise<string[]>
  /** Returns whether the backup existed and was removed. */
  remove(name: string): Promise<boolean>
}

const pattern = /^podium-\d{4}-\d\d-\d\d-\d{6}\.backup$/

/** Returns the name of a backup made at this time; names sort by time. */
export function backupName(now: Date): string {
  const stamp = now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')
  return `podium-${stamp}.backup`
}

export const newestFirst = (names: readonly string[]): string[] =>
  names
    .filter((name) => pattern.test(name))
    .sort()
    .reverse()

export function folderOfBackups(folder: string): BackupStore {
  /** A full, missing or read-only disk is one line for the operator. */
  const onDisk = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
    answer.catch((thrown: unknown) => {
      throw StoreFault.of(folder, thrown)
    })
  return {
    place: folder,
    locate: (name) => join(folder, name),
    async add(name, fill, check) {
      await onDisk(mkdir(folder, { recursive: true, mode: 0o700 }))
      const path = join(folder, name)
      const draft = `${path}.part`
      try {
        const target = await onDisk(open(draft, 'wx', 0o600))
        try {
          await fill(async (pieces) => {
            for await (const piece of pieces) await onDisk(target.writeFile(piece))
          })
          await onDisk(target.sync())
        } finally {
          await target.close()
        }
        const checked = await check(async () => createReadStream(draft))
        await onDisk(rename(draft, path))
        const directory = await open(folder, 'r')
        await directory.sync().finally(() => directory.close())
        return checked
      } catch (thrown) {
        await rm(draft, { force: true })
        throw thrown
      }
    },
    open: async (name) => createReadStream(join(folder, name)),
    names: async () => newestFirst(await readdir(folder).catch(() => [])),
    remove: (name) =>
      rm(join(folder, name)).then(
        () => true,
        () => false,
      ),
    ...markersIn(folder),
  }
}

/** Returns the markers of instances in a folder. */
export function markersIn(folder: string): Markers {
  const path = (id: string) => join(folder, 'instances', id)
  return {
    async mark(id, text) {
      await mkdir(join(folder, 'instances'), { recursive: true, mode: 0o700 })
      await writeFile(path(id), text, { mode: 0o600 })
    },
    async marked(id) {
      try {
        await stat(path(id))
        return true
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return false
        throw thrown
      }
    },
    unmark: (id) => rm(path(id), { force: true }),
  }
}
