import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { folderOfBackups } from '#platform/backup/backup-store'
import { backupStoreOf, fileStoreOf } from '#platform/files/stores'
import { SettingError, type Settings } from '#platform/settings'
import { openFor, openToMigrate, openToPortal, refuseWithoutDatabase } from './console-commands.ts'
import { restorePortal, storeBackup } from './features/office/backups/commands.ts'
import { eraseAgain } from './features/privacy/requests/commands.ts'

const print = (line: string) => console.log(line)
/** Exit code: restored, but something is left for a person to check. */
const notDone = 3

/** Writes a backup to a folder, by default where backups are stored. Returns the exit code. */
export async function backup(settings: Settings, folder: string | undefined): Promise<number> {
  refuseWithoutDatabase(settings)
  const database = await openFor(settings)
  const home = await backupStoreOf(settings)
  const store =
    folder === undefined || resolve(folder) === home.place ? home : folderOfBackups(resolve(folder))
  try {
    const backup = await storeBackup(
      {
        database,
        files: await fileStoreOf(settings),
        secret: settings.secret,
        store,
        home,
        clock: () => new Date(),
      },
      { madeBy: 'command' },
    )
    print(`${backup.path}`)
    print(
      `${backup.rows} rows of ${backup.tables} tables and ${backup.files} files, ${backup.bytes} bytes, read back whole`,
    )
    print(`SHA-256 ${backup.sha256}`)
    if (backup.missing > 0) print(`${backup.missing} files that rows name are not in the store of sent files`)
    print('It opens with the SECRET of this installation alone: keep that one somewhere else.')
    return 0
  } finally {
    await database.close()
  }
}

/** Restores a backup into the empty database and data folder of the settings. Returns the exit code. */
export async function restore(
  settings: Settings,
  path: string,
  replaced: string | undefined,
): Promise<number> {
  const home = await backupStoreOf(settings)
  const isFile = existsSync(path)
  if (!isFile && !(await home.names()).includes(path))
    throw new SettingError(`There is no file ${path}, nor a backup of this name in ${home.place}`)
  const folders = [...new Set([settings.backupDir, dirname(resolve(path))])]
  const beside = folders.filter((folder) => folder !== home.place).map(folderOfBackups)
  const database = await openToMigrate(settings)
  try {
    const { done } = await restorePortal({
      database,
      files: await fileStoreOf(settings),
      secret: settings.secret,
      secretPrevious: settings.secretPrevious,
      open: async () => (isFile ? createReadStream(path) : home.open(path)),
      stores: [home, ...beside],
      folders,
      replaced,
      eraseAgain,
      clock: () => new Date(),
      print,
    })
    await openToPortal(settings, database)
    return done ? 0 : notDone
  } finally {
    await database.close()
  }
}

/** Restores a backup into a temporary database. Returns the exit code. */
export async function tryRestore(
  settings: Settings,
  path: string,
  replaced: string | undefined,
): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'podium-restore-'))
  try {
    return await restore(
      {
        ...settings,
        databaseUrl: undefined,
        databaseMigrateUrl: undefined,
        dataDir,
        filesDir: join(dataDir, 'files'),
        filesBucket: undefined,
      },
      path,
      replaced,
    )
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
    print('This was a trial: what it restored is thrown away.')
  }
}
