import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errors } from '@podium/contract/errors'
import { dispatchJobState, packAll } from '@podium/contract/shipping/calls-orders'
import { officePackets } from '@podium/contract/shipping/calls-packets'
import { endActing, startActing } from '@podium/contract/staff/calls-act-as-school'
import { setStaffRole, setStaffStatus } from '@podium/contract/staff/calls-people'
import { printPaper } from '@podium/contract/students/calls-print-lists'
import { jobRequesters, mayDo, type Role } from '#platform/auth/policy'
import { enqueueJob, type JobHandler, JobStopped, readJob, startJobs } from '#platform/jobs/jobs'
import { aDay, anOfficer, aTeacher, thisSeason } from '#test/factories'
import { changeRows, findRow } from '#test/rows'
import { before, beforehand, testServer } from '#test/server'
import { aPaidSchool } from '#test/shipping-factories'
import { anEnteredStudent } from '#test/students-factories'
import { jobHandlers } from './app.ts'

/** People call one server, which runs no jobs; the other runs what they have started. */
const server = beforehand(() => testServer({ clock: () => aDay }))
before(async () => {
  await server.jobs.stop()
})
const runner = beforehand(() => testServer({ clock: () => aDay }))
const owner = beforehand(() => anOfficer('owner'))

const refused = errors['job.asker_gone'].sentence

const roles: readonly Role[] = ['operations', 'accounts', 'results', 'viewer']

type Planned = Omit<Parameters<typeof enqueueJob>[2], 'kind'>

/** Runs a job of this kind as planned, and returns how it ended. */
async function ended(kind: string, planned: Planned) {
  const { db } = server.deps
  const id = await db.transaction().execute((tx) => enqueueJob(tx, aDay, { kind, ...planned }))
  await runner.jobs.drain()
  const job = await readJob(db, id)
  return `${job?.state}: ${job?.error}`
}

const officeKinds = Object.entries(jobRequesters).flatMap(([kind, requester]) => {
  if (requester === 'program' || requester === 'school') return []
  return [{ kind, permission: typeof requester === 'object' ? requester.office : requester }]
})
const schoolKinds = Object.entries(jobRequesters).flatMap(([kind, requester]) =>
  requester === 'school' || typeof requester === 'object' ? [kind] : [],
)

test('the table of who may start a background job lists exactly the existing kinds', () => {
  assert.deepEqual(Object.keys(jobHandlers(server.deps)).sort(), Object.keys(jobRequesters).sort())
  assert.ok(officeKinds.length > 10)
  assert.ok(schoolKinds.length > 2)
})

test('a job of an officer whose new role lacks the permission is refused when it starts', async () => {
  for (const { kind, permission } of officeKinds) {
    const role = roles.find((role) => !mayDo(role, permission))
    assert.ok(role, permission)
    const { id } = await anOfficer(role)
    assert.equal(await ended(kind, { input: {}, createdBy: id }), `failed: ${refused}`, kind)
    // The way an earlier version planned the office's jobs
    assert.equal(await ended(kind, { input: { staffId: id } }), `failed: ${refused}`, kind)
  }
})

test('a job of a deactivated officer is refused when it starts', async () => {
  const officer = await anOfficer('owner')
  await server.ask(
    setStaffStatus,
    { id: officer.id, version: officer.version, active: false, reason: 'Has left' },
    owner,
  )
  for (const { kind } of officeKinds)
    assert.equal(await ended(kind, { input: {}, createdBy: officer.id }), `failed: ${refused}`, kind)
})

test('a job of a user who is deactivated, has moved school or whose school is deactivated is refused', async () => {
  for (const kind of schoolKinds) {
    const off = await aTeacher()
    await changeRows('users', { id: off.id }, { disabled_at: aDay })
    const moved = await aTeacher()
    const other = await aTeacher()
    await changeRows('users', { id: moved.id }, { school_id: other.schoolId })
    const closed = await aTeacher()
    await changeRows('schools', { id: closed.schoolId }, { active: false })
    for (const { id, schoolId } of [off, moved, closed])
      assert.equal(await ended(kind, { input: {}, schoolId, createdBy: id }), `failed: ${refused}`, kind)
  }
})

/** An officer signed in as a teacher's school; with what a job says of that. */
async function anOfficerActing({ schoolId }: { schoolId: number }) {
  const { id: staffId, name, token: own } = await anOfficer('operations')
  const form = { id: schoolId, reason: 'Asked by phone to print a list', minutes: '15' } as const
  const { token } = await server.ask(startActing, form, { token: own })
  const { id: actingSessionId } = await findRow('acting_sessions', { staff_id: staffId })
  return { token, acting: { actingSessionId, staffId, name } }
}

test('a job started by an officer signed in as a school is refused once acting has ended', async () => {
  for (const kind of schoolKinds) {
    const teacher = await aTeacher()
    const { token, acting } = await anOfficerActing(teacher)
    const request = { input: {}, schoolId: teacher.schoolId, createdBy: teacher.id, acting }
    assert.notEqual(await ended(kind, request), `failed: ${refused}`, kind)
    await server.ask(endActing, {}, { token })
    assert.equal(await ended(kind, request), `failed: ${refused}`, kind)
  }
})

test('an officer whose role was revoked after starting the job packs nothing', async () => {
  const { schoolId } = await aPaidSchool(server, 3)
  const officer = await anOfficer('operations')
  const { code } = await findRow('schools', { id: schoolId })
  const body = { FYear: thisSeason, contents: 'books', search: code, most: 0 } as const
  const { jobId } = await server.ask(packAll, body, officer)
  await server.ask(setStaffRole, { id: officer.id, version: officer.version, role: 'viewer' }, owner)
  await runner.jobs.drain()
  const { job } = await server.ask(dispatchJobState, { jobId }, owner)
  assert.deepEqual([job?.state, job?.error], ['failed', refused])
  const query = { FYear: thisSeason, search: code }
  assert.equal((await server.ask(officePackets, query, owner)).data.length, 0)
})

test('a list printed by an officer signed in as a school is printed only while acting lasts', async () => {
  const teacher = await aTeacher()
  await anEnteredStudent(server, teacher)
  const { token } = await anOfficerActing(teacher)
  const body = { FYear: thisSeason, paper: 'class-list' } as const
  const states: Array<string | undefined> = []
  for (const leave of [false, true]) {
    const { printId } = await server.ask(printPaper, body, { token })
    if (leave) await server.ask(endActing, {}, { token })
    await runner.jobs.drain()
    states.push((await readJob(server.deps.db, printId))?.state)
  }
  assert.deepEqual(states, ['done', 'failed'])
})

test('a running job of an officer signed in as a school outlasts acting and a restart, but not their right to act', async () => {
  const kind = 'students.print'
  for (const [change, state] of [
    [{ role: 'operations' }, 'done'],
    [{ role: 'viewer' }, 'failed'],
    [{ disabled_at: aDay }, 'failed'],
  ] as const) {
    const teacher = await aTeacher()
    const { token, acting } = await anOfficerActing(teacher)
    const { db } = server.deps
    const request = { kind, input: {}, schoolId: teacher.schoolId, createdBy: teacher.id, acting }
    const id = await db.transaction().execute((tx) => enqueueJob(tx, aDay, request))
    const handler: JobHandler = async ({ done }, { progress }) => {
      if (done === 0) {
        await server.ask(endActing, {}, { token })
        await progress(1)
        // The portal is started again.
        throw new JobStopped('the process ends')
      }
      await changeRows('staff', { id: acting.staffId }, change)
      await progress(2)
      return {}
    }
    const log = { info: () => undefined, error: () => undefined }
    const handlers = { [kind]: handler }
    const jobs = startJobs({ db, handlers, requesters: jobRequesters, clock: () => aDay, log, everyMs: 1e9 })
    await jobs.drain()
    await jobs.stop()
    assert.equal((await readJob(db, id))?.state, state)
  }
})
