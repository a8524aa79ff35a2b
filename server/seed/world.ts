import { bankJobs } from '../src/features/bank/statements/jobs.ts'
import { paymentJobs } from '../src/features/payments/jobs.ts'
import { resultJobs } from '../src/features/results/jobs.ts'
import { nextLevelJobs } from '../src/features/results/next-level/jobs.ts'
import { scopeOfJob } from '../src/platform/auth/job-requesters.ts'
import { jobRequesters } from '../src/platform/auth/policy.ts'
import type { OfficeScope, SchoolScope } from '../src/platform/auth/scope.ts'
import type { Db } from '../src/platform/db/database.ts'
import type { Deps } from '../src/platform/deps.ts'
import { readJob } from '../src/platform/jobs/jobs.ts'
import type { DemoSeason } from './calendar.ts'
import type { SchoolSeed } from './data/schools.ts'

/** The dependencies for creating the demo world. */
export type SeedDeps = Pick<
  Deps,
  | 'db'
  | 'reads'
  | 'database'
  | 'settings'
  | 'keys'
  | 'files'
  | 'clock'
  | 'log'
  | 'security'
  | 'limits'
  | 'alarm'
>

export interface Officers {
  owner: OfficeScope
  operations: OfficeScope
  accounts: OfficeScope
  results: OfficeScope
  secondResults: OfficeScope
}

/** A registered school, with the person who acts for it. */
export interface School {
  seed: SchoolSeed
  id: number
  scope: SchoolScope
}

/** What every part of the story needs. */
export interface World {
  deps: SeedDeps
  db: Db
  officers: Officers
  /** The newest first */
  seasons: readonly [DemoSeason, DemoSeason, DemoSeason]
}

/**
 * Runs the background jobs that earlier commands have added, with the product's own handlers, as if done at this time.
 * No runner is started yet while the demo world is created.
 */
export async function doJobs({ db, deps }: World, now: Date): Promise<void> {
  const all = { ...deps, wake: () => undefined }
  const handlers = { ...paymentJobs(all), ...bankJobs(all), ...resultJobs(all), ...nextLevelJobs(all) }
  const waiting = await db
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'waiting')
    .where((job) => job.or([job('due_at', 'is', null), job('due_at', '<=', now)]))
    .orderBy('created_at')
    .execute()
  for (const { id } of waiting) {
    const job = await readJob(db, id)
    const handler = job && handlers[job.kind]
    const requester = job && jobRequesters[job.kind]
    if (!job || !handler || !requester) throw new Error(`nobody does the job ${job?.kind}`)
    const nothing = async () => undefined
    const by = await scopeOfJob(db, now, requester, job)
    const output = await handler(job, { db, clock: () => now, progress: nothing, checkpoint: nothing, by })
    await db
      .updateTable('jobs')
      .set((values) => ({
        state: 'done',
        output: JSON.stringify(output),
        done: values.fn<number>('greatest', ['done', 'total']),
        attempts: 1,
        started_at: now,
        ended_at: now,
      }))
      .where('id', '=', id)
      .execute()
  }
}
