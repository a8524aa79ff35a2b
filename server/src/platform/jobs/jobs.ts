import { randomBytes } from 'node:crypto'
import { sentences } from '@podium/contract/sentences'
import { type RawBuilder, sql } from 'kysely'
import { addRow } from '#platform/db/rows'
import { type JobScope, scopeOfJob } from '../auth/job-requesters.ts'
import type { JobRequesters } from '../auth/policy.ts'
import type { Acting } from '../auth/scope.ts'
import type { Db, Tx } from '../db/database.ts'
import { isDatabaseCrowded, isDatabaseUnavailable } from '../db/database-fault.ts'
import { orNotFound, Refusal, StoreFault } from '../errors.ts'
import { jobsRun } from '../telemetry/traces.ts'
import { markForWake, startWorker } from './worker.ts'

export type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
type Json = Record<string, unknown>

/** A background job as its page shows it: with progress, and found again after the page was left. */
export interface Job {
  id: string
  kind: string
  schoolId: number | null
  season: string | null
  state: JobState
  done: number
  total: number
  input: Json
  output: Json | null
  /** The sentence of the refusal that ended the job, or a general one. */
  error: string | null
  createdBy: number | null
  createdAt: Date
  endedAt: Date | null
}

interface NewJob {
  kind: string
  schoolId?: number | undefined
  season?: string | undefined
  total?: number
  /** The handler's input; stored with the job, so it holds ids rather than personal data. */
  input: Json
  createdBy?: number | undefined
  /** The officer who started the job in a school's portal; stored in the input */
  acting?: Acting | undefined
  /** The earliest time to start. */
  dueAt?: Date | undefined
}

/** How many unfinished jobs one officer may have: the office's jobs all run one after the other. */
export const maxJobsOfOfficer = 10

/**
 * Refuses an officer at the limit of open jobs with `jobs.too_many`. Jobs scheduled for later don't count. Takes a
 * lock, so that two simultaneous requests are both counted.
 */
async function refuseTooManyOfOfficer(tx: Tx, staffId: number): Promise<void> {
  await lockPlanning(tx, `of officer ${staffId}`)
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from jobs
    where created_by = ${staffId} and school_id is null and due_at is null
      and state in ('waiting', 'running')`.execute(tx)
  if ((rows[0]?.open ?? 0) >= maxJobsOfOfficer) throw new Refusal('jobs.too_many')
}

/** Adds a background job in the transaction of the request. Returns the job's id. */
export async function enqueueJob(tx: Tx, now: Date, job: NewJob): Promise<string> {
  if (job.createdBy !== undefined && job.schoolId === undefined && job.dueAt === undefined)
    await refuseTooManyOfOfficer(tx, job.createdBy)
  const id = randomBytes(16).toString('base64url')
  const input = job.acting ? { ...job.input, acting: job.acting } : job.input
  await addRow(tx, 'jobs', {
    id,
    kind: job.kind,
    school_id: job.schoolId,
    season: job.season,
    state: 'waiting',
    total: job.total ?? 0,
    input: JSON.stringify(input),
    created_by: job.createdBy,
    created_at: now,
    due_at: job.dueAt,
  })
  markForWake(tx)
  return id
}

/** Lets only one transaction at a time plan jobs of a kind: the second one then sees the first one's job. */
export async function lockPlanning(tx: Tx, kind: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${kind}))`.execute(tx)
}

/** How many unfinished jobs of a kind a school may have at a time. */
const maxJobsOfSchool = 3

/**
 * Refuses with `busy` if a school has reached its limit of unfinished jobs of this kind. Locks the school, so that two
 * simultaneous requests are both counted.
 */
export async function refuseTooMany(tx: Tx, kind: string, schoolId: number): Promise<void> {
  await sql`select from schools where id = ${schoolId} for no key update`.execute(tx)
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from jobs
    where kind = ${kind} and school_id = ${schoolId} and state in ('waiting', 'running')`.execute(tx)
  if ((rows[0]?.open ?? 0) >= maxJobsOfSchool) throw new Refusal('busy')
}

const columns = sql`
  id, kind, school_id as "schoolId", season, state, done, total, input, output, error, created_by as "createdBy",
  created_at as "createdAt", ended_at as "endedAt"`

/** Returns a job by its id; `filter` restricts it to a school's own jobs. */
export async function readJob(
  db: Db | Tx,
  id: string,
  filter: { schoolId?: number } = {},
): Promise<Job | undefined> {
  const school = filter.schoolId === undefined ? sql`` : sql` and school_id = ${filter.schoolId}`
  const { rows } = await sql<Job>`select ${columns} from jobs where id = ${id}${school}`.execute(db)
  return rows[0]
}

/** Returns a job of this kind by its id, or refuses with `not_found`. */
export async function jobOfKind(db: Db | Tx, kind: string, id: string): Promise<Job> {
  const job = await readJob(db, id)
  return orNotFound(job?.kind === kind ? job : undefined)
}

/**
 * Returns the newest job of a kind within the last day, of a school or of the office, so that a reopened page can show
 * it again.
 */
export async function newestJob(
  db: Db,
  kind: string,
  now: Date,
  schoolId: number | null = null,
): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    select ${columns} from jobs where kind = ${kind} and created_at > ${new Date(now.getTime() - 24 * 3_600_000)}
      and school_id is not distinct from ${schoolId}::bigint
    order by created_at desc limit 1`.execute(db)
  return rows[0]
}

/** Cancels a waiting job, and asks a running one to stop. Returns false if it has already ended or doesn't exist. */
export async function cancelJob(
  db: Db | Tx,
  now: Date,
  id: string,
  filter: { schoolId?: number } = {},
): Promise<boolean> {
  const school = filter.schoolId === undefined ? sql`` : sql` and school_id = ${filter.schoolId}`
  const { rows } = await sql`
    update jobs set state = 'cancelled', ended_at = ${now}
    where id = ${id} and state in ('waiting', 'running')${school} returning id`.execute(db)
  return rows.length === 1
}

/** What a handler receives besides the job. */
export interface JobContext {
  db: Db
  clock: () => Date
  /**
   * Reports progress. Throws JobStopped if the job was cancelled or the process is shutting down; the handler must then
   * stop.
   */
  progress(done: number, total?: number): Promise<void>
  /** Stores what a resumed run needs to continue from here: available later as `job.output`. */
  checkpoint(output: Json): Promise<void>
}

/**
 * Adds the scope the job runs under. It is determined when the run begins; a requester who no longer has the right is
 * refused.
 */
export interface RunContext extends JobContext {
  by: JobScope
}

/**
 * Does the work of one kind of job and returns its output. It must tolerate being started again from the beginning or
 * from its last checkpoint, because a process can die at any time. A Refusal ends the job with its sentence.
 */
export type JobHandler = (job: Job, context: RunContext) => Promise<Json>
export type JobHandlers = Readonly<Record<string, JobHandler>>

/** Thrown by `progress` and `checkpoint`; handlers must not catch it. */
export class JobStopped extends Error {}

const isPassing = (thrown: unknown) => isDatabaseUnavailable(thrown) || isDatabaseCrowded(thrown)

/** Whether a job goes on after this, now or later: its handler must then leave everything as it is. */
export const isRetried = (thrown: unknown): boolean =>
  thrown instanceof JobStopped || thrown instanceof StoreFault || isPassing(thrown)

interface JobsOptions {
  db: Db
  handlers: JobHandlers
  /** Who may request each kind of job */
  requesters: JobRequesters
  /** Which waiting jobs this runner takes; all by default. */
  which?: RawBuilder<boolean>
  clock: () => Date
  log: { info(data: object, message: string): void; error(data: object, message: string): void }
  everyMs?: number
  /** How long without a heartbeat until another runner takes over a job. */
  leaseMs?: number
}

export interface Jobs {
  /** Looks for jobs at once; call it after a commit. */
  wake(): void
  /** Runs all waiting jobs and resolves when none is left (tests and the seed). */
  drain(): Promise<void>
  /** Asks the running job to stop at its next step, leaving it for the next start, and resolves when it has stopped. */
  stop(): Promise<void>
}

type ClaimedJob = Job & {
  attempts: number
  /** Whether it was started before, and goes on now */
  begun: boolean
}

/** Attempts after which a job that crashes its process is not started again. */
const maxAttempts = 5

/** Milliseconds until a job retries a file store that is unavailable. */
const storeWait = 30_000

/** Whether the job is still this runner's: the attempt number changes when another runner takes over. */
const isStillClaimed = (job: ClaimedJob) =>
  sql`id = ${job.id} and state = 'running' and attempts = ${job.attempts}`

/**
 * Runs jobs in two parallel queues, so that jobs a teacher waits for don't queue behind the office's, which may take
 * minutes. `schoolJobKinds` lists the kinds teachers start.
 */
export function startJobQueues(schoolJobKinds: readonly string[], options: Omit<JobsOptions, 'which'>): Jobs {
  const teachers = sql<boolean>`(school_id is not null and kind = any(${schoolJobKinds}::text[]))`
  const runners = [teachers, sql<boolean>`not ${teachers}`].map((which) => startJobs({ ...options, which }))
  return {
    wake() {
      for (const runner of runners) runner.wake()
    },
    async drain() {
      for (const runner of runners) await runner.drain()
    },
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop()))
    },
  }
}

/** Starts running jobs, one after the other; other runners can run others at the same time. */
export function startJobs({
  db,
  handlers,
  requesters,
  which = sql<boolean>`true`,
  clock,
  log,
  everyMs = 5_000,
  leaseMs = 60_000,
}: JobsOptions): Jobs {
  const kinds = Object.keys(handlers)
  const undeclared = kinds.filter((kind) => !Object.hasOwn(requesters, kind))
  if (undeclared.length > 0)
    throw new Error(`nothing says who may ask for jobs of kind ${undeclared.join(', ')}`)

  const leaseEnd = () => new Date(clock().getTime() + leaseMs)

  async function claim(): Promise<ClaimedJob | undefined> {
    const now = clock()
    const { rows } = await sql<ClaimedJob>`
      with next as materialized (
        select id as next_id, started_at is not null as begun from jobs
        where kind = any(${kinds}::text[]) and ${which}
          and (due_at is null or due_at <= ${now})
          and (state = 'waiting' or (state = 'running' and claimed_until <= ${now}))
        order by created_at, id limit 1 for update skip locked)
      update jobs set state = 'running', attempts = attempts + 1, claimed_until = ${leaseEnd()}, started_at = coalesce(started_at, ${now})
      from next where id = next_id
      returning ${columns}, attempts, begun`.execute(db)
    return rows[0]
  }

  /**
   * Runs one job from claim to end. The heartbeat runs beside the work, so that a long step does not lose the claim.
   */
  async function run(job: ClaimedJob): Promise<void> {
    let lost = false
    const beat = async (set = sql``) => {
      const { rows } = await sql`
        update jobs set claimed_until = ${leaseEnd()}${set} where ${isStillClaimed(job)}
        returning id`.execute(db)
      if (rows.length === 0) lost = true
    }
    const heart = setInterval(() => void beat().catch(() => undefined), leaseMs / 3)
    const requester = requesters[job.kind]
    const step = async (set: ReturnType<typeof sql>) => {
      await beat(set)
      if (lost || worker.stopped) throw new JobStopped('the job was cancelled, or the process ends')
      if (requester) await scopeOfJob(db, clock(), requester, job, { begun: true })
    }
    const context: JobContext = {
      db,
      clock,
      progress: (done, total) =>
        step(total === undefined ? sql`, done = ${done}` : sql`, done = ${done}, total = ${total}`),
      checkpoint: (output) => step(sql`, output = ${JSON.stringify(output)}::jsonb`),
    }
    try {
      const handler = handlers[job.kind]
      if (job.attempts > maxAttempts) throw new Error('started too often without coming to an end')
      if (!handler || !requester) throw new Error(`no handler for jobs of kind ${job.kind}`)
      const output = await jobsRun.tracePromise(
        async () => handler(job, { ...context, by: await scopeOfJob(db, clock(), requester, job, job) }),
        { kind: job.kind },
      )
      await end(
        job,
        sql`state = 'done', output = ${JSON.stringify(output)}::jsonb, done = greatest(done, total)`,
      )
    } catch (thrown) {
      if (thrown instanceof JobStopped) {
        // If cancelled, the row already says so. If the process is shutting down, the next runner takes the job at
        // once.
        await sql`update jobs set state = 'waiting', claimed_until = null, attempts = attempts - 1
          where ${isStillClaimed(job)}`.execute(db)
        return
      }
      if (thrown instanceof StoreFault) {
        // The file store is unavailable: the job resumes from its last checkpoint once the store is back.
        log.error({ job: job.id, kind: job.kind, err: thrown }, 'job waits for the store')
        const due = new Date(clock().getTime() + storeWait)
        await sql`
          update jobs set state = 'waiting', claimed_until = null, attempts = attempts - 1, due_at = ${due}
          where ${isStillClaimed(job)}`.execute(db)
        return
      }
      if (isPassing(thrown)) {
        // Not the job's fault: it is retried at once, or after its claim expires if this update fails too.
        await sql`update jobs set state = 'waiting', claimed_until = null
          where ${isStillClaimed(job)}`.execute(db)
        throw thrown
      }
      const sentence = thrown instanceof Refusal ? thrown.message : sentences.jobFailed
      const which = { job: job.id, kind: job.kind }
      // Not the sentence: it is for the person who started the job, and may name a child.
      if (thrown instanceof Refusal) log.info({ ...which, refusal: thrown.code }, 'job refused')
      else log.error({ ...which, err: thrown }, 'job failed')
      await end(job, sql`state = 'failed', error = ${sentence}`)
    } finally {
      clearInterval(heart)
    }
  }

  async function end(job: ClaimedJob, set: ReturnType<typeof sql>): Promise<void> {
    await sql`
      update jobs set ${set}, ended_at = ${clock()}, claimed_until = null
      where ${isStillClaimed(job)}`.execute(db)
  }

  const worker = startWorker({
    everyMs,
    turn: async () => {
      const job = await claim()
      if (!job) return false
      log.info({ job: job.id, kind: job.kind }, 'job begins')
      await run(job)
      return true
    },
    onError: (thrown) => log.error({ err: thrown }, 'jobs could not be read'),
  })
  return worker
}
