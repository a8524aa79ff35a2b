import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type ErasuresSince, erasuresSince } from '#platform/erased'
import { createFileStore } from '#platform/files'
import { restoreBackup } from '#platform/restore'
import { SettingError, type Settings } from '#platform/settings'
import { openFor, refuseWithoutDatabase } from './console-commands.ts'
import { keepBackup } from './features/care/commands-backups.ts'

const say = (line: string) => console.log(line)
/** Restored, and erasures have to be carried out again before it is used. */
const notDone = 3

/** Writes a backup into a folder, else where backups usually are. Answers the exit code. */
export async function backup(settings: Settings, folder: string | undefined): Promise<number> {
  refuseWithoutDatabase(settings)
  const database = await openFor(settings)
  try {
    const made = await keepBackup(
      {
        database,
        files: createFileStore(settings.dataDir),
        secret: settings.secret,
        folder: resolve(folder ?? settings.backupDir),
        home: settings.backupDir,
        clock: () => new Date(),
      },
      { madeBy: 'command' },
    )
    say(`${made.path}`)
    say(
      `${made.rows} rows of ${made.tables} tables and ${made.files} files, ${made.bytes} bytes, read back whole`,
    )
    say(`SHA-256 ${made.sha256}`)
    if (made.missing > 0) say(`${made.missing} files that rows name are not in the data folder`)
    say('It opens with the SECRET of this installation alone: keep that one somewhere else.')
    return 0
  } finally {
    await database.close()
  }
}

/** Restores a backup into the empty database and data folder of the settings. Answers the exit code. */
export async function restore(settings: Settings, path: string): Promise<number> {
  const { secret, secretPrevious } = settings
  if (!existsSync(path)) throw new SettingError(`There is no file ${path}`)
  const database = await openFor(settings)
  try {
    const files = createFileStore(settings.dataDir)
    const done = await restoreBackup({ database, files, secret, secretPrevious, path, say })
    say(`Restored: ${done.rows} rows and ${done.files} files as they were at ${done.madeAt}.`)
    const folders = [dirname(resolve(path)), settings.backupDir]
    const erased = await erasuresSince(database.db, folders, done.madeAt)
    for (const line of toldOf(erased, folders)) console.error(line)
    return erased.again.length > 0 || erased.broken > 0 ? notDone : 0
  } finally {
    await database.close()
  }
}

/** What has to be erased once more, before anybody uses what was restored. */
function toldOf({ found, broken, again }: ErasuresSince, folders: string[]): string[] {
  if (!found)
    return [
      `There is no erased.jsonl in ${[...new Set(folders)].join(' or ')}: what was erased since the backup is not known here.`,
    ]
  return [
    ...(broken > 0 ? [`${broken} lines of erased.jsonl can't be read: look at them yourself.`] : []),
    ...(again.length > 0
      ? ['ERASED SINCE THE BACKUP, AND BACK WITH IT. Erase them again (Office → Data requests) before use:']
      : []),
    ...again.map(
      ({ at, requestId, studentIds }) => `  ${at}  request ${requestId}  students ${studentIds.join(', ')}`,
    ),
  ]
}

/** Restores a backup into a database that is thrown away. Answers the exit code. */
export async function tryRestore(settings: Settings, path: string): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'podium-restore-'))
  try {
    const code = await restore({ ...settings, databaseUrl: undefined, dataDir }, path)
    return code === notDone ? 0 : code
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
    say('This was a trial: what it restored is thrown away.')
  }
}
