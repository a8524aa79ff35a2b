import { runOfRetention } from '#features/privacy/retention/commands'
import type { Deps } from '#platform/deps'
import { StoreFault } from '#platform/errors'
import { backupStoreOf } from '#platform/files/stores'
import type { JobHandlers } from '#platform/jobs/jobs'
import { keepBackup } from './commands.ts'
import { backupJob, nightlyBackup, nightlyRetention, retentionJob } from './rules.ts'

/** Long work of the care of data: backups and the deletion of what is too old, when asked for and at night. */
export function backupJobs(deps: Pick<Deps, 'database' | 'files' | 'settings'>): JobHandlers {
  const { database, files, settings } = deps
  const backUp =
    (madeBy: 'night' | 'office'): JobHandlers[string] =>
    async (job, { clock, progress }) => {
      const made = await keepBackup(
        {
          database,
          files,
          secret: settings.secret,
          store: await backupStoreOf(settings),
          clock,
          progress,
        },
        { madeBy, staffId: job.createdBy ?? undefined },
      ).catch((thrown: unknown) => {
        // Failed for good, with the reason in the office: the next night makes another, and the office when it likes.
        throw thrown instanceof StoreFault ? new Error(thrown.message, { cause: thrown }) : thrown
      })
      return { rows: made.rows, files: made.files, bytes: made.bytes }
    }
  const retain: JobHandlers[string] = (job, { db, clock, progress }) =>
    runOfRetention(db, files, clock, { dry: job.input.dry === true, staffId: job.createdBy }, progress)
  return {
    [backupJob]: backUp('office'),
    [nightlyBackup]: backUp('night'),
    [retentionJob]: retain,
    [nightlyRetention]: retain,
  }
}
