import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Endpoint } from '@podium/contract/endpoint'
import { editFamilyStudent, getFamilyStudents } from '@podium/contract/families/calls'
import { approveWaiver, askWaiver } from '@podium/contract/payments/calls-waivers'
import {
  askDataRequest,
  carryOutRequest,
  checkDataRequest,
  dataRequests,
} from '@podium/contract/privacy/calls'
import { schoolCertificate } from '@podium/contract/results/calls-certificates'
import {
  officeCertificateFile,
  schoolCertificateFile,
  startOfficeCertificates,
  startSchoolCertificates,
} from '@podium/contract/results/calls-certificates-bulk'
import { makeNextLevel } from '@podium/contract/results/calls-next-level'
import { verifyCertificate } from '@podium/contract/results/calls-public'
import { getStudentDetails, restoreStudent, saveStudentDetails } from '@podium/contract/students/calls'
import { printFile, printPaper } from '@podium/contract/students/calls-print-lists'
import { exportOfficeStudents, moveStudent } from '@podium/contract/students/calls-register'
import { sql } from 'kysely'
import type { BulkOutput } from '#features/results/certificates/queries'
import { storeFile } from '#platform/files/files'
import { enqueueMail } from '#platform/jobs/outbox'
import { pdfText } from '#test/archives'
import { aDay, anOfficer, aSchool, aSeason, aTeacher, thisSeason } from '#test/factories'
import { auditLine, auditLines, takeCsv } from '#test/file-call'
import { aFoundation, aProof, yesToWaiver } from '#test/payments-factories'
import { aReleasedEvent, releaseRows, searchBody } from '#test/results-factories'
import { addRow, changeRows, findRow, findRows, valuesOf } from '#test/rows'
import { before, beforehand, refused, testServer } from '#test/server'
import { aFamily, anEntry, aVisitingFamily } from '#test/students-factories'
import { eraseChild } from './commands-erase.ts'
import { plainColumns, storedAboutStudents, tablesAboutChildren, tablesNotAboutChildren } from './rules.ts'

const server = beforehand(() => testServer({ clock: () => aDay }))
before(async () => {
  // E-mails stay in the outbox here; sent ones are deleted anyway.
  await server.outbox.stop()
  await aSeason()
  await aFoundation()
})
const first = beforehand(() => anOfficer('operations'))
const second = beforehand(() => anOfficer('owner'))

/** The tables that contain this text in any column. */
async function tablesContaining(words: string): Promise<string[]> {
  const { db } = server.deps
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`.execute(db)
  const tables: string[] = []
  for (const { name } of rows) {
    const found = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(name)} t
      where position(lower(${words}) in lower(t::text)) > 0`.execute(db)
    if ((found.rows[0]?.n ?? 0) > 0) tables.push(name)
  }
  return tables
}

async function asked(studentId: number, kind: 'erase' | 'export' = 'erase', message = 'By telephone.') {
  const body = { studentId, kind, message, contact: '' }
  const answer = await server.ask(askDataRequest, body, first)
  return answer.id
}

async function checkRequest(id: number, note = 'Called back.') {
  const body = { id, version: 1, method: 'call-back' as const, note }
  await server.ask(checkDataRequest, body, first)
}

const carryOut = (id: number, by: { token: string }, version = 2) =>
  server.call(carryOutRequest, { body: { id, version } }, by)

async function eraseStudent(studentId: number) {
  const id = await asked(studentId)
  await checkRequest(id)
  const { status, body } = await carryOut(id, second)
  assert.equal(status, 200, JSON.stringify(body))
  return id
}

/** A call whose answer is a file. */
const postFile = (endpoint: Endpoint, body: object, token: string) => server.post(endpoint, body, { token })

/** An audit line about a school's record; its id. */
async function addLine(kind: string, school: number, change: object): Promise<number> {
  const { id } = await addRow('audit', {
    at: aDay,
    actor_kind: 'office',
    actor_name: 'Radhika Kalpanik',
    action: `${kind}.changed`,
    subject_kind: kind,
    subject_id: '1',
    school_id: school,
    change: JSON.stringify(change),
  })
  return id
}

const changeOf = async (id: number) => (await auditLine(['change'], { id }))?.change

test('an erased student is left in no table, and the money still adds up', async () => {
  // Names too long to occur in a token by chance
  const family = await aVisitingFamily(server, [
    { studentName: 'Zarvqaxilor Kelimwala', parentName: 'Hemvqaxilor Kelimwala' },
  ])
  const edit = {
    groupId: family.groupId,
    fYear: thisSeason,
    classId: 7,
    individualRegId: family.id,
    studentName: 'Zarvqaxilor Kelimwala',
    mobileNo: family.mobile,
    email: 'hemvqaxilor@family.example',
  }
  assert.equal((await server.send(editFamilyStudent, { body: edit }, family)).status, 200)
  const waiver = {
    studentId: family.id,
    reason: 'Zarvqaxilor has lost her father.',
    attechment: await aProof(),
    attechmentName: 'Zarvqaxilor.pdf',
  }
  const body = await server.ask(askWaiver, waiver, family.teacher)
  const by = await anOfficer('accounts')
  await server.call(approveWaiver, await yesToWaiver(server, by, body.id), by)
  const id = await asked(family.id, 'erase', 'The mother of Zarvqaxilor wrote.')
  await checkRequest(id, 'Called Hemvqaxilor back.')
  const planted = await tablesContaining('vqaxilor')
  for (const table of ['students', 'audit', 'waivers', 'files', 'data_requests', 'outbox'])
    assert.ok(planted.includes(table), `the test plants nothing in ${table}: ${planted}`)
  const before = await sql<{ gross: number }>`
    select reg_amount + book_amount as gross from students where id = ${family.id}`.execute(server.deps.db)
  assert.equal((await carryOut(id, second)).status, 200)
  for (const words of ['vqaxilor', family.mobile]) assert.deepEqual(await tablesContaining(words), [], words)
  const left = await findRow('students', { id: family.id })
  assert.deepEqual([left.name, left.parent_mobile, left.family_link_id], ['Erased', '', null])
  assert.equal(left.reg_amount + left.book_amount, before.rows[0]?.gross)
  assert.notEqual(left.erased_at, null)
  const listed = await findRows('erasures', { request_id: id }, ['student_id', 'entered_at', 'at'])
  assert.deepEqual(
    listed,
    [{ student_id: family.id, entered_at: left.created_at, at: aDay }],
    'earlier backups contain the student',
  )
  const page = await server.send(getFamilyStudents, { query: { GroupId: family.groupId } }, family)
  assert.notEqual(page.body.verified, true, 'the page of the family still opens')
  const list = await server.ask(dataRequests, { state: 'over', student: String(family.id) }, first)
  assert.deepEqual([list.data[0]?.studentName, list.data[0]?.message], ['', ''])
  assert.ok((list.data[0]?.outcome.students ?? 0) === 1)
})

test('a certificate of an erased student is answered like an invented number, and other students keep their ranks', async () => {
  const { students, idOf, teacher, event } = await aReleasedEvent(server)
  const winner = students[0]?.id ?? 0
  const wanted = { resultId: idOf(0), language: 'en' }
  assert.equal((await postFile(schoolCertificate, wanted, teacher.token)).status, 200)
  const { number } = await findRow('certificates', { student_id: winner })
  const check = (asked: string) => server.ask(verifyCertificate, { number: asked })
  const known = await check(number)
  const ranks = () =>
    sql`select olympiad_rank, class_rank from results where event_id = ${event.id} and student_id <> ${winner}
      order by student_id`.execute(server.deps.db)
  const before = await ranks()
  await eraseStudent(winner)
  const unknown = await check('ZZZZZZZZZZZZ')
  assert.notDeepEqual(known, unknown)
  assert.deepEqual(await check(number), unknown)
  assert.deepEqual((await ranks()).rows, before.rows)
})

test('no further certificate is issued for an erased student, also after a correction, and others get theirs', async () => {
  const { students, idOf, teacher, event, rows } = await aReleasedEvent(server)
  const winner = students[0]?.id ?? 0
  await eraseStudent(winner)
  const printed = async (resultId: string) =>
    (await postFile(schoolCertificate, { resultId, language: 'en' }, teacher.token)).status
  assert.deepEqual([await printed(idOf(0)), await printed(idOf(1))], [404, 200])
  const { setId } = await releaseRows(server, event, rows)
  assert.equal((await findRow('results', { set_id: setId, student_id: winner })).exam_roll_no, '')
  assert.equal(await printed(`${setId}-${winner}`), 404)
  const all = { ...searchBody(event), as: 'zip' as const }
  const { jobId } = await server.ask(startSchoolCertificates, all, teacher)
  await server.jobs.drain()
  const { output } = await findRow('jobs', { id: jobId })
  assert.deepEqual(
    (output as BulkOutput).files.map(({ certificates }) => certificates),
    [4],
  )
})

test('an erased student is invited to no next level, and an invitation that was sent is closed', async () => {
  const { students, event } = await aReleasedEvent(server)
  const { id: eventYearId } = event
  const [winner, other] = [students[0]?.id ?? 0, students[1]?.id ?? 0]
  await eraseStudent(winner)
  await server.ask(makeNextLevel, { eventYearId, answerBy: '2026-12-15', note: '' }, second)
  const invited = (studentId: number) =>
    findRows('next_level_invitations', { event_id: event.id, student_id: studentId }, ['wanted', 'notice'])
  assert.deepEqual([(await invited(winner)).length, (await invited(other)).length], [0, 1])
  await changeRows('next_level_invitations', { event_id: event.id, student_id: other }, { notice: 'invited' })
  await eraseStudent(other)
  assert.deepEqual(await invited(other), [{ wanted: false, notice: 'withdrawn' }])
})

test('files of certificates that include an erased student can no longer be downloaded', async () => {
  const { students, event, school, other } = await aReleasedEvent(server)
  const [own, office] = [await aTeacher({ schoolId: school.id }), await anOfficer('results')]
  const elsewhere = await aTeacher({ schoolId: other.id })
  const zip = { eventYearId: event.id, as: 'zip' as const }
  const start = (by: { token: string }) =>
    server.call(startSchoolCertificates, { body: { ...searchBody(event), as: 'zip' } }, by)
  const jobs = [
    { by: own, fetched: schoolCertificateFile, id: (await start(own)).body.jobId },
    {
      by: office,
      fetched: officeCertificateFile,
      id: (await server.ask(startOfficeCertificates, zip, office)).jobId,
    },
    { by: elsewhere, fetched: schoolCertificateFile, id: (await start(elsewhere)).body.jobId },
  ]
  await server.jobs.drain()
  const answers = () =>
    Promise.all(
      jobs.map(
        async ({ by, fetched, id }) => (await postFile(fetched, { jobId: id, part: 0 }, by.token)).status,
      ),
    )
  assert.deepEqual(await answers(), [200, 200, 200])
  await eraseStudent(students[0]?.id ?? 0)
  assert.deepEqual(await answers(), [409, 409, 200])
})

test('an erased student leaves the answer kept for a repeated request, and what was searched for in an export', async () => {
  const teacher = await aTeacher()
  const entry = anEntry({ studentName: 'Dovqaxilor Kelimwala', parentName: 'Hetqaxilor Kelimwala' })
  const enter = () =>
    server.call(
      saveStudentDetails,
      { body: entry },
      { token: teacher.token, headers: { 'idempotency-key': `erased-${teacher.id}` } },
    )
  const { id } = (await enter()).body.data
  for (const search of [
    'dovqaxilor',
    'Kelimwala  Hetqaxilor',
    'Kelimwala Dovqaxilor Kalpanagar',
    'Kelimwala Om',
  ])
    await takeCsv(server, exportOfficeStudents, { FYear: thisSeason, search }, second)
  const planted = await tablesContaining('qaxilor')
  for (const table of ['idempotency_keys', 'audit'])
    assert.ok(planted.includes(table), `the test plants nothing in ${table}: ${planted}`)
  await eraseStudent(id)
  assert.deepEqual(await tablesContaining('qaxilor'), [])
  await refused('request.in_progress', enter())
  const lines = await auditLines(['change'], { action: 'students.exported' })
  assert.deepEqual(
    lines.map(({ change }) => Object(change).filters.search),
    ['•••', '•••', '•••', 'Kelimwala Om'],
  )
})

test("a sibling's page, entry and log entries stay as they are", async () => {
  const family = await aVisitingFamily(server, [
    { studentName: 'Ira Kelimwala', rollno: 1 },
    { studentName: 'Om Kelimwala', rollno: 2 },
  ])
  const recorded = () =>
    auditLines(['action', 'change'], { subject_kind: 'student', subject_id: family.ids[1] })
  const before = await recorded()
  assert.ok(JSON.stringify(before).includes(family.mobile))
  await eraseStudent(family.ids[0] ?? 0)
  assert.deepEqual(await recorded(), before)
  const body = await server.ask(getFamilyStudents, { GroupId: family.groupId }, family)
  assert.equal(body.verified, true)
  assert.deepEqual(valuesOf(body.data, 'studentName', 'mobileNo'), [['Om Kelimwala', family.mobile]])
})

test('an erasure needs a second person and a checked identity; the database enforces it too', async () => {
  const { id: child } = await aFamily(server)
  const id = await asked(child)
  await refused('privacy.not_checked', carryOut(id, second, 1))
  await checkRequest(id)
  await refused('privacy.second_person', carryOut(id, first))
  await assert.rejects(
    sql`update data_requests set state = 'done', decided_by = checked_by
      where id = ${id}`.execute(server.deps.db),
    /check constraint/,
  )
  const there = await server.deps.db
    .selectFrom('students')
    .select('name')
    .where('id', '=', child)
    .executeTakeFirst()
  assert.notEqual(there?.name, 'Erased')
})

test("an erased student's name also leaves earlier schools, merged schools, imports and printed files", async () => {
  const { db, files } = server.deps
  const teacher = await aTeacher()
  const { id } = await aFamily(server, [{ studentName: 'Quvxa Kelimwala' }], teacher)
  const merged = await aSchool()
  await changeRows(
    'schools',
    { id: merged.id },
    { merged_into: teacher.schoolId, merged_at: aDay, active: false },
  )
  const sheet = {
    id: randomUUID(),
    school_id: teacher.schoolId,
    season: thisSeason,
    file_name: 'list.xlsx',
    sha256: randomUUID(),
    row_count: 1,
    good_count: 1,
    good_rows: JSON.stringify([{ name: 'Quvxa Kelimwala' }]),
    preview: '{}',
    created_by: teacher.id,
    created_at: aDay,
  }
  await addRow('student_imports', sheet)
  for (const school of [teacher.schoolId, merged.id])
    await addLine('payment', school, { students: ['Quvxa Kelimwala', 'Om Udaharan'] })
  for (const item of [{ kind: 'exams.papers' }, { kind: 'print', schoolId: teacher.schoolId }])
    await db
      .transaction()
      .execute((tx) =>
        storeFile(tx, files, aDay, {
          ...item,
          name: 'Quvxa.pdf',
          mediaType: 'application/pdf',
          bytes: Buffer.from(`Quvxa ${item.kind}`),
        }),
      )
  const next = await aTeacher()
  const to = await findRow('schools', { id: next.schoolId }, ['code'])
  const child = await findRow('students', { id }, ['version'])
  const moving = { id, version: child.version, schCode: to.code, section: 'C', rollno: 12, reason: 'Moved.' }
  await server.ask(moveStudent, moving, first)
  const planted = await tablesContaining('Quvxa')
  for (const table of ['students', 'student_imports', 'audit', 'files'])
    assert.ok(planted.includes(table), `the test plants nothing in ${table}: ${planted}`)
  await eraseStudent(id)
  assert.deepEqual(await tablesContaining('Quvxa'), [])
  assert.ok(
    (await tablesContaining('Om Udaharan')).includes('audit'),
    'another student was removed from the log',
  )
})

test('a list that is being printed while a student on it is erased is made again without the student', async () => {
  const { db, files } = server.deps
  const teacher = await aTeacher()
  const { id } = await aFamily(
    server,
    [{ studentName: 'Quvxa Kelimwala' }, { studentName: 'Om Misaal' }],
    teacher,
  )
  const { promise: erased, resolve: done } = Promise.withResolvers<void>()
  const { promise: locked, resolve: begin } = Promise.withResolvers<void>()
  // The letterhead is read after the names.
  const holding = db.transaction().execute(async (tx) => {
    await sql`lock table foundation in access exclusive mode`.execute(tx)
    begin()
    await erased
  })
  await locked
  const printed = await server.ask(printPaper, { FYear: thisSeason, paper: 'class-list' }, teacher)
  const isWaiting = sql`select from pg_locks where relation = 'foundation'::regclass and not granted`
  while ((await isWaiting.execute(db)).rows.length === 0) await turn()
  await db.transaction().execute((tx) => eraseChild(tx, files, aDay, [id]))
  done()
  await holding
  await server.jobs.drain()
  const { bytes } = await server.download(printFile, { printId: printed.printId }, teacher)
  const text = pdfText(bytes)
  assert.deepEqual([text.includes('Om Misaal'), text.includes('Quvxa')], [true, false])
})

test('a parent who teaches at the school stays named as a teacher, with the e-mails and log entries of a teacher', async () => {
  const { db } = server.deps
  const teacher = await aTeacher()
  const child = { studentName: 'Mini Kelimwala', parentName: 'Wojqa Kelimwala' }
  const family = await aFamily(server, [child], teacher)
  const address = `f${family.mobile}@family.example`
  await changeRows('users', { id: teacher.id }, { email: address, name: 'Wojqa Kelimwala' })
  const own = await addLine('user', family.schoolId, { from: { name: 'Wojqa Kelimwala', email: address } })
  const listed = await addLine('payment', family.schoolId, { parents: ['Wojqa Kelimwala'] })
  const mails = ['password:77:1', `family-link:${family.id}:x:1`]
  await db.transaction().execute(async (tx) => {
    for (const key of mails)
      await enqueueMail(tx, aDay, {
        key,
        kind: 'family',
        to: { name: 'Wojqa Kelimwala', address },
        subject: 'Podium',
        text: 'A mail.',
      })
  })
  await eraseStudent(family.id)
  assert.deepEqual(await changeOf(own), { from: { name: 'Wojqa Kelimwala', email: address } })
  assert.deepEqual(await changeOf(listed), { parents: ['•••'] })
  const left = await findRows('outbox', { key: mails }, ['key'])
  assert.deepEqual(
    valuesOf(left, 'key'),
    ['password:77:1'],
    "the teacher's own mail stays, the one about the child goes",
  )
})

test('a student whose name is that of a log field removes no field with it', async () => {
  const family = await aFamily(server)
  await changeRows('students', { id: family.id }, { name: 'reason', name_key: 'reason' })
  const some = await addLine('payment', family.schoolId, { reason: 'Paid twice.', students: ['reason'] })
  const none = await addLine('payment', family.schoolId, { reason: 'Paid late.' })
  await eraseStudent(family.id)
  assert.deepEqual(await changeOf(some), { reason: 'Paid twice.', students: ['•••'] })
  assert.deepEqual(await changeOf(none), { reason: 'Paid late.' })
})

test('an officer who joined after the check cannot be the second person', async () => {
  const { id: child } = await aFamily(server)
  const id = await asked(child)
  await checkRequest(id)
  const late = await anOfficer('owner')
  await changeRows('staff', { id: late.id }, { created_at: new Date(aDay.getTime() + 1000) })
  const body = await server.ask(dataRequests, { student: String(child) }, late)
  assert.match(String(body.data[0]?.can.carryOut), /joined after this was prepared/)
  await refused('second.too_new', carryOut(id, late))
  assert.equal((await carryOut(id, second)).status, 200)
})

test('a student whose payment is being verified is not erased', async () => {
  const { id: child } = await aFamily(server)
  await changeRows('students', { id: child }, { locked: true })
  const id = await asked(child)
  await checkRequest(id)
  await refused('privacy.money_under_way', carryOut(id, second))
})

test("a student's records of all seasons are erased together", async () => {
  const family = await aFamily(server)
  const own = await findRow('students', { id: family.id })
  await aSeason('2025-26' as typeof thisSeason)
  const { id: _, search_key: __, ...columns } = own as typeof own & { search_key?: string }
  const { id: last } = await addRow('students', {
    ...columns,
    season: '2025-26',
    family_link_id: null,
    exam_roll_no: null,
  })
  await changeRows('students', { id: family.id }, { carried_from: last })
  await eraseStudent(family.id)
  const names = await findRows('students', { id: [family.id, last] }, ['name'])
  assert.deepEqual(valuesOf(names, 'name'), ['Erased', 'Erased'])
})

test('a student who is carried over between the check and the erasure is erased in both seasons', async () => {
  const family = await aFamily(server)
  await aSeason('2025-26' as typeof thisSeason)
  await changeRows('students', { id: family.id }, { season: '2025-26' })
  const id = await asked(family.id)
  await checkRequest(id)
  const own = await findRow('students', { id: family.id })
  const { id: _, search_key: __, ...columns } = own as typeof own & { search_key?: string }
  const next = { ...columns, season: thisSeason, carried_from: family.id, family_link_id: null }
  const { id: carried } = await addRow('students', next)
  assert.equal((await carryOut(id, second)).status, 200)
  const names = await findRows('students', { id: [family.id, carried] }, ['name'])
  assert.deepEqual(valuesOf(names, 'name'), ['Erased', 'Erased'])
})

test('an erased student whom nobody had paid for is not restored by the school', async () => {
  const teacher = await aTeacher()
  const { body } = await server.call(saveStudentDetails, { body: anEntry({ cb: '' }) }, teacher)
  const { id: studentId } = body.data
  await eraseStudent(studentId)
  const [listed] = (await server.ask(getStudentDetails, { FYear: thisSeason }, teacher)).data
  assert.deepEqual([listed?.studentName, listed?.can.restore], ['Erased', 'enrolment.cancelled'])
  await refused('enrolment.cancelled', server.call(restoreStudent, { body: { studentId } }, teacher))
})

test('every text column of the database is listed with whether it is about a student', async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns c
    where table_schema = current_schema() and is_generated = 'NEVER'
      and data_type in ('text', 'jsonb', 'json', 'ARRAY', 'character varying',
      'uuid')`.execute(server.deps.db)
  const elsewhere = new Set(tablesNotAboutChildren.split(' '))
  const listed = new Set(
    [
      ...Object.entries(tablesAboutChildren),
      ...Object.entries(plainColumns),
      ...Object.entries(storedAboutStudents).map(([table, { columns }]) => [table, columns] as const),
    ].flatMap(([table, columns]) => columns.split(' ').map((column) => `${table}.${column}`)),
  )
  const unlisted = rows
    .filter(({ table }) => !elsewhere.has(table))
    .map(({ table, column }) => `${table}.${column}`)
    .filter((name) => !listed.has(name))
  const numbers = new Set(['result_marks.section_marks', 'results.section_marks', 'results.tie_breaks'])
  assert.deepEqual(
    unlisted.filter((name) => !numbers.has(name)),
    [],
    'say in rules.ts what these hold',
  )
})
