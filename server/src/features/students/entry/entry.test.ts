import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deleteStudent,
  deleteStudentPost,
  exportStudents,
  findStudentsByName,
  getStudentDetails,
  restoreStudent,
  saveStudentDetails,
} from '@podium/contract/students/calls'
import { codeHash, unseal } from '#platform/auth/secrets'
import { readRows } from '#platform/sheets/spreadsheet'
import { cellText } from '#platform/sheets/spreadsheet-rows'
import { aDay, aSchool, aTeacher, eventOf, thisSeason } from '#test/factories'
import { findRow, findRows, valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'
import { aMobile, anEnteredStudent, anEntry, aTeacherInSeason } from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))

const save = (teacher: { token: string }, body: unknown, headers?: Record<string, string>) =>
  server.send(saveStudentDetails, { body }, { token: teacher.token, ...(headers ? { headers } : {}) })
const list = async (teacher: { token: string }, filter: object = {}) => {
  const body = await server.ask(getStudentDetails, { FYear: thisSeason, ...filter }, teacher)
  return body.data
}
const linesOf = (id: number) => findRows('enrolments', { student_id: id }, 'all', 'event_id')
const booksOf = (id: number) => findRows('book_choices', { student_id: id }, 'all', 'kind')
const auditOf = (id: number) =>
  findRows('audit', { subject_kind: 'student', subject_id: String(id) }, 'all', 'id')

test('a student is entered with fees from the price list and appears in the list [spec 1.7 2.9.3 7.35]', async () => {
  const teacher = await aTeacherInSeason()
  const { status, body } = await server.call(
    saveStudentDetails,
    {
      body: anEntry({
        rollno: 12,
        studentName: '  Ishita   Namunawala ',
        parentName: 'Hemant Namunawala',
        parentEmailId: 'Hemant@Udaharan.School',
        parentMobileNo: '+91 98765-43210',
        cb: 'Mathematics,Science',
        pyqp: 'Mathematics',
      }),
    },
    teacher,
  )
  assert.equal(status, 200, body.message)
  assert.equal(body.message, 'Details saved sucessfully')
  const [row, ...others] = await list(teacher)
  assert.deepEqual(others, [])
  assert.deepEqual(row, body.data)
  assert.deepEqual(row, {
    id: row?.id,
    individualRegId: row?.id,
    bookRegId: row?.id,
    classId: 7,
    className: 'Class 7',
    studentName: 'Ishita Namunawala',
    section: 'A',
    rollNo: 12,
    parentName: 'Hemant Namunawala',
    parentEmailId: 'hemant@udaharan.school',
    parentMobileNo: '9876543210',
    subjectName: 'Mathematics,Science',
    eventLetter: 'M,S',
    cb: 'Mathematics,Science',
    pyqp: 'Mathematics',
    genex: '',
    tb: '',
    wb: '',
    bookCount: 3,
    currency: 'INR',
    regAmount: 350,
    bookAmount: 600,
    school_Expenses: 50,
    book_school_Expenses: 60,
    lateFee: 0,
    status: true,
    paymentStatus: false,
    registrationSent: false,
    version: 1,
    can: { edit: true, delete: true, restore: 'enrolment.not_deleted' },
  })
})

test('saving a student writes entries, books, participations and one audit line', async () => {
  const teacher = await aTeacherInSeason()
  const student = await anEnteredStudent(server, teacher, { cb: 'M', pyqp: 'S' })
  const math = await eventOf('M')
  const science = await eventOf('S')
  const lines = await linesOf(student.id)
  assert.deepEqual(valuesOf(lines, 'event_id', 'school_id', 'class_id', 'fee', 'retained'), [
    [math.id, teacher.schoolId, 7, 17_500, 2_500],
    [science.id, teacher.schoolId, 7, 17_500, 2_500],
  ])
  assert.deepEqual(valuesOf(await booksOf(student.id), 'event_id', 'kind', 'price', 'retained'), [
    [math.id, 'cb', 22_000, 2_000],
    [science.id, 'pyqp', 16_000, 2_000],
  ])
  const parts = await findRows('participations', { school_id: teacher.schoolId }, ['event_id'], 'event_id')
  assert.deepEqual(valuesOf(parts, 'event_id'), [math.id, science.id])
  const [line, ...more] = await auditOf(student.id)
  assert.deepEqual(more, [])
  assert.equal(line?.action, 'student.added')
  assert.equal(line?.actor_id, teacher.id)
  assert.equal(line?.school_id, teacher.schoolId)
  assert.equal(line?.season, thisSeason)
})

test('a change replaces subjects and books, keeps the rest, and its audit line has the old and new values [spec 7.35]', async () => {
  const teacher = await aTeacherInSeason()
  const student = await anEnteredStudent(server, teacher, { rollno: 3, cb: 'M,S' })
  const body = anEntry({
    id: student.id,
    version: 1,
    rollno: 4,
    studentName: student.studentName,
    subjectName: 'S,E',
    cb: 'S',
    pyqp: 'E',
  })
  const { status, body: answer } = await save(teacher, body)
  assert.equal(status, 200, answer.message)
  const [row] = await list(teacher)
  assert.equal(row?.version, 2)
  assert.equal(row?.eventLetter, 'S,E')
  assert.equal(row?.bookAmount, 220 + 150)
  assert.equal((await linesOf(student.id)).length, 2)
  assert.deepEqual(valuesOf(await booksOf(student.id), 'kind'), ['cb', 'pyqp'])
  const lines = await auditOf(student.id)
  assert.deepEqual(valuesOf(lines, 'action'), ['student.added', 'student.changed'])
  assert.deepEqual(lines[1]?.change, {
    from: { rollNo: 3, subjects: 'M,S', cb: 'Mathematics,Science', pyqp: '', bookAmount: 44_000 },
    to: { rollNo: 4, subjects: 'S,E', cb: 'Science', pyqp: 'English', bookAmount: 37_000 },
  })
})

test('a class 13 or higher has text books and work books [spec 2.9.9]', async () => {
  const teacher = await aTeacherInSeason()
  const lkg = await anEnteredStudent(server, teacher, {
    classId: 13,
    subjectName: 'A,B',
    cb: '',
    tb: 'A,B',
    wb: 'B',
  })
  assert.equal(lkg.className, 'LKG')
  assert.equal(lkg.bookAmount, 150 + 150 + 120)
})

test('the list is filtered by name, class, section and subject, and starts with the youngest class [spec 2.9.1 7.38]', async () => {
  const teacher = await aTeacherInSeason()
  await anEnteredStudent(server, teacher, { studentName: 'Advait Misaal', classId: 8, section: 'B' })
  await anEnteredStudent(server, teacher, { studentName: 'Naina', classId: 15, subjectName: 'A', cb: '' })
  await anEnteredStudent(server, teacher, {
    studentName: 'Bhavna Kalpanik',
    classId: 2,
    subjectName: 'E',
    cb: '',
  })
  const names = async (filter: object) => (await list(teacher, filter)).map((row) => row.studentName)
  assert.deepEqual(await names({}), ['Naina', 'Bhavna Kalpanik', 'Advait Misaal'])
  assert.deepEqual(await names({ studentName: 'KALP' }), ['Bhavna Kalpanik'])
  assert.deepEqual(await names({ studentName: 'alp' }), [], 'names match by their beginning')
  assert.deepEqual(await names({ studentName: '%' }), await names({}), 'no pattern can be smuggled in')
  assert.deepEqual(await names({ classId: 8 }), ['Advait Misaal'])
  assert.deepEqual(await names({ section: 'b' }), ['Advait Misaal'])
  assert.deepEqual(await names({ subjectName: 'Science' }), ['Advait Misaal'])
  assert.deepEqual(await names({ subjectName: 'E' }), ['Bhavna Kalpanik'])
  assert.deepEqual(
    await names({ classId: 0, section: '', studentName: null, subjectName: '' }),
    await names({}),
  )
})

test('a school finds its active students by part of a name, at most eight', async () => {
  const teacher = await aTeacherInSeason()
  for (let rollno = 1; rollno <= 9; rollno++)
    await anEnteredStudent(server, teacher, { rollno, studentName: `Kabir Namuna ${rollno}` })
  const find = async (who: { token: string }, studentName: string) => {
    const { status, body } = await server.call(
      findStudentsByName,
      { query: { FYear: thisSeason, studentName } },
      who,
    )
    return status === 200 ? body.data.map((row) => [row.studentName, row.className, row.rollNo]) : status
  }
  assert.deepEqual(await find(teacher, 'namuna 3'), [['Kabir Namuna 3', 'Class 7', 3]])
  const many = await find(teacher, 'kab')
  assert.equal(Array.isArray(many) && many.length, 8)
  assert.deepEqual(await find(teacher, '%%'), [])
  assert.equal(await find(teacher, 'k'), 400)
  assert.deepEqual(await find(await aTeacherInSeason(), 'kabir'), [], 'not those of another school')
})

test('another school neither sees nor changes a student', async () => {
  const teacher = await aTeacherInSeason()
  const stranger = await aTeacher()
  const student = await anEnteredStudent(server, teacher)
  assert.deepEqual(await list(stranger), [])
  const edit = anEntry({ id: student.id, version: 1 })
  const tries = [
    await save(stranger, edit),
    await server.call(deleteStudent, { query: { studentId: String(student.id) } }, stranger),
    await server.call(deleteStudentPost, { body: { studentId: student.id } }, stranger),
    await server.call(restoreStudent, { body: { studentId: student.id } }, stranger),
    await save(stranger, { ...edit, id: 999_999_999 }),
  ]
  assert.deepEqual(
    tries.map(({ status, body }) => [status, body.code]),
    Array(5).fill([404, 'not_found']),
  )
  const [row] = await list(teacher)
  assert.deepEqual(row, student)
  assert.equal((await auditOf(student.id)).length, 1)
})

test('a request that names another school is refused', async () => {
  const teacher = await aTeacherInSeason()
  const other = await aSchool()
  for (const named of [{ schId: other.id }, { schCode: other.code }]) {
    await refused('access.other_school', save(teacher, { ...anEntry(), ...named }))
  }
  const listed = await server.send(
    getStudentDetails,
    { body: { fyear: thisSeason, schId: other.id } },
    teacher,
  )
  assert.equal(listed.status, 403)
})

test('a deleted student stays in the list and is restored completely [spec 4.10 7.39]', async () => {
  const teacher = await aTeacherInSeason()
  const student = await anEnteredStudent(server, teacher, { rollno: 5 })
  const gone = await server.call(deleteStudent, { query: { studentId: String(student.id) } }, teacher)
  assert.deepEqual([gone.status, gone.body.version], [200, 2])
  const [deleted] = await list(teacher)
  assert.equal(deleted?.status, false)
  assert.deepEqual(deleted?.can, { edit: 'enrolment.deleted', delete: 'enrolment.deleted', restore: true })
  assert.equal((await linesOf(student.id)).length, 2)
  await server.refuses('enrolment.deleted', deleteStudentPost, { studentId: student.id }, teacher)
  await server.ask(restoreStudent, { studentId: student.id, version: 2 }, teacher)
  assert.deepEqual((await list(teacher))[0], { ...student, version: 3 })
  await server.refuses('enrolment.not_deleted', restoreStudent, { studentId: student.id }, teacher)
  assert.deepEqual(valuesOf(await auditOf(student.id), 'action'), [
    'student.added',
    'student.deleted',
    'student.restored',
  ])
})

test('a deletion or restoration sent again because its answer was lost is answered as done, and happens once', async () => {
  const teacher = await aTeacherInSeason()
  const { id: studentId } = await anEnteredStudent(server, teacher)
  for (const [endpoint, version] of [
    [deleteStudentPost, 1],
    [restoreStudent, 2],
  ] as const)
    for (let sent = 0; sent < 2; sent++)
      assert.equal((await server.ask(endpoint, { studentId, version }, teacher)).version, version + 1)
  assert.equal((await auditOf(studentId)).length, 3)
  await server.refuses('changed_meanwhile', deleteStudentPost, { studentId, version: 1 }, teacher)
})

test('a restored student whose link was revoked meanwhile gets the link that their mobile has now', async () => {
  const teacher = await aTeacherInSeason()
  const parentMobileNo = aMobile()
  const enter = (studentName: string) => anEnteredStudent(server, teacher, { parentMobileNo, studentName })
  const linkOf = async (id: number) => (await findRow('students', { id })).family_link_id ?? ''
  const { id } = await enter('Asha Misaal')
  const before = await linkOf(id)
  await server.ask(deleteStudentPost, { studentId: id }, teacher)
  await server.ask(restoreStudent, { studentId: id }, teacher)
  assert.equal(await linkOf(id), before)
  await server.ask(deleteStudentPost, { studentId: id }, teacher)
  const other = await enter('Om Kalpanik')
  assert.notEqual((await findRow('family_links', { id: before })).revoked_at, null)
  await server.ask(restoreStudent, { studentId: id }, teacher)
  assert.equal(await linkOf(id), await linkOf(other.id))
})

test("a deleted student's roll no is free, and restoring is refused while someone else has it", async () => {
  const teacher = await aTeacherInSeason()
  const first = await anEnteredStudent(server, teacher, { rollno: 8 })
  await server.ask(deleteStudentPost, { studentId: first.id }, teacher)
  await anEnteredStudent(server, teacher, { rollno: 8, studentName: 'Om Misaal' })
  const { status, body } = await server.call(restoreStudent, { body: { studentId: first.id } }, teacher)
  assert.equal(status, 409)
  assert.deepEqual(body.issues, [
    { path: 'rollno', message: 'Roll no 8 in Class 7 A is now taken by Om Misaal.' },
  ])
  assert.equal((await auditOf(first.id)).length, 2)
})

test('students with the same parent mobile share a family link; others have their own, each with a printable code', async () => {
  const teacher = await aTeacherInSeason()
  const elder = await anEnteredStudent(server, teacher, { parentMobileNo: '9876500001' })
  const younger = await anEnteredStudent(server, teacher, { parentMobileNo: '09876500001', classId: 5 })
  const alone = await anEnteredStudent(server, teacher)
  const elsewhere = await anEnteredStudent(server, await aTeacher(), { parentMobileNo: '9876500001' })
  const linkOf = async (id: number) =>
    await server.deps.db
      .selectFrom('students as st')
      .innerJoin('family_links as l', 'l.id', 'st.family_link_id')
      .selectAll('l')
      .where('st.id', '=', id)
      .executeTakeFirstOrThrow()
  const link = await linkOf(elder.id)
  assert.equal((await linkOf(younger.id)).id, link.id)
  const ids = new Set([link.id, (await linkOf(alone.id)).id, (await linkOf(elsewhere.id)).id])
  assert.equal(ids.size, 3)
  const code = unseal(server.deps.keys, link.access_code_sealed)
  assert.match(code, /^[2-9A-HJKMNP-Z]{8}$/)
  assert.equal(codeHash(server.deps.keys, link.id, code), link.access_code_hash)
  // An edit keeps the link, unless the mobile changes.
  const edit = (version: number, parentMobileNo: string) =>
    save(teacher, anEntry({ id: alone.id, version, studentName: 'Pari', parentMobileNo }))
  const own = (await linkOf(alone.id)).id
  assert.equal((await edit(1, '')).status, 200)
  assert.equal((await linkOf(alone.id)).id, own)
  assert.equal((await edit(2, '98765 00001')).status, 200)
  assert.equal((await linkOf(alone.id)).id, link.id)
})

async function deleteAll(teacher: { token: string }) {
  for (const { id, status } of await list(teacher))
    if (status) await server.ask(deleteStudent, { studentId: String(id) }, teacher)
}

test('a request repeated with the same idempotency key saves one student', async () => {
  const teacher = await aTeacherInSeason()
  const entry = anEntry()
  const key = { 'idempotency-key': `save-${entry.rollno}-${teacher.id}` }
  const first = await save(teacher, entry, key)
  const second = await save(teacher, entry, key)
  assert.deepEqual(second.body, first.body)
  assert.equal((await list(teacher)).length, 1)
  await refused('request.repeated_differently', save(teacher, { ...entry, rollno: 1 }, key))
  await refused('request.repeated_differently', save(teacher, { ...entry, rollno: 2 }, key))
  // The key counts even when nothing else prevents a second save.
  await deleteAll(teacher)
  assert.deepEqual((await save(teacher, entry, key)).body, first.body)
  assert.deepEqual(valuesOf(await list(teacher), 'status'), [false])
  // A refused request does not use up its key.
  const late = { 'idempotency-key': `late-${entry.rollno}-${teacher.id}` }
  assert.equal((await save(teacher, entry)).status, 200)
  assert.equal((await save(teacher, entry, late)).status, 409)
  await deleteAll(teacher)
  assert.equal((await save(teacher, entry, late)).status, 200)
})

test('a change repeated with its key, or sent several times at once, is carried out once', async () => {
  const teacher = await aTeacherInSeason()
  const entry = anEntry()
  const key = { 'idempotency-key': `many-${entry.rollno}-${teacher.id}` }
  const answers = await Promise.all(Array.from({ length: 5 }, () => save(teacher, entry, key)))
  const [first] = answers
  for (const { status, body } of answers) assert.deepEqual([status, body], [200, first?.body])
  const rows = await list(teacher)
  assert.equal(rows.length, 1)
  const id = rows[0]?.id ?? 0
  const changed = { ...entry, id, version: 1, studentName: 'Another Name' }
  const again = { 'idempotency-key': `again-${entry.rollno}-${teacher.id}` }
  const once = await save(teacher, changed, again)
  assert.equal((await list(teacher))[0]?.version, 2)
  assert.deepEqual((await save(teacher, changed, again)).body, once.body)
  assert.equal((await auditOf(id)).length, 2)
})

async function exported(token: string, body: object, format: 'xlsx' | 'csv' = 'csv') {
  const response = await server.post(exportStudents, { FYear: thisSeason, format, ...body }, { token })
  const bytes = Buffer.from(await response.arrayBuffer())
  const rows: string[][] = []
  if (response.status === 200)
    for await (const row of readRows(bytes, `students.${format}`)) rows.push(row.cells.map(cellText))
  return { status: response.status, headers: response.headers, text: bytes.toString(), rows: rows.slice(1) }
}

for (const format of ['xlsx', 'csv'] as const) {
  test(`the ${format} export has the filtered students with their amounts`, async () => {
    const teacher = await aTeacherInSeason()
    await anEnteredStudent(server, teacher, { studentName: 'Aadhya Kalpanik', rollno: 4, section: 'A' })
    await anEnteredStudent(server, teacher, { studentName: 'Joel Namunawala', rollno: 2, section: 'B' })
    const all = await exported(teacher.token, {}, format)
    assert.equal(all.rows.length, 2)
    const { rows, headers } = await exported(teacher.token, { section: 'A' }, format)
    assert.match(headers.get('content-disposition') ?? '', /Students 2026-27/)
    assert.equal(rows.length, 1)
    assert.deepEqual(rows[0]?.slice(0, 4), ['Class 7', 'A', '4', 'Aadhya Kalpanik'])
    const list = await server.ask(getStudentDetails, { FYear: thisSeason, section: 'A' }, teacher)
    assert.equal(Number(rows[0]?.at(-6)), list.data[0]?.regAmount)
    assert.equal(rows[0]?.at(-1), 'Unpaid')
  })
}

test('an export of selected students has only these, and none of another school', async () => {
  const teacher = await aTeacherInSeason()
  const other = await aTeacherInSeason()
  const mine = await anEnteredStudent(server, teacher, { studentName: 'Pari Namunawala' })
  await anEnteredStudent(server, teacher, { studentName: 'Om Misaal' })
  const theirs = await anEnteredStudent(server, other)
  const { rows } = await exported(teacher.token, { ids: [mine.id, theirs.id] })
  assert.deepEqual(
    rows.map((row) => row[3]),
    ['Pari Namunawala'],
  )
})

test('an export for another school is refused', async () => {
  const teacher = await aTeacherInSeason()
  const other = await aTeacherInSeason()
  assert.equal((await exported(teacher.token, { schId: other.schoolId })).status, 403)
})

test('a name that looks like a formula is exported as text, and imported again as it was', async () => {
  const teacher = await aTeacherInSeason()
  await anEnteredStudent(server, teacher, { studentName: 'Ira;=1+1', rollno: 1 })
  const { rows, text } = await exported(teacher.token, {})
  assert.match(text, /"Ira;'=1\+1"/)
  assert.equal(rows[0]?.[3], 'Ira;=1+1')
})
