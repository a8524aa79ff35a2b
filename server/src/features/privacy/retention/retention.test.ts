import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { recordHistory } from '@podium/contract/audit-log/calls'
import { retentionStatus, runRetention } from '@podium/contract/office/calls-backups'
import { sql } from 'kysely'
import { planNights } from '#features/office/backups/commands'
import { audit } from '#platform/audit'
import { systemScope } from '#platform/auth/scope'
import { addRow } from '#platform/db/rows'
import { storeFile } from '#platform/files/files'
import { enqueueJob } from '#platform/jobs/jobs'
import { aDay, anOfficer, aSchool, aSeason, aTeacher } from '#test/factories'
import { auditLines } from '#test/file-call'
import { changeRows, findRow, findRows, valuesOf } from '#test/rows'
import { before, beforehand, testServer } from '#test/server'
import { anEnteredStudent } from '#test/students-factories'

const day = 86_400_000
let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
before(() => aSeason())

/** Runs the retention on a day and returns its report. */
async function run(at: Date, dry = false) {
  now = at
  const { token } = await anOfficer('owner', now)
  await server.ask(runRetention, { dry }, { token })
  await server.jobs.drain()
  return await server.ask(retentionStatus, {}, { token })
}

/** A child with parents, and the data that a year leaves behind. */
async function aYearOfData() {
  const { db } = server.deps
  now = aDay
  const teacher = await aTeacher({ schoolId: (await aSchool()).id })
  const { id } = await anEnteredStudent(server, teacher, {
    parentName: 'Asha Namunawala',
    parentMobileNo: '9876500001',
    parentEmailId: 'asha@families.example',
  })
  await db.transaction().execute(async (tx) => {
    await audit(tx, aDay, systemScope('Test'), 'payment.verified', { kind: 'payment', id: 1 }, { amount: 5 })
    await addRow(tx, 'tickets', { id_hash: randomUUID(), kind: 'otp', created_at: aDay, expires_at: aDay })
    await addRow(tx, 'outbox', {
      key: randomUUID(),
      kind: 'otp',
      payload: JSON.stringify({ text: 'words' }),
      created_at: aDay,
      due_at: aDay,
      failed_at: aDay,
    })
  })
  return id
}

const counts = async () => {
  const { db } = server.deps
  const of = async (table: 'tickets' | 'sessions' | 'audit') =>
    (
      await db
        .selectFrom(table)
        .select((q) => q.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n
  return { tickets: await of('tickets'), sessions: await of('sessions'), audit: await of('audit') }
}

test('a dry run counts what would be deleted and deletes nothing', async () => {
  await aYearOfData()
  const before = await counts()
  const { runs } = await run(new Date(aDay.getTime() + 2 * day), true)
  assert.equal(runs[0]?.dry, true)
  assert.ok((runs[0]?.counts.tickets ?? 0) > 0)
  assert.equal((await counts()).tickets, before.tickets)
})

test('each kind of data is deleted when its time is over, and not a day earlier', async () => {
  const id = await aYearOfData()
  const { db } = server.deps
  const student = () => findRow('students', { id })
  const mails = () => findRows('outbox', { failed_at: aDay }, ['payload'])
  const lines = () => auditLines(['action'], { subject_id: id, subject_kind: 'student' })

  await run(new Date(aDay.getTime() + 29 * day))
  assert.equal((await counts()).tickets, 0)
  assert.ok(
    (await db.selectFrom('sessions').selectAll().where('user_id', 'is not', null).execute()).length > 0,
  )
  await run(new Date(aDay.getTime() + 34 * day))
  assert.equal(
    (await db.selectFrom('sessions').selectAll().where('user_id', 'is not', null).execute()).length,
    0,
  )
  assert.ok((await mails()).some(({ payload }) => JSON.stringify(payload) !== '{}'))
  await run(new Date(aDay.getTime() + 36 * day))
  assert.ok((await mails()).every(({ payload }) => JSON.stringify(payload) === '{}'))

  // The season ends in March 2027; the parents' contact data stays a year longer.
  await run(new Date('2028-03-30T06:00:00Z'))
  assert.equal((await student()).parent_mobile, '9876500001')
  assert.equal((await lines()).length, 0, 'log entries older than a year')
  const last = await run(new Date('2028-04-02T06:00:00Z'))
  const { parent_name, parent_mobile, parent_email, name } = await student()
  assert.deepEqual([parent_name, parent_mobile, parent_email], ['', '', ''])
  assert.notEqual(name, '', 'the student stays, because results depend on it')
  assert.ok((last.classes.find(({ kind }) => kind === 'contacts')?.last ?? 0) > 0)

  const money = () => auditLines(['id'], { action: 'payment.verified' })
  await run(new Date(aDay.getTime() + 8 * 365 * day - day))
  assert.ok((await money()).length > 0, 'entries about money are kept for eight years')
  await run(new Date(aDay.getTime() + 8 * 365 * day + day))
  assert.equal((await money()).length, 0)
})

test("lists and papers with names are deleted after two days, schools' sheets after thirty unless still being read", async () => {
  const { db, files } = server.deps
  now = aDay
  const { id: staffId } = await anOfficer('owner', now)
  const remaining = (kind: string) =>
    db
      .transaction()
      .execute((tx) =>
        storeFile(tx, files, aDay, { kind, name: kind, mediaType: 'text/csv', bytes: Buffer.from(kind) }),
      )
  const [print, papers, over, reading] = [
    await remaining('print'),
    await remaining('exams.papers'),
    await remaining('school-import'),
    await remaining('school-import'),
  ]
  const aSheet = async (id: string, fileId: string, jobId: string) => {
    await sql`insert into school_imports (id, file_name, file_id, headings, fields, state, job_id, created_by, created_at)
      values (${id}, 'schools.csv', ${fileId}, '[]', '[]', 'checked', ${jobId}, ${staffId},
      ${aDay})`.execute(db)
    await sql`insert into school_import_rows (import_id, row_no, state, cells, details)
      values (${id}, 1, 'new', '["Head of the school"]', '{}')`.execute(db)
  }
  const far = new Date('2099-01-01T00:00:00Z')
  const jobId = await db
    .transaction()
    .execute((tx) => enqueueJob(tx, aDay, { kind: 'test.waits', input: {}, createdBy: staffId }))
  await changeRows('jobs', { id: jobId }, { due_at: far })
  await aSheet('over', over, 'none')
  await aSheet('reading', reading, jobId)
  const left = async () => {
    const rows = await findRows('files', { id: [print, papers, over, reading] }, ['id'])
    const cells = await findRows('school_import_rows', {}, ['import_id'])
    return [rows.map(({ id }) => id).sort(), cells.map(({ import_id: id }) => id).sort()]
  }
  await run(new Date(aDay.getTime() + 2 * day - 1))
  assert.deepEqual(await left(), [[print, papers, over, reading].sort(), ['over', 'reading']])
  await run(new Date(aDay.getTime() + 2 * day + 1))
  assert.deepEqual(await left(), [[over, reading].sort(), ['over', 'reading']])
  await run(new Date(aDay.getTime() + 30 * day + 1))
  assert.deepEqual(await left(), [[reading], ['reading']])
  await db.deleteFrom('jobs').where('id', '=', jobId).execute()
})

test('a run leaves an entry in the activity log with counts only', async () => {
  await aYearOfData()
  const { runs } = await run(new Date(aDay.getTime() + 2 * day))
  const { token } = await anOfficer('owner', now)
  const query = { kind: 'retention', id: String(Math.max(...runs.map(({ id }) => id))) }
  const body = await server.ask(recordHistory, query, { token })
  assert.deepEqual(valuesOf(body.data, 'action', 'actorKind'), [['retention.run', 'system']])
  assert.ok(body.data[0]?.changes.some(({ field }) => field === 'tickets'))
})

test('two instances plan only one run for the night', async () => {
  const { db } = server.deps
  await Promise.all([planNights(db, aDay), planNights(db, aDay)])
  const { rows } = {
    rows: await db.selectFrom('jobs').select(['kind', 'due_at']).where('kind', 'like', '%.night').execute(),
  }
  assert.deepEqual(valuesOf(rows, 'kind').sort(), ['backup.night', 'retention.night'])
  await db.deleteFrom('jobs').where('kind', 'like', '%.night').execute()
})
