import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Season } from '@podium/contract/season'
import { getStudentDetails } from '@podium/contract/students/calls'
import {
  cancelImport,
  confirmImport,
  importStatus,
  importStudents,
  importTemplate,
} from '@podium/contract/students/calls-import'
import type { ImportPreview } from '@podium/contract/students/calls-import-preview'
import { sql } from 'kysely'
import { readSheet } from '#platform/sheets/spreadsheet'
import { type SheetValue, writeTemplate } from '#platform/sheets/spreadsheet-write'
import { whileHeld } from '#test/database'
import { aDay, aTeacher, eventOf, thisSeason } from '#test/factories'
import { changeRows, findRows, valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'
import { anEnteredStudent, aSeasonOfItsOwn, aTeacherInSeason } from '#test/students-factories'
import { sheetFiles } from '../../../../../e2e/fixtures/sheets.ts'
import type { Outcome, SheetFile } from '../../../../../e2e/fixtures/sheets-right.ts'

const server = beforehand(() => testServer({ clock: () => aDay }))

const titles = ['Class', 'Section', 'Roll No', 'Student Name', 'Parent Mobile', 'Subjects', 'CB']
type Row = readonly SheetValue[]

const csv = (rows: readonly Row[]) =>
  Buffer.from(
    rows
      .map((row) => row.map((cell) => `"${String(cell ?? '').replaceAll('"', '""')}"`).join(','))
      .join('\r\n'),
  )
const xlsx = (head: readonly string[], rows: readonly Row[]) =>
  writeTemplate(
    'Students',
    head.map((title) => ({ title })),
    rows,
  )

interface Teacher {
  token: string
}

async function upload(teacher: Teacher, bytes: Buffer, name = 'students.csv', season: Season = thisSeason) {
  const file = { name, bytes: new Uint8Array(bytes) }
  return server.call(importStudents, { query: { FYear: season } }, { token: teacher.token, file })
}

async function finished(teacher: Teacher, importId: string) {
  await server.jobs.drain()
  return server.ask(importStatus, { importId }, teacher)
}

async function confirmed(teacher: Teacher, importId: string) {
  await server.ask(confirmImport, { importId }, teacher)
  return finished(teacher, importId)
}

const list = async (teacher: Teacher) =>
  (await server.ask(getStudentDetails, { FYear: thisSeason }, teacher)).data

const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, i) => [
    '7',
    'A',
    i + 1,
    `Kavya Udaharan ${i}`,
    '',
    'M,S',
    i % 2 ? 'M' : '',
  ])

test('the correct rows of a spreadsheet become students like those entered in the dialog', async () => {
  const teacher = await aTeacherInSeason()
  const bytes = await xlsx(titles, [
    ['Class 7', 'A', '1', 'Aadhya Kalpanik', '98765 43219', 'Mathematics, Science', 'M'],
    ['VII', 'b', '2', 'Advait Udaharan', '+91-9876543219', 'm;E', ''],
    ['LKG', 'A', '3', 'नैना मिसाल', '', 'A', ''],
  ])
  const checked = await upload(teacher, bytes, 'students.xlsx')
  assert.equal(checked.status, 200, checked.body.message)
  assert.deepEqual(checked.body.errors, [])
  assert.equal(checked.body.goodCount, 3)
  assert.equal(checked.body.state, 'checked')
  assert.equal(checked.body.regAmount, 175 * 4 + 150)
  assert.equal(checked.body.bookAmount, 220)
  assert.deepEqual(await list(teacher), [], 'nothing is saved before it is confirmed')
  const done = await confirmed(teacher, checked.body.importId)
  assert.deepEqual([done.state, done.done, done.total, done.imported, done.refused], ['done', 3, 3, 3, []])
  const rows = await list(teacher)
  assert.deepEqual(
    valuesOf(
      rows,
      'className',
      'section',
      'rollNo',
      'studentName',
      'eventLetter',
      'cb',
      'regAmount',
      'bookAmount',
    ),
    [
      ['LKG', 'A', 3, 'नैना मिसाल', 'A', '', 150, 0],
      ['Class 7', 'A', 1, 'Aadhya Kalpanik', 'M,S', 'Mathematics', 350, 220],
      ['Class 7', 'B', 2, 'Advait Udaharan', 'M,E', '', 350, 0],
    ],
  )
  const ids = rows.map((row) => row.id)
  const links = await findRows('students', { id: ids }, ['family_link_id'])
  assert.equal(new Set(valuesOf(links, 'family_link_id')).size, 2, 'one parent mobile, one link')
  const lines = await findRows('enrolments', { student_id: ids })
  assert.equal(lines.length, 5)
  const books = await findRows('book_choices', { student_id: ids })
  assert.deepEqual(valuesOf(books, 'kind', 'price'), [['cb', 22_000]])
  const trail = await findRows('audit', { action: 'student.imported', subject_id: ids.map(String) })
  assert.equal(trail.length, 3)
})

test('every error of every row is shown at once, by row and column, and the correct rows are counted', async () => {
  const teacher = await aTeacherInSeason()
  await anEnteredStudent(server, teacher, { rollno: 4, studentName: 'Om Misaal' })
  const { status, body } = await upload(
    teacher,
    csv([
      ['Namuna School, students of 2026'],
      titles,
      ['7', 'A', '1', 'Aadhya', '', 'M', ''],
      ['13', 'ZZ', '0', '=cmd()', '12', 'Cooking', ''],
      ['7', 'A', '1', 'Bhavna', '', 'M', ''],
      ['7', 'A', '4', 'Devansh', '', 'M', ''],
      ['7', '', 'x', '', '', '', ''],
      ['7', 'A', '6', 'Farhan', '', 'M', 'S'],
      ['7', 'A', '7', 'Om Misaal', '', 'M', ''],
    ]),
  )
  assert.equal(status, 200, body.message)
  assert.deepEqual(valuesOf(body.errors, 'row', 'columnName', 'field', 'message'), [
    [4, 'A', 'classId', 'This is not a class: Nursery, LKG, UKG or 1 to 12.'],
    [4, 'B', 'section', 'Section is A to Z, or - for none.'],
    [4, 'C', 'rollno', 'Roll No is a whole number from 1.'],
    [4, 'D', 'studentName', 'A name does not begin with =, +, - or @.'],
    [4, 'E', 'parentMobileNo', 'Enter valid mobile no.'],
    [5, 'C', 'rollno', 'Roll no 1 in Class 7 A is already used in row 3.'],
    [6, 'C', 'rollno', 'Roll no 4 in Class 7 A is taken by Om Misaal.'],
    [7, 'B', 'section', 'Section is required.'],
    [7, 'C', 'rollno', 'Roll No is a whole number from 1.'],
    [7, 'D', 'studentName', 'Student Name is required.'],
    [7, 'F', 'subjectName', 'Subject is required.'],
    [8, 'G', 'cb', 'Comprehensive Book: please choose the subject Science first.'],
  ])
  assert.deepEqual([body.rowCount, body.goodCount, body.badCount, body.errorCount], [7, 2, 5, 12])
  assert.deepEqual(
    [body.questions, body.odd],
    [[], [{ row: 9, message: 'Om Misaal of Class 7 A, roll no 4, has the same name.' }]],
    'the same name alone is pointed out, not asked about',
  )
})

test('only a row that is otherwise correct takes its roll no; of two such rows the later one is refused', async () => {
  const teacher = await aTeacherInSeason()
  await anEnteredStudent(server, teacher, { rollno: 9, studentName: 'Asha Misaal' })
  await anEnteredStudent(server, teacher, { rollno: 10, studentName: 'Devika Namuna' })
  const { body } = await upload(
    teacher,
    csv([
      titles,
      ['7', 'A', '9', 'Bhavna', '12', 'M', ''],
      ['7', 'A', '9', 'Asha Misaal', '', 'M', ''],
      ['7', 'A', '10', 'Chetan', '', 'M', ''],
      ['7', 'A', '10', 'Devika Namuna', '', 'M', ''],
      ['7', 'A', '1', 'Esha', '12', 'M', ''],
      ['7', 'A', '1', 'Farhan', '', 'M', ''],
      ['7', 'A', '1', 'Gauri', '', 'M', ''],
      ['7', 'A', '1', 'Hari', '', 'Cooking', ''],
    ]),
  )
  assert.deepEqual(valuesOf(body.errors, 'row', 'columnName', 'message'), [
    [2, 'E', 'Enter valid mobile no.'],
    [4, 'C', 'Roll no 10 in Class 7 A is taken by Devika Namuna.'],
    [6, 'E', 'Enter valid mobile no.'],
    [8, 'C', 'Roll no 1 in Class 7 A is already used in row 7.'],
    [9, 'C', 'Roll no 1 in Class 7 A is already used in row 7.'],
    [9, 'F', 'This class has no subject called Cooking.'],
  ])
  assert.deepEqual([body.newCount, body.badCount, body.missingCount], [1, 5, 0])
  assert.equal(
    body.sameCount + body.changedCount + body.keptCount,
    2,
    'the rows of both listed students are correct',
  )
})

test('columns may come in any order, under other names or in Hindi; unknown ones are ignored', async () => {
  const teacher = await aTeacherInSeason()
  const { status, body } = await upload(
    teacher,
    csv([
      ['विषय', 'House', "Father's Name", 'नाम', 'STD.', 'Roll No. (class)'],
      ['Mathematics', 'Blue', 'Hemant', 'इशिता', 'कक्षा ७', '9'],
    ]),
  )
  assert.equal(status, 200, body.message)
  assert.deepEqual(body.errors, [])
  assert.deepEqual(valuesOf(body.columns, 'field'), [
    'subjectName',
    '',
    'parentName',
    'studentName',
    'classId',
    'rollno',
  ])
  assert.equal(body.sample[0]?.section, '-', 'a school without sections leaves the column out')
})

test('class and section in one column are recognised by heading or content', async () => {
  const teacher = await aTeacherInSeason()
  for (const heading of ['Class & Sec', 'Std./Div.', 'कक्षा एवं वर्ग', 'Group']) {
    const { body } = await upload(
      teacher,
      csv([
        ['Roll No', 'Name', heading, 'Subjects'],
        ['9', 'Ishita', 'Class VII-A', 'Mathematics'],
        ['9', 'Om', 'VIIB', 'Mathematics'],
      ]),
    )
    assert.deepEqual(
      valuesOf(body.columns, 'field'),
      ['rollno', 'studentName', 'classId', 'subjectName'],
      heading,
    )
    assert.deepEqual(valuesOf(body.sample, 'className', 'section'), [
      ['Class 7', 'A'],
      ['Class 7', 'B'],
    ])
  }
})

test('a file without the required headings or without rows is refused', async () => {
  const teacher = await aTeacherInSeason()
  await refused(
    'enrolment.import_no_headings',
    upload(
      teacher,
      csv([
        ['Class', 'Name'],
        ['7', 'Om'],
      ]),
    ),
  )
  await refused('enrolment.import_no_rows', upload(teacher, csv([titles])))
})

test('the same file sent twice is recognised, and imported once however often it is confirmed', async () => {
  const teacher = await aTeacherInSeason()
  const bytes = csv([titles, ...rowsOf(3)])
  const first = await upload(teacher, bytes)
  const second = await upload(teacher, bytes)
  assert.deepEqual([first.body.repeated, second.body.repeated], [false, true])
  const { importId } = first.body
  assert.equal(second.body.importId, importId)
  const answers = await Promise.all(
    [1, 2, 3].map(() => server.call(confirmImport, { body: { importId } }, teacher)),
  )
  assert.deepEqual(valuesOf(answers, 'status'), [200, 200, 200])
  const done = await finished(teacher, importId)
  assert.deepEqual([done.state, done.imported], ['done', 3])
  assert.equal((await confirmed(teacher, importId)).imported, 3)
  assert.equal((await list(teacher)).length, 3)
  const again = await upload(teacher, bytes)
  assert.deepEqual([again.body.repeated, again.body.goodCount, again.body.badCount], [true, 0, 0])
  assert.deepEqual(
    [again.body.sameCount, again.body.before?.imported, again.body.before?.undone],
    [3, 3, false],
  )
  assert.notEqual(again.body.importId, importId, 'the first import stays in the history')
  const nothing = { body: { importId: again.body.importId } }
  await refused('enrolment.import_empty', server.call(confirmImport, nothing, teacher))
})

test('two simultaneous confirmations plan one import, and both succeed', async () => {
  const teacher = await aTeacherInSeason()
  const { importId } = (await upload(teacher, await xlsx(titles, rowsOf(3)))).body
  const confirm = () => server.call(confirmImport, { body: { importId } }, teacher)
  const answers = await whileHeld(sql`select from student_imports where id = ${importId} for update`, [
    confirm,
    confirm,
  ])
  assert.deepEqual(valuesOf(answers, 'status'), [200, 200])
  const { rows } = await sql<{ jobs: number }>`
    select count(*)::int as jobs from jobs
    where kind = 'students.import' and input->>'importId' = ${importId}`.execute(server.deps.db)
  assert.equal(rows[0]?.jobs, 1)
  await finished(teacher, importId)
})

test('a roll no taken after the check is reported and not saved, and leaves no family link', async () => {
  const teacher = await aTeacherInSeason()
  const checked = await upload(teacher, csv([titles, ...rowsOf(3)]))
  await anEnteredStudent(server, teacher, { rollno: 2, studentName: 'Pari Misaal' })
  const done = await confirmed(teacher, checked.body.importId)
  assert.equal(done.imported, 2)
  assert.deepEqual(valuesOf(done.refused, 'row', 'field', 'value'), [[3, 'rollno', '2']])
  const links = await findRows('family_links', { school_id: teacher.schoolId }, ['id'])
  assert.equal(links.length, 3)
})

test('a row whose amount has changed since the check is not imported', async () => {
  const teacher = await aTeacherInSeason()
  const season = await aSeasonOfItsOwn()
  const event = await eventOf('S', season)
  const bytes = csv([titles, ['7', 'A', '1', 'Aadhya', '', 'M', ''], ['7', 'A', '2', 'Advait', '', 'S', '']])
  const checked = await upload(teacher, bytes, 'students.csv', season)
  await changeRows('event_fees', { event_id: event.id }, { fee: 20_000 })
  const done = await confirmed(teacher, checked.body.importId)
  assert.deepEqual([done.imported, valuesOf(done.refused, 'row')], [1, [3]])
})

test('an import into an event that has closed since the check fails with the reason and saves nothing', async () => {
  const teacher = await aTeacherInSeason()
  const season = await aSeasonOfItsOwn()
  const event = await eventOf('M', season)
  const checked = await upload(teacher, csv([titles, ...rowsOf(2)]), 'students.csv', season)
  assert.equal(checked.body.goodCount, 2)
  await changeRows('events', { id: event.id }, { closes_on: '2026-11-20' })
  const done = await confirmed(teacher, checked.body.importId)
  assert.deepEqual(
    [done.state, done.imported, done.error],
    ['failed', 0, "Entries have closed for one of this student's subjects."],
  )
  const again = await upload(teacher, csv([titles, ...rowsOf(2)]), 'students.csv', season)
  assert.equal(again.body.errors[0]?.message, 'Enrolment for Mathematics closed on 20-Nov-2026.')
})

test('another school does not find an import', async () => {
  const teacher = await aTeacherInSeason()
  const stranger = await aTeacher()
  const { body } = await upload(teacher, csv([titles, ...rowsOf(1)]))
  const { importId } = body
  const tries = [
    await server.call(importStatus, { query: { importId } }, stranger),
    await server.call(confirmImport, { body: { importId } }, stranger),
    await server.call(cancelImport, { body: { importId } }, stranger),
  ]
  assert.deepEqual(valuesOf(tries, 'status'), [404, 404, 404])
  const own = await server.ask(importStatus, { importId }, teacher)
  assert.equal(own.state, 'checked')
})

test('an interrupted import continues where it stopped', async () => {
  const teacher = await aTeacherInSeason()
  const { body } = await upload(teacher, csv([titles, ...rowsOf(4)]))
  const { importId } = body
  // As left by a process that died after its first batch: two rows processed.
  await changeRows('student_imports', { id: importId }, { done: 2, imported: 2 })
  const done = await confirmed(teacher, importId)
  assert.deepEqual([done.done, done.imported], [4, 4])
  assert.deepEqual(valuesOf(await list(teacher), 'rollNo'), [3, 4])
})

test("the template's headings are understood by the import", async () => {
  const teacher = await aTeacherInSeason()
  const { status, headers, bytes } = await server.download(importTemplate, { FYear: thisSeason }, teacher)
  assert.equal(status, 200)
  assert.match(headers.get('content-disposition') ?? '', /Students 2026-27\.xlsx/)
  const [head] = await readSheet(bytes, 'template.xlsx')
  const filled = await xlsx((head?.cells ?? []).map(String), [
    ['Class 7', 'A', '1', 'Om', 'Hemant', 'h@udaharan.school', '9876543210', 'M, S', 'M', 'S', '', '', ''],
  ])
  const { body } = await upload(teacher, filled, 'students.xlsx')
  assert.deepEqual(body.errors, [])
  assert.deepEqual(
    body.columns.filter((column) => column.field === ''),
    [],
  )
  assert.deepEqual([body.goodCount, body.bookAmount], [1, 220 + 160])
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const mebibyte = 1024 * 1024
const largeBytes = 10_000

function outcomeOf(expected: Exclude<Outcome, { refused: string }>, found: ImportPreview): Outcome {
  const { field, suggestions } = found.errors[0] ?? { field: '', suggestions: [] }
  const meant = suggestions[0]
  return {
    good: found.goodCount,
    ...(found.badCount > 0 ? { bad: found.badCount } : {}),
    ...(found.askedCount > 0 ? { asked: found.askedCount } : {}),
    ...(expected.fault ? { fault: meant === undefined ? [field] : [field, meant] } : {}),
    ...(expected.name ? { name: found.sample[0]?.studentName ?? '' } : {}),
  }
}

async function sent(token: string, { fileName, outcome }: SheetFile, bytes: Buffer): Promise<Outcome> {
  const file = { name: fileName, bytes: new Uint8Array(bytes) }
  const { status, body } = await server.call(
    importStudents,
    { query: { FYear: thisSeason } },
    { token, file },
  )
  if (status !== 200) return { refused: body.code ?? String(status) }
  return 'refused' in outcome ? { good: body.goodCount } : outcomeOf(outcome, body)
}

/** Sends the files of two schools at a time, those of one school one after the other. */
async function sentAll(files: readonly SheetFile[]): Promise<{ outcomes: Outcome[]; most: number }> {
  const outcomes: Outcome[] = []
  const teachers = [await aTeacherInSeason(), await aTeacherInSeason()]
  let next = 0
  let most = 0
  await Promise.all(
    teachers.map(async ({ token }) => {
      for (let at = next++; at < files.length; at = next++) {
        const file = files[at]
        if (!file) continue
        const bytes = file.bytes()
        outcomes[at] = await sent(token, file, bytes)
        most = Math.max(most, process.memoryUsage.rss())
        // Garbage from creating a large file is the test's own; collecting it takes as long as importing a small one.
        if (bytes.length > largeBytes) collectGarbage()
      }
    }),
  )
  return { outcomes, most }
}

test('every sample file gives its expected result, and the server stays up with little memory', async () => {
  assert.ok(sheetFiles.length >= 60, `${sheetFiles.length} files`)
  const before = process.memoryUsage.rss()
  const { outcomes, most } = await sentAll(sheetFiles)
  const unexpected = sheetFiles.flatMap(({ about, outcome }, index) =>
    isDeepStrictEqual(outcomes[index], outcome) ? [] : [{ about, expected: outcome, found: outcomes[index] }],
  )
  assert.deepEqual(unexpected, [])
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
  // Unpacked completely, this file takes gigabytes; bench/import.ts measures a normal one.
  assert.ok(most - before < 512 * mebibyte, `grown by ${Math.round((most - before) / mebibyte)} MB`)
})
