import { sql } from 'kysely'
import { systemScope } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { type Job, type JobContext, type JobHandlers, JobStopped } from '#platform/jobs/jobs'
import { certificateJobs } from './certificates/jobs.ts'
import { importKind } from './marks/commands.ts'
import { runImport } from './marks/jobs.ts'
import { announcedEvent } from './queries.ts'
import { analyzeMarks, computeKind, computeSet } from './ranking/commands.ts'
import { type Tried, tryOn, whatIfKind } from './ranking/commands-what-if.ts'
import { announceKind, mailReleased, publish, resultsPage, schoolsToTell } from './release/commands.ts'

/** The long work about results: reading a file of marks, computing a version, telling schools of its release. */
export function resultJobs({ files, settings }: Pick<Deps, 'files' | 'settings'>): JobHandlers {
  return {
    [importKind]: (job, context) => runImport(files, job, context),
    [computeKind]: runCompute,
    [whatIfKind]: runTrial,
    [announceKind]: (job, context) => runAnnounce(settings.publicUrl, job, context),
    ...certificateJobs({ files, settings }),
  }
}

/** The job behind `compute`. A computation that fails leaves the version imported, as it was. */
async function runCompute(job: Job, { db, clock, progress }: JobContext): Promise<{ setId: number }> {
  const setId = Number(job.input.setId)
  try {
    await progress(0, 1)
    await analyzeMarks(db)
    await db.transaction().execute((tx) => computeSet(tx, clock(), setId))
  } catch (thrown) {
    if (!(thrown instanceof JobStopped)) {
      await db
        .updateTable('result_sets')
        .set({ state: 'imported' })
        .where('id', '=', setId)
        .where('state', '=', 'computing')
        .execute()
    }
    throw thrown
  }
  return { setId }
}

/** Tries rules on one version after the other; what is found so far can be looked at meanwhile. */
async function runTrial(job: Job, { db, progress, checkpoint }: JobContext) {
  const { eventYearId, rules, setIds } = job.input as {
    eventYearId: number
    rules: unknown
    setIds: number[]
  }
  const tried = [...((job.output?.tried ?? []) as Tried[])]
  for (const setId of setIds.slice(tried.length)) {
    await progress(tried.length, setIds.length)
    tried.push(await tryOn(db, eventYearId, rules, setId))
    await checkpoint({ tried })
  }
  return { tried }
}

const batchSize = 200

/**
 * Marks a version whose time has come as released and writes to the coordinators of its schools. A version that was
 * withdrawn or put off meanwhile is left alone: its next release has a job of its own.
 */
async function runAnnounce(publicUrl: string, job: Job, { db, clock, progress }: JobContext) {
  const setId = Number(job.input.setId)
  const event = await announcedEvent(db, setId)
  const out =
    event !== undefined &&
    (await db.transaction().execute((tx) => publish(tx, systemScope('Release of results'), clock(), setId)))
  if (!out) return { told: 0 }
  const set = { setId, ...event, resultsPage: resultsPage(publicUrl) }
  const schools = await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = '5min'`.execute(tx)
    return schoolsToTell(tx, setId)
  })
  for (let at = 0; at < schools.length; at += batchSize) {
    await progress(at, schools.length)
    await db.transaction().execute((tx) => mailReleased(tx, clock(), set, schools.slice(at, at + batchSize)))
  }
  return { told: schools.length }
}
