import assert from 'node:assert/strict'
import { test } from 'node:test'
import { savePayment } from '@podium/contract/payments/calls'
import { askWaiver } from '@podium/contract/payments/calls-waivers'
import { askDataAsSchool, familyConsent } from '@podium/contract/privacy/calls'
import type { Season } from '@podium/contract/season'
import { getStudentDetails, saveStudentDetails } from '@podium/contract/students/calls'
import { importStatus, undoImport } from '@podium/contract/students/calls-import'
import { signOffLists } from '@podium/contract/students/calls-sign-off'
import { sql } from 'kysely'
import { noticeVersion } from '#features/privacy/requests/rules'
import { scopeOfJob } from '#platform/auth/job-requesters'
import { openSession } from '#platform/auth/session'
import { readJob } from '#platform/jobs/jobs'
import { whileHeld } from '#test/database'
import { aDay, aSeason, aTeacher, eventOf, thisSeason } from '#test/factories'
import { auditLines } from '#test/file-call'
import { aFoundation, aProof, aSubmission } from '#test/payments-factories'
import { changeRows, findRow, findRows, valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'
import {
  aCheckedList,
  anEnteredStudent,
  anEntry,
  aSeasonOfItsOwn,
  aTeacherInSeason,
  importList,
} from '#test/students-factories'
import { importJob } from './commands.ts'
import { enrolmentJobs } from './routes.ts'

const server = beforehand(() => testServer({ clock: () => aDay }))

interface Teacher {
  token: string
  schoolId: number
}

/** A completed import of this many students of Class 7 A. */
async function imported(teacher: Teacher, count: number, season: Season = thisSeason) {
  const lines = Array.from({ length: count }, (_, i) => `7,A,${i + 1},Kavya Udaharan ${i},987650000${i},M`)
  const { importId } = await aCheckedList(server, teacher, lines, season)
  await importList(server, teacher, importId)
  return importId
}

const undo = (teacher: Teacher, importId: string) => server.call(undoImport, { body: { importId } }, teacher)
const list = async (teacher: Teacher, season: Season = thisSeason) =>
  (await server.ask(getStudentDetails, { FYear: season }, teacher)).data

test('an undo sent again with its key, because its answer was lost, is told what it undid', async () => {
  const teacher = await aTeacherInSeason()
  const importId = await imported(teacher, 2)
  const keyed = { ...teacher, headers: { 'idempotency-key': `undo-${importId}` } }
  const first = await server.call(undoImport, { body: { importId } }, keyed)
  assert.equal(first.body.removed, 2)
  assert.deepEqual((await server.call(undoImport, { body: { importId } }, keyed)).body, first.body)
  assert.equal((await undo(teacher, importId)).body.removed, 0)
})

test("undoing an import restores a changed student's old price, whatever the price list says now", async () => {
  const season = await aSeasonOfItsOwn()
  const teacher = await aTeacherInSeason()
  const importId = await imported(teacher, 1, season)
  const before = await list(teacher, season)
  const math = await eventOf('M', season)
  const second = await aCheckedList(server, teacher, ['7,A,1,Kavya Udaharan 0,9876500000,S'], season)
  await importList(server, teacher, second.importId)
  assert.equal((await list(teacher, season))[0]?.subjectName, 'Science')
  await server.deps.db
    .updateTable('event_fees')
    .set((row) => ({ fee: row('fee', '+', 5000) }))
    .where('event_id', '=', math.id)
    .execute()
  const undone = await undo(teacher, second.importId)
  assert.deepEqual([undone.status, undone.body.restored], [200, 1])
  const after = await list(teacher, season)
  assert.deepEqual(valuesOf(after, 'subjectName', 'regAmount'), valuesOf(before, 'subjectName', 'regAmount'))
  assert.equal((await undo(teacher, importId)).body.removed, 1)
})

test('an import that is undone leaves only its audit lines, and can be sent again', async () => {
  const teacher = await aTeacherInSeason()
  const own = await anEnteredStudent(server, teacher, { parentMobileNo: '9876500000' })
  const importId = await imported(teacher, 3)
  const ids = (await list(teacher)).map((row) => row.id).filter((id) => id !== own.id)
  const undone = await undo(teacher, importId)
  assert.deepEqual([undone.status, undone.body.removed, undone.body.stayed], [200, 3, []])
  assert.deepEqual(valuesOf(await list(teacher), 'id'), [own.id])
  const left = await findRows('enrolments', { student_id: ids }, ['student_id'])
  assert.deepEqual(left, [])
  const links = await findRows('family_links', { school_id: teacher.schoolId }, ['parent_mobile'])
  assert.deepEqual(valuesOf(links, 'parent_mobile'), ['9876500000'], 'a link stays while a student uses it')
  const trail = await auditLines(['id'], { action: 'student.import_undone', subject_id: ids })
  assert.equal(trail.length, 3)
  const status = await server.ask(importStatus, { importId }, teacher)
  assert.deepEqual([status.undone, status.undoable], [true, 0])
  assert.equal((await undo(teacher, importId)).body.removed, 0)
  assert.notEqual(await imported(teacher, 3), importId, 'a new import beside the first in the history')
  assert.equal((await list(teacher)).length, 4)
})

test('students who were changed since the import stay and are named with the reason', async () => {
  const teacher = await aTeacherInSeason()
  const importId = await imported(teacher, 2)
  const [first] = await list(teacher)
  assert.ok(first)
  const { id, version, studentName } = first
  const entry = anEntry({
    id,
    version,
    studentName,
    rollno: 1,
    subjectName: 'Mathematics',
    cb: '',
    section: 'B',
  })
  await server.ask(saveStudentDetails, entry, teacher)
  const status = await server.ask(importStatus, { importId }, teacher)
  assert.equal(status.undoable, 1)
  const undone = await undo(teacher, importId)
  assert.deepEqual(
    [undone.body.removed, undone.body.stayed],
    [1, [{ id, studentName, className: 'Class 7', section: 'B', rollNo: 1, reason: 'changed' }]],
  )
})

test('a student with a consent, a waiver, or a request about their data stays; the others are removed', async () => {
  const teacher = await aTeacherInSeason()
  const importId = await imported(teacher, 5)
  const [asked, requested, consented, affected, free] = (await list(teacher)).map(({ id }) => id)
  assert.ok(asked && requested && consented && affected && free)
  const waiver = { studentId: asked, reason: 'No income this year.', attechment: await aProof() }
  await server.ask(askWaiver, { ...waiver, attechmentName: 'letter.png' }, teacher)
  const request = { kind: 'correct', message: 'The mother said so today.', contact: '' } as const
  await server.ask(askDataAsSchool, { ...request, studentId: requested }, teacher)
  const { family_link_id } = await findRow('students', { id: consented })
  const consent = { given: true, noticeVersion, language: 'en' } as const
  const session = { kind: 'family', familyLinkId: family_link_id ?? '', source: '', agent: '' } as const
  const token = await server.deps.db.transaction().execute((tx) => openSession(tx, aDay, session))
  await server.ask(familyConsent, { ...consent, individualRegId: consented }, { token })
  const { removed, stayed } = await server.ask(undoImport, { importId }, teacher)
  assert.equal(removed, 2)
  assert.deepEqual(valuesOf(stayed, 'id', 'reason'), [
    [asked, 'asked'],
    [requested, 'asked'],
    [consented, 'asked'],
  ])
})

test('a request about a student who is being removed is not found', async () => {
  const teacher = await aTeacherInSeason()
  await imported(teacher, 1)
  const studentId = (await list(teacher))[0]?.id ?? 0
  const removing = sql`
    with entries as (delete from enrolments where student_id = ${studentId})
    delete from students where id = ${studentId}`
  const body = { studentId, kind: 'correct', message: 'The mother said so today.', contact: '' } as const
  const ask = () => server.call(askDataAsSchool, { body }, teacher)
  await refused('not_found', (await whileHeld(removing, [ask]))[0] ?? assert.fail())
})

test('an import cannot be undone once all its students are sent for payment', async () => {
  await aFoundation()
  const teacher = await aTeacherInSeason()
  const importId = await imported(teacher, 2)
  await server.ask(savePayment, await aSubmission(server, teacher.token), teacher)
  await refused('enrolment.undo_nothing', undo(teacher, importId))
  const later = await imported(teacher, 3)
  const undone = await undo(teacher, later)
  assert.equal(undone.body.removed, 1, 'only the student added since')
  assert.equal((await list(teacher)).length, 2)
})

test('an import cannot be undone for a subject or season that has closed', async () => {
  const teacher = await aTeacherInSeason()
  const season = await aSeasonOfItsOwn()
  const importId = await imported(teacher, 1, season)
  const { id } = await eventOf('M', season)
  await changeRows('events', { id }, { closes_on: '2026-11-20' })
  await refused('enrolment.undo_nothing', undo(teacher, importId))
  await changeRows('seasons', { label: season }, { state: 'closed' })
  await refused('enrolment.season_closed', undo(teacher, importId))
  assert.equal((await list(teacher, season)).length, 1)
})

test('a running import must be stopped before it is undone', async () => {
  const teacher = await aTeacherInSeason()
  const importId = await imported(teacher, 1)
  const { job_id } = await findRow('student_imports', { id: importId })
  await changeRows('jobs', { id: job_id }, { state: 'running' })
  const refused = await undo(teacher, importId)
  await changeRows('jobs', { id: job_id }, { state: 'done' })
  assert.deepEqual([refused.status, refused.body.code], [409, 'enrolment.import_running'])
})

test('a batch in progress saves nothing once its import is stopped and undone', async () => {
  const teacher = await aTeacherInSeason()
  const importId = await imported(teacher, 2)
  assert.equal((await undo(teacher, importId)).body.removed, 2)
  const { db } = server.deps
  await changeRows('student_imports', { id: importId }, { done: 0, undone_at: null })
  const { job_id } = await findRow('student_imports', { id: importId })
  const job = await readJob(db, job_id ?? '')
  assert(job)
  const stopAndUndo = async () => {
    await changeRows('jobs', { id: job.id }, { state: 'cancelled' })
    await undo(teacher, importId)
  }
  const by = await scopeOfJob(db, aDay, 'school', job)
  const context = { db, clock: () => aDay, progress: stopAndUndo, checkpoint: async () => {}, by }
  await assert.rejects(async () => enrolmentJobs(server.deps)[importJob]?.(job, context))
  assert.deepEqual(await list(teacher), [])
})

test('of an undo and a payment of the same import at once, exactly one succeeds', async () => {
  await aFoundation()
  for (let round = 0; round < 4; round++) {
    const teacher = await aTeacherInSeason()
    const importId = await imported(teacher, 2)
    const body = await aSubmission(server, teacher.token)
    const [sent, undone] = await Promise.all([
      server.call(savePayment, { body }, teacher),
      undo(teacher, importId),
    ])
    const left = await list(teacher)
    assert.deepEqual([sent.status === 200, undone.status === 200].filter(Boolean).length, 1)
    assert.equal(left.length, sent.status === 200 ? 2 : 0)
  }
})

test('an import undone while one of its lists is being signed off is undone first', async () => {
  await aSeason()
  const teacher = await aTeacher({ coordinator: true })
  const { importId } = await aCheckedList(server, teacher, ['7,A,1,Kavya Udaharan,9876500001,"M,S"'])
  await importList(server, teacher, importId)
  // Nothing is payable, so that signing off marks the student as paid.
  await sql`update students set reg_retained = reg_amount
    where school_id = ${teacher.schoolId}`.execute(server.deps.db)
  const [first, second] = await findRows('participations', { school_id: teacher.schoolId }, ['id'], 'id')
  const lists = [{ eventManagementId: second?.id ?? 0, students: 1 }]
  const [undone, signed] = await whileHeld<{ status: number; body: object }>(
    sql`select from participations where id = ${first?.id ?? 0} for update`,
    [
      () => undo(teacher, importId),
      () => server.call(signOffLists, { body: { name: teacher.name, lists } }, teacher),
    ],
  )
  assert.deepEqual([undone?.status, signed?.status], [200, 200])
  assert.deepEqual(await list(teacher), [])
})
