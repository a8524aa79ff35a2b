import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { sentenceOf } from '@podium/contract/errors'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { testDatabase } from '#test/database'
import { anOfficer } from '#test/factories'
import { changeRows } from '#test/rows'
import type { JobRequester } from '../auth/policy.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../errors.ts'
import { createLogger } from '../telemetry/logger.ts'
import {
  cancelJob,
  enqueueJob,
  type JobHandler,
  type JobHandlers,
  maxJobsOfOfficer,
  readJob,
  startJobQueues,
  startJobs,
} from './jobs.ts'

let db: Db
before(async () => {
  db = (await testDatabase()).db
})
const log = { info: () => undefined, error: () => undefined }

/** Starts a runner for a kind of job that no other test uses. */
function runner(
  kind: string,
  handler: JobHandler,
  {
    requester = 'program',
    ...options
  }: { requester?: JobRequester; leaseMs?: number; clock?: () => Date; log?: Logger } = {},
) {
  const handlers: JobHandlers = { [kind]: handler }
  return startJobs({
    db,
    handlers,
    requesters: { [kind]: requester },
    clock: () => new Date(),
    log,
    everyMs: 3_600_000,
    ...options,
  })
}

let last = 0
/** Returns times at least a millisecond apart: jobs of the same instant may run in either order. */
const next = () => {
  last = Math.max(last + 1, Date.now())
  return new Date(last)
}

const plan = (kind: string, schoolId?: number) =>
  db
    .transaction()
    .execute((tx) => enqueueJob(tx, next(), { kind, schoolId, input: { what: 'all' }, total: 3 }))

test('a job reports its progress, and its output can be read when it has ended', async () => {
  const kind = randomUUID()
  const counts: number[] = []
  const id = await plan(kind, 7)
  const jobs = runner(kind, async (job, { progress }) => {
    assert.deepEqual(job.input, { what: 'all' })
    for (let done = 1; done <= 3; done++) {
      await progress(done, 3)
      counts.push((await readJob(db, id))?.done ?? -1)
    }
    return { file: 'abc' }
  })
  await jobs.drain()
  await jobs.stop()
  assert.deepEqual(counts, [1, 2, 3])
  const job = await readJob(db, id)
  assert.equal(job?.state, 'done')
  assert.deepEqual(job?.output, { file: 'abc' })
  assert.ok(job?.endedAt)
})

test("an officer's unfinished jobs are limited; scheduled, ended and other people's jobs do not count", async () => {
  const [officer, secondOfficer, kind] = [900_001, 900_002, randomUUID()]
  const ask = (createdBy: number, more: { dueAt?: Date; schoolId?: number } = {}) =>
    db.transaction().execute((tx) => enqueueJob(tx, next(), { kind, input: {}, createdBy, ...more }))
  await ask(officer, { dueAt: new Date(Date.now() + 60_000) })
  // A teacher may have the same id
  await ask(officer, { schoolId: 7 })
  const outcomes = await Promise.allSettled(Array.from({ length: maxJobsOfOfficer + 3 }, () => ask(officer)))
  const ids = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  assert.equal(ids.length, maxJobsOfOfficer)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.deepEqual(outcome.reason, new Refusal('jobs.too_many'))
  assert.ok(sentenceOf('jobs.too_many').includes(` ${maxJobsOfOfficer} `))
  await ask(secondOfficer)
  await ask(officer, { dueAt: new Date(Date.now() + 60_000) })
  await assert.rejects(ask(officer), new Refusal('jobs.too_many'))
  await cancelJob(db, new Date(), ids[0] ?? '')
  await ask(officer)
})

test("another school's job is not found and cannot be cancelled", async () => {
  const id = await plan(randomUUID(), 7)
  assert.equal(await readJob(db, id, { schoolId: 8 }), undefined)
  assert.equal(await cancelJob(db, new Date(), id, { schoolId: 8 }), false)
  assert.equal((await readJob(db, id, { schoolId: 7 }))?.state, 'waiting')
  assert.equal(await cancelJob(db, new Date(), id, { schoolId: 7 }), true)
  assert.equal(await cancelJob(db, new Date(), id, { schoolId: 7 }), false)
})

test('a cancelled job stops at its next step and stays cancelled', async () => {
  const kind = randomUUID()
  const id = await plan(kind)
  const jobs = runner(kind, async (_, { progress }) => {
    await progress(1)
    await cancelJob(db, new Date(), id)
    await progress(2)
    return { never: true }
  })
  await jobs.drain()
  await jobs.stop()
  const job = await readJob(db, id)
  assert.equal(job?.state, 'cancelled')
  assert.equal(job?.done, 1)
  assert.equal(job?.output, null)
})

test('a job ends at its next step once the officer who requested it has been deactivated', async () => {
  const kind = randomUUID()
  const { id: createdBy } = await anOfficer('operations')
  const id = await db
    .transaction()
    .execute((tx) => enqueueJob(tx, next(), { kind, input: {}, createdBy, total: 3 }))
  const handler: JobHandler = async (_, { progress }) => {
    for (let done = 1; done <= 3; done++) {
      await progress(done)
      if (done === 2) await changeRows('staff', { id: createdBy }, { disabled_at: new Date() })
    }
    return {}
  }
  const jobs = runner(kind, handler, { requester: 'schools.write' })
  await jobs.drain()
  await jobs.stop()
  const job = await readJob(db, id)
  assert.deepEqual([job?.state, job?.error], ['failed', sentenceOf('job.asker_gone')])
})

test('a refusal ends a job with its own sentence, an internal error with a general one', async () => {
  const kind = randomUUID()
  const [first, second] = [await plan(kind), await plan(kind)]
  const jobs = runner(kind, async (job) => {
    if (job.id === first) throw new Refusal('sheet.empty')
    throw new Error('connection string postgres://secret')
  })
  await jobs.drain()
  await jobs.stop()
  assert.equal((await readJob(db, first))?.error, 'This spreadsheet is empty.')
  const failed = await readJob(db, second)
  assert.equal(failed?.state, 'failed')
  assert.ok(!failed?.error?.includes('secret'))
})

test('the log tells where a job failed, and of a refusal its code alone: its sentence may name a child', async () => {
  const kind = randomUUID()
  const [fault, value, refused] = [await plan(kind), await plan(kind), await plan(kind)]
  const lines: Array<Record<string, unknown>> = []
  const jobs = runner(
    kind,
    async function stumbles(job) {
      if (job.id === fault) throw new TypeError('there is no paper')
      if (job.id === value) await sql`select ${'Canary Namunawala'}::text::int`.execute(db)
      throw new Refusal('sheet.empty', { message: 'Row 3: Canary Namunawala has no class.' })
    },
    { log: createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) }) },
  )
  await jobs.drain()
  await jobs.stop()
  const ends = new Map(lines.filter(({ msg }) => msg !== 'job begins').map((line) => [line.job, line]))
  const { err } = ends.get(fault) ?? {}
  assert.match(JSON.stringify(err), /TypeError.*there is no paper.*stumbles/)
  assert.match(JSON.stringify(ends.get(value)?.err), /"errorCode":"22P02"/)
  const { level, refusal, msg } = ends.get(refused) ?? {}
  assert.deepEqual([level, refusal, msg], [30, 'sheet.empty', 'job refused'])
  assert.ok(!JSON.stringify(lines).includes('Canary'))
})

test('a job whose runner died continues from its checkpoint after the claim has expired', async () => {
  const kind = randomUUID()
  const id = await plan(kind)
  await changeRows(
    'jobs',
    { id },
    {
      state: 'running',
      attempts: 1,
      output: JSON.stringify({ upTo: 2 }),
      claimed_until: new Date(Date.now() + 60_000),
    },
  )
  const started: unknown[] = []
  const handler: JobHandler = async (job) => {
    started.push(job.output)
    return { upTo: 3 }
  }
  const early = runner(kind, handler)
  await early.drain()
  await early.stop()
  assert.deepEqual(started, [])
  const late = runner(kind, handler, { clock: () => new Date(Date.now() + 61_000) })
  await late.drain()
  await late.stop()
  assert.deepEqual(started, [{ upTo: 2 }])
  assert.equal((await readJob(db, id))?.state, 'done')
})

test('a runner that has lost its job to another can neither count nor end it', async () => {
  const kind = randomUUID()
  const id = await plan(kind)
  const slow = runner(kind, async (_, { progress }) => {
    const later = runner(kind, async () => ({ by: 'second' }), {
      clock: () => new Date(Date.now() + 120_000),
    })
    await later.drain()
    await later.stop()
    await progress(1)
    return { by: 'first' }
  })
  await slow.drain()
  await slow.stop()
  assert.deepEqual((await readJob(db, id))?.output, { by: 'second' })
})

test('a job that loses the database continues when it is back', async () => {
  const kind = randomUUID()
  const id = await plan(kind)
  let runs = 0
  const jobs = runner(kind, async (_job, { db: own, checkpoint }) => {
    runs++
    await checkpoint({ runs })
    if (runs === 1) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(own)
    return { runs }
  })
  await jobs.drain()
  const waiting = await readJob(db, id)
  assert.deepEqual([waiting?.state, waiting?.output, waiting?.error], ['waiting', { runs: 1 }, null])
  await jobs.drain()
  await jobs.stop()
  const job = await readJob(db, id)
  assert.deepEqual([job?.state, job?.output], ['done', { runs: 2 }])
})

test('a job that a lock kept waiting for too long is tried again', async () => {
  const [kind, locked] = [randomUUID(), await plan(randomUUID())]
  const id = await plan(kind)
  let runs = 0
  const lock = sql`select from jobs where id = ${locked} for update`
  const locking: JobHandler = (_job, { db: own }) =>
    own.transaction().execute(async (tx) => {
      runs++
      await sql`set local lock_timeout = 1`.execute(tx)
      await lock.execute(tx)
      return { runs }
    })
  const jobs = await db.transaction().execute(async (tx) => {
    await lock.execute(tx)
    // Only now: a runner looks for jobs as soon as it is started.
    const started = runner(kind, locking)
    await started.drain()
    return started
  })
  assert.equal((await readJob(db, id))?.state, 'waiting')
  await jobs.drain()
  await jobs.stop()
  const job = await readJob(db, id)
  assert.deepEqual([job?.state, job?.output], ['done', { runs: 2 }])
})

test('a job that crashes its process each time is given up', async () => {
  const kind = randomUUID()
  const id = await plan(kind)
  await changeRows('jobs', { id }, { attempts: 5 })
  let ran = false
  const jobs = runner(kind, async () => {
    ran = true
    return {}
  })
  await jobs.drain()
  await jobs.stop()
  assert.equal(ran, false)
  assert.equal((await readJob(db, id))?.state, 'failed')
})

test('several runners side by side run each job once', async () => {
  const kind = randomUUID()
  const ids = []
  for (let index = 0; index < 12; index++) ids.push(await plan(kind))
  const runs: string[] = []
  const runners = Array.from({ length: 3 }, () =>
    runner(kind, async (job) => {
      runs.push(job.id)
      return {}
    }),
  )
  await Promise.all(runners.map((jobs) => jobs.drain()))
  await Promise.all(runners.map((jobs) => jobs.stop()))
  assert.deepEqual(runs.toSorted(), ids.toSorted())
})

test("a teacher's job does not wait for the office's long jobs", async () => {
  const [lists, ranks] = [randomUUID(), randomUUID()]
  const ended: string[] = []
  let listDone = () => undefined as unknown
  const oneList = new Promise((done) => {
    listDone = () => done(undefined)
  })
  const handlers: JobHandlers = {
    // The office's job waits for the school's to end: if they ran one after the other, it would wait for ever.
    [ranks]: async () => {
      await oneList
      ended.push('ranks')
      return {}
    },
    [lists]: async ({ schoolId }) => {
      ended.push(`list of ${schoolId ?? 'all'}`)
      listDone()
      return {}
    },
  }
  await plan(ranks)
  await plan(lists)
  await plan(lists, 7)
  await plan(ranks, 7)
  const requesters = { [ranks]: 'program', [lists]: 'program' } as const
  const jobs = startJobQueues([lists], {
    db,
    handlers,
    requesters,
    clock: () => new Date(),
    log,
    everyMs: 3_600_000,
  })
  await jobs.drain()
  await jobs.stop()
  assert.deepEqual(ended, ['list of 7', 'ranks', 'list of all', 'ranks'])
})

test('stopping leaves a job waiting for the next start', async () => {
  const kind = randomUUID()
  const id = await plan(kind)
  let stopped: Promise<void> | undefined
  const jobs = runner(kind, async (_, { progress }) => {
    await progress(1)
    stopped = jobs.stop()
    await progress(2)
    return {}
  })
  await jobs.drain()
  await stopped
  assert.equal((await readJob(db, id))?.state, 'waiting')
  const next = runner(kind, async () => ({ ended: true }))
  await next.drain()
  await next.stop()
  assert.equal((await readJob(db, id))?.state, 'done')
})

test('a scheduled job waits for its time', async () => {
  const kind = randomUUID()
  const dueAt = new Date(Date.now() + 60_000)
  const id = await db.transaction().execute((tx) => enqueueJob(tx, new Date(), { kind, input: {}, dueAt }))
  const early = runner(kind, async () => ({}))
  await early.drain()
  await early.stop()
  assert.equal((await readJob(db, id))?.state, 'waiting')
  const late = runner(kind, async () => ({}), { clock: () => dueAt })
  await late.drain()
  await late.stop()
  assert.equal((await readJob(db, id))?.state, 'done')
})
