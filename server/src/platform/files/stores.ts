import { newId } from '../auth/secrets.ts'
import { type BackupStore, folderOfBackups, type Markers } from '../backup/backup-store.ts'
import { StoreFault } from '../errors.ts'
import type { Settings } from '../settings.ts'
import { createFileStore, type FileStore } from './files.ts'

/** Where the backups of an installation are. */
export async function backupStoreOf({
  backupDir,
  backupBucket,
}: Pick<Settings, 'backupDir' | 'backupBucket'>): Promise<BackupStore> {
  if (!backupBucket) return folderOfBackups(backupDir)
  const { bucketOfBackups } = await import('../backup/backup-s3.ts')
  return bucketOfBackups(backupBucket)
}

/** Where its sent files are. */
export async function fileStoreOf({
  dataDir,
  filesDir,
  filesBucket,
}: Pick<Settings, 'dataDir' | 'filesDir' | 'filesBucket'>): Promise<FileStore> {
  if (!filesBucket) return createFileStore(dataDir, filesDir)
  const { bucketOfFiles } = await import('./files-s3.ts')
  return bucketOfFiles(filesBucket, dataDir)
}

/** Writes, finds and deletes a marker, which is all that the portal needs to be let do there. Throws a StoreFault. */
export async function tryStore(store: Markers & { readonly place: string }): Promise<void> {
  const id = `trial-${newId()}`
  await store.mark(id, 'trial\n')
  if (!(await store.marked(id))) throw new StoreFault(`${store.place} does not have what was put there`)
  await store.unmark(id)
}
