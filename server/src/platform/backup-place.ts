import { type BackupStore, folderOfBackups } from './backup-store.ts'
import type { Settings } from './settings.ts'

/** Where the backups of an installation are. */
export async function backupStoreOf({
  backupDir,
  backupBucket,
}: Pick<Settings, 'backupDir' | 'backupBucket'>): Promise<BackupStore> {
  if (!backupBucket) return folderOfBackups(backupDir)
  const { bucketOfBackups } = await import('./backup-s3.ts')
  return bucketOfBackups(backupBucket)
}
