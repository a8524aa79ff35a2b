import * as calls from '@podium/contract/office/calls-backups'
import { parseSeason } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { runOfRetention } from '#features/privacy/retention/commands'
import { notifyOwners } from '#features/staff/commands-owners'
import type { Deps } from '#platform/deps'
import { Refusal, StoreFault } from '#platform/errors'
import { backupStoreOf } from '#platform/files/stores'
import { serve, write } from '#platform/http/http'
import type { JobHandlers } from '#platform/jobs/jobs'
import { figuresJob, storeFigures } from '../overview/commands-figures.ts'
import { leftOf, resealSecrets, rotationJob } from '../secret-rotation/commands.ts'
import { planBackup, planRetention, storeBackup } from './commands.ts'
import * as queries from './queries.ts'

/** Routes for backups and retention. */
export function backupRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, calls.backupList, 'office:backups.read', ({ scope, now }) =>
    queries.backupStatus(db, scope, now),
  )

  write(app, deps, calls.makeBackupNow, 'office:backups.run', async (tx, { scope, now }) => {
    const job = await planBackup(tx, scope, now)
    await notifyOwners(tx, scope, now, job, { what: 'backup' })
    return { job }
  })

  serve(app, deps, calls.retentionStatus, 'office:backups.read', ({ scope }) =>
    queries.retentionState(db, scope),
  )

  write(app, deps, calls.runRetention, 'office:backups.run', async (tx, { scope, now, body }) => {
    const job = await planRetention(tx, scope, now, body.dry)
    if (!body.dry) await notifyOwners(tx, scope, now, job, { what: 'retention' })
    return { job }
  })
}

/** Job of the overview: counting a season. */
export function overviewJobs({ reads }: Pick<Deps, 'reads'>): JobHandlers {
  return {
    [figuresJob]: async (job, { db, clock, progress }) => {
      const season = parseSeason(job.season ?? '')
      if (!season) throw new Refusal('not_found')
      await progress(0, 1)
      await storeFigures(db, clock(), season, reads)
      return {}
    },
  }
}

/** Job after a change of SECRET: re-encrypts what it can and reports what still depends on the previous one. */
export function rotationJobs({ keys, log }: Pick<Deps, 'keys' | 'log'>): JobHandlers {
  return {
    [rotationJob]: async (_job, { db, progress }) => {
      const { sealed: total } = await leftOf(db, keys)
      await progress(0, total)
      const sealed = await resealSecrets(db, keys, (done) => progress(Math.min(done, total)))
      const left = await leftOf(db, keys)
      const over = Object.values(left).every((count) => count === 0)
      if (over) log.warn({ sealed, left }, 'nothing hangs on SECRET_PREVIOUS any more: take it away')
      else log.warn({ sealed, left }, 'SECRET_PREVIOUS is still needed (docs/operations.md, Changing SECRET)')
      return { sealed, left }
    },
  }
}

/** Jobs for backups and retention, on request and nightly. */
export function backupJobs(deps: Pick<Deps, 'database' | 'files' | 'settings'>): JobHandlers {
  const { database, files, settings } = deps
  const backUp =
    (madeBy: 'night' | 'office'): JobHandlers[string] =>
    async (job, { clock, progress }) => {
      const made = await storeBackup(
        { database, files, secret: settings.secret, store: await backupStoreOf(settings), clock, progress },
        { madeBy, staffId: job.createdBy ?? undefined },
      ).catch((thrown: unknown) => {
        // Fails without retry, with the reason shown in the office: the next night, or the office, makes another.
        throw thrown instanceof StoreFault ? new Error(thrown.message, { cause: thrown }) : thrown
      })
      return { rows: made.rows, files: made.files, bytes: made.bytes }
    }
  const retain: JobHandlers[string] = (job, { db, clock, progress }) =>
    runOfRetention(db, files, clock, { dry: job.input.dry === true, staffId: job.createdBy }, progress)
  return {
    [queries.backupJob]: backUp('office'),
    [queries.nightlyBackup]: backUp('night'),
    [queries.retentionJob]: retain,
    [queries.nightlyRetention]: retain,
  }
}
