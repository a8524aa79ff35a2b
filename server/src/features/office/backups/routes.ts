import {
  backupList,
  makeBackupNow,
  retentionStatus,
  runRetention,
} from '@podium/contract/office/calls-backups'
import type { FastifyInstance } from 'fastify'
import { tellOwners } from '#features/staff/commands-owners'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { planBackup, planRetention } from './commands.ts'
import { backupStatus, retentionState } from './queries.ts'

/** Care of data: backups, and what is deleted when its time is over. */
export function backupRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, backupList, 'office:backups.read', ({ scope, now }) => backupStatus(db, scope, now))

  serve(app, deps, makeBackupNow, 'office:backups.run', async ({ scope, now }) => {
    const job = await db.transaction().execute(async (tx) => {
      const planned = await planBackup(tx, scope, now)
      await tellOwners(tx, scope, now, planned, { what: 'backup' })
      return planned
    })
    deps.nudge()
    return { job }
  })

  serve(app, deps, retentionStatus, 'office:backups.read', ({ scope }) => retentionState(db, scope))

  serve(app, deps, runRetention, 'office:backups.run', async ({ scope, now, body }) => {
    const job = await db.transaction().execute(async (tx) => {
      const planned = await planRetention(tx, scope, now, body.dry)
      if (!body.dry) await tellOwners(tx, scope, now, planned, { what: 'retention' })
      return planned
    })
    deps.nudge()
    return { job }
  })
}
