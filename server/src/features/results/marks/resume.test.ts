import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { mint, type OfficeScope } from '#platform/auth/scope'
import { createFileStore } from '#platform/files/files'
import { cancelJob, type JobContext, readJob, startJobs } from '#platform/jobs/jobs'
import { testDatabase } from '#test/database'
import { aDay, anOfficer, aSchool } from '#test/factories'
import { anEvent, candidates, marksCsv } from '#test/results-factories'
import { testServer } from '#test/server'
import { importKind, startImport } from './commands.ts'
import { runImport } from './jobs.ts'

const students = 7_000
const silent = { info: () => undefined, error: () => undefined }

/** A file of three batches and a half that is waiting to be read, with a stranger in it and a child who stands there twice. */
async function aWaitingFile() {
  const { db } = await testDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'podium-resume-'))
  const files = createFileStore(dataDir)
  const event = await anEvent()
  const { id: schoolId } = await aSchool()
  const part = Array.from({ length: students / 2 }, () => ({ schoolId }))
  const all = [...(await candidates(event, part)), ...(await candidates(event, part))]
  const rows = all.map(({ roll }) => ({ roll, marks: [1, 2, 3] }))
  const strangers = [
    { roll: 'NOBODY-9', marks: [1, 1, 1] },
    { roll: all[0]?.roll ?? '', marks: [9, 9, 9] },
  ]
  const bytes = Buffer.from(marksCsv(event, [...rows, ...strangers]))
  const file = { name: 'marks.csv', kept: await files.put(bytes) }
  const { id: staffId } = await anOfficer('results')
  const scope = mint<OfficeScope>({
    kind: 'office',
    staffId,
    name: 'Radhika',
    email: 'radhika@podium.example',
    role: 'results',
    session: '',
  })
  const { setId, jobId } = await db
    .transaction()
    .execute((tx) => startImport(tx, files, scope, aDay, { eventId: event.id, file }))
  return { db, dataDir, files, event, setId, jobId }
}
type Waiting = Awaited<ReturnType<typeof aWaitingFile>>

const standing = ({ db, setId }: Waiting) =>
  db
    .selectFrom('result_sets')
    .select(['state', 'read_to', 'rows'])
    .where('id', '=', setId)
    .executeTakeFirstOrThrow()

async function assertWhole({ db, setId, ...waiting }: Waiting) {
  const marks = await db
    .selectFrom('result_marks')
    .select(({ fn }) => [fn.countAll<number>().as('n'), fn.sum<number>('raw_score').as('raw')])
    .where('set_id', '=', setId)
    .executeTakeFirstOrThrow()
  assert.deepEqual([Number(marks.n), Number(marks.raw)], [students, students * 60_000])
  const odd = await db
    .selectFrom('result_anomalies')
    .select(['kind', 'row_no'])
    .where('set_id', '=', setId)
    .orderBy('id')
    .execute()
  assert.deepEqual(odd, [
    { kind: 'unknown_roll', row_no: students + 2 },
    { kind: 'twice', row_no: students + 3 },
  ])
  const { state, rows } = await standing({ db, setId, ...waiting })
  assert.deepEqual([state, rows], ['imported', students + 2])
}

// First, because from then on a server takes up whatever waits.
test('a runner that was held up while another one took its file over adds nothing when it comes back', async () => {
  const waiting = await aWaitingFile()
  const { db, files, jobId } = waiting
  const job = await readJob(db, jobId)
  assert(job)
  const context = { db, clock: () => aDay, checkpoint: () => Promise.resolve() }
  const { promise: wake, resolve: awake } = Promise.withResolvers<void>()
  const { promise: asleep, resolve: sleep } = Promise.withResolvers<void>()
  const held = runImport(files, job, {
    ...context,
    progress: (done) => {
      if (done < 2_000) return Promise.resolve()
      sleep()
      return wake
    },
  })
  await asleep
  await runImport(files, job, { ...context, progress: () => Promise.resolve() })
  awake()
  await assert.rejects(held, /read elsewhere/)
  await assertWhole(waiting)
  await cancelJob(db, aDay, jobId)
})

test('a server that stops in the middle of a file goes on behind the last batch when it starts again', async () => {
  const waiting = await aWaitingFile()
  const { db, files, dataDir, jobId } = waiting
  const jobs = startJobs({
    db,
    clock: () => aDay,
    log: silent,
    askers: { [importKind]: 'program' },
    handlers: {
      [importKind]: (job, context) => {
        const progress: JobContext['progress'] = (done, total) => {
          if (done >= 4_000) void jobs.stop()
          return context.progress(done, total)
        }
        return runImport(files, job, { ...context, progress })
      },
    },
  })
  await jobs.drain()
  assert.deepEqual(await standing(waiting), { state: 'importing', read_to: 4_001, rows: 4_000 })
  assert.equal((await readJob(db, jobId))?.state, 'waiting')

  const server = await testServer({ clock: () => aDay, settings: { dataDir } })
  await server.jobs.drain()
  await assertWhole(waiting)
  const job = await readJob(db, jobId)
  assert.deepEqual([job?.state, job?.done], ['done', students + 3])
})
