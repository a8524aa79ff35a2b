import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BodyOf } from '@podium/contract/endpoint'
import { getStudentDetails, saveStudentDetails } from '@podium/contract/students/calls'
import {
  confirmImport,
  importStatus,
  importStudents,
  undoImport,
} from '@podium/contract/students/calls-import'
import {
  type ImportPreview,
  importFaults,
  importHistory,
  previewImport,
  recheckImport,
} from '@podium/contract/students/calls-import-preview'
import { writeXlsx } from 'hucre/xlsx'
import { readSheet } from '#platform/sheets/spreadsheet'
import { aDay, thisSeason } from '#test/factories'
import { changeRows, valuesOf } from '#test/rows'
import { beforehand, testServer } from '#test/server'
import { anEnteredStudent, anEntry, aTeacherInSeason } from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))

const titles = ['Class', 'Section', 'Roll No', 'Student Name', 'Parent Mobile', 'Subjects']
type Row = readonly (string | number)[]
type Teacher = Awaited<ReturnType<typeof aTeacherInSeason>>

const csv = (rows: readonly Row[]) =>
  Buffer.from(
    rows.map((row) => row.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(',')).join('\r\n'),
  )

function checked({ token }: Teacher, rows: readonly Row[], name = 'class list.csv') {
  const file = { name, bytes: new Uint8Array(csv(rows)) }
  return server.ask(importStudents, { FYear: thisSeason }, { token, file })
}

type Settings = Omit<BodyOf<typeof recheckImport>, 'importId' | 'revision'>
const rechecked = (teacher: Teacher, { importId, revision }: ImportPreview, settings: Settings) =>
  server.ask(recheckImport, { importId, revision, ...settings }, teacher)

async function imported(teacher: Teacher, { importId, revision }: ImportPreview) {
  await server.ask(confirmImport, { importId, revision }, teacher)
  await server.jobs.drain()
  return server.ask(importStatus, { importId }, teacher)
}

const undone = (teacher: Teacher, { importId }: ImportPreview) =>
  server.call(undoImport, { body: { importId } }, teacher)
const list = async (teacher: Teacher) =>
  (await server.ask(getStudentDetails, { FYear: thisSeason }, teacher)).data
const counts = (found: ImportPreview) => {
  const { newCount, changedCount, sameCount, keptCount, askedCount, outCount, badCount, missingCount } = found
  return { newCount, changedCount, sameCount, keptCount, askedCount, outCount, badCount, missingCount }
}
const none = {
  newCount: 0,
  changedCount: 0,
  sameCount: 0,
  keptCount: 0,
  askedCount: 0,
  outCount: 0,
  badCount: 0,
  missingCount: 0,
}

test('suggestions are applied to their rows, a cell is corrected, and the file is checked again', async () => {
  const teacher = await aTeacherInSeason()
  const found = await checked(teacher, [
    titles,
    ['7', 'A', 1, 'Asha Misaal', '', 'Mathmatics'],
    ['7', 'A', 2, 'Bina Udaharan', '', 'Mathmatics'],
    ['5-Jan', 'A', 3, 'Chand Kalpanik', '', 'Science'],
    ['7', 'A', '', 'Dev Namunawala', '', 'Science'],
  ])
  assert.deepEqual(valuesOf(found.errors, 'row', 'field', 'value', 'suggestions'), [
    [2, 'subjectName', 'Mathmatics', ['Mathematics']],
    [3, 'subjectName', 'Mathmatics', ['Mathematics']],
    [4, 'classId', '5-Jan', ['Class 5', 'Class 1']],
    [5, 'rollno', '', []],
  ])
  const better = await rechecked(teacher, found, {
    cells: [
      ...[2, 3].map((row) => ({ row, column: 6, text: 'Mathematics' })),
      { row: 4, column: 1, text: 'Class 5' },
      { row: 5, column: 3, text: '4' },
    ],
  })
  assert.deepEqual([better.newCount, better.badCount, better.correctedCount], [4, 0, 4])
  const old = await server.call(
    recheckImport,
    { body: { importId: found.importId, revision: found.revision } },
    teacher,
  )
  assert.deepEqual(
    [old.status, old.body.code],
    [409, 'changed_meanwhile'],
    'an outdated page changes nothing',
  )
  const unseen = await server.call(
    confirmImport,
    { body: { importId: found.importId, revision: found.revision } },
    teacher,
  )
  assert.equal(unseen.body.code, 'changed_meanwhile', 'and imports nothing')
  const again = await server.ask(previewImport, { importId: found.importId }, teacher)
  assert.deepEqual([again.revision, again.newCount], [better.revision, 4], 'the page shows the latest state')
  assert.equal((await imported(teacher, better)).imported, 4)
  assert.deepEqual(valuesOf(await list(teacher), 'className'), ['Class 5', 'Class 7', 'Class 7', 'Class 7'])
})

test("unknown headings are recognised by their contents, and a school's own mapping is remembered for that school", async () => {
  const teacher = await aTeacherInSeason()
  const rows: Row[] = [
    ['7', 'A', 1, 'Asha Misaal', 'Hemant Misaal', '9812345601', 'Mathematics'],
    ['8', 'B', 2, 'Bina Udaharan', 'Kiran Udaharan', '9812345602', 'M, S'],
    ['8', 'A', 3, 'Chand Kalpanik', 'Lata Kalpanik', '9812345603', 'Science'],
  ]
  const bare = await checked(teacher, rows)
  assert.deepEqual(
    valuesOf(bare.columns, 'field', 'by'),
    ['classId', 'section', 'rollno', 'studentName', 'parentName', 'parentMobileNo', 'subjectName'].map(
      (field) => [field, 'content'],
    ),
  )
  assert.deepEqual([bare.headRow, bare.newCount], [0, 3])
  assert.deepEqual(bare.columns[3]?.samples, ['Asha Misaal', 'Bina Udaharan', 'Chand Kalpanik'])

  const head = ['Class', 'Sec', 'Roll', 'Name', 'Called', 'WhatsApp', 'Opted for']
  const wrong = await checked(teacher, [head, ...rows])
  assert.deepEqual(valuesOf(wrong.columns, 'field'), [
    'classId',
    'section',
    'rollno',
    'studentName',
    '',
    'parentMobileNo',
    'subjectName',
  ])
  const right = await rechecked(teacher, wrong, {
    columns: [
      { column: 5, field: 'studentName' },
      { column: 4, field: 'parentName' },
    ],
  })
  assert.equal(right.sample[0]?.studentName, 'Hemant Misaal')
  const turned = [...head].reverse()
  const next = await checked(teacher, [turned, ...rows.map((row) => [...row].reverse())])
  assert.deepEqual(
    valuesOf(next.columns, 'field', 'by'),
    [
      ['subjectName', 'remembered'],
      ['parentMobileNo', 'heading'],
      ['studentName', 'remembered'],
      ['parentName', 'remembered'],
      ['rollno', 'heading'],
      ['section', 'heading'],
      ['classId', 'heading'],
    ],
    'in any order',
  )
  const stranger = await checked(await aTeacherInSeason(), [head, ...rows])
  assert.equal(stranger.columns[4]?.field, '', 'another school has no such mapping')
  const lost = await rechecked(teacher, next, { columns: [{ column: 7, field: '' }] })
  assert.deepEqual(
    [lost.unmapped, lost.newCount, lost.errorCount],
    [['classId'], 0, 0],
    'without classes nothing is checked',
  )
  const { importId, revision } = lost
  const invented = { body: { importId, revision, columns: [{ column: 1, field: 'version' }] } }
  assert.equal((await server.call(recheckImport, invented, teacher)).status, 400)
})

test('a possible duplicate waits for a decision: the same student, another student, or left out', async () => {
  const teacher = await aTeacherInSeason()
  const mobile = '9812345611'
  await anEnteredStudent(server, teacher, { rollno: 4, studentName: 'Renée Misaal', parentMobileNo: mobile })
  const found = await checked(teacher, [
    titles,
    ['7', 'B', 9, 'Misaal Renee', mobile, 'Mathematics'],
    ['7', 'A', 10, 'Ishita Udaharan', '9812345614', 'Mathematics'],
    ['7', 'A', 11, 'Ishitaa Udaharan', '9812345614', 'Mathematics'],
    ['7', 'A', 12, 'Om Kalpanik', '9812345612', 'Mathematics'],
    ['7', 'B', 12, 'Om Kalpanik', '9812345613', 'Mathematics'],
    ['7', 'A', 13, 'Meera Nakli', '', 'Mathematics'],
    ['7', 'C', 14, 'Myra Nakli', '', 'Mathematics'],
    ['8', 'C', 15, 'Renee Misaal', '', 'Mathematics'],
  ])
  assert.deepEqual(
    counts(found),
    { ...none, newCount: 6, askedCount: 2 },
    'the same name alone is no question',
  )
  const [first, second] = found.questions
  assert.deepEqual([first?.row, first?.other.studentName, first?.same, first?.of], [2, 'Renée Misaal', 3, 5])
  assert.deepEqual(
    first?.facts.map(({ field, same }) => [field, same]),
    [
      ['studentName', true],
      ['classId', true],
      ['section', false],
      ['rollno', false],
      ['parentMobileNo', true],
    ],
  )
  assert.deepEqual(
    [second?.row, second?.other.row],
    [4, 3],
    'two rows of one file with one mobile; two mobiles are two children',
  )
  const others = await rechecked(teacher, found, {
    choices: [
      { row: 4, choice: 'other' },
      { row: 2, choice: 'out' },
    ],
  })
  assert.deepEqual([others.newCount, others.outRows, others.askedCount], [7, [2], 0])
  const same = await rechecked(teacher, others, {
    choices: [
      { row: 4, choice: 'same' },
      { row: 2, choice: 'same' },
    ],
  })
  assert.deepEqual(
    [same.newCount, same.outCount, same.keptCount],
    [6, 1, 1],
    'a child entered by hand stays as it is',
  )
  assert.equal(same.kept[0]?.reason, 'byHand')
  assert.deepEqual([(await imported(teacher, same)).imported, (await list(teacher)).length], [6, 7])
})

test("a school's everyday list is read without false errors, and rows that are no students are reported", async () => {
  const teacher = await aTeacherInSeason()
  const head = [
    'S.No',
    'Std',
    'Div',
    'R. No.',
    'Name of the student',
    'Contact',
    'Reach us at',
    'Exams',
    'Remarks',
  ]
  const found = await checked(teacher, [
    ['Udaharan School, list of students'],
    head,
    [1, 'VII', 'a', 12, 'Asha Misaal', '9812345651', 'asha@udaharan.example', 'Maths, Science', ''],
    [2, 'Class 7', 'A', '12A', 'Bina Udaharan', '9812345652', 'none', 'Mathematics & English', 'new'],
    [3, '7th', 'A', 14, 'Nisha123 Kalpanik', '9812345653', 'nisha@udaharan.example', 'maths + GK', ''],
    head,
    [4, '7', 'A', '15/1', 'Dev Namunawala', '', '', 'Mathmatics', ''],
    ['Total', '', '', 4, '4 students', '', '', '', ''],
    ['', '', '', '', 'Checked and found right', '', '', '', ''],
  ])
  assert.deepEqual(
    valuesOf(found.errors, 'row', 'field', 'suggestions'),
    [
      [4, 'rollno', []],
      [4, 'parentEmailId', []],
      [7, 'rollno', []],
      [7, 'subjectName', ['Mathematics']],
    ],
    '12 is not suggested, because the first student has it',
  )
  assert.deepEqual(
    valuesOf(found.columns, 'heading', 'field', 'by').filter(
      ([, field]) => !field || field === 'parentEmailId',
    ),
    [
      ['S.No', '', 'nothing'],
      ['Reach us at', 'parentEmailId', 'content'],
      ['Remarks', '', 'nothing'],
    ],
  )
  assert.deepEqual(found.readAs, [
    { written: 'Maths', name: 'Mathematics', rows: 2 },
    { written: 'GK', name: 'General Knowledge', rows: 1 },
  ])
  assert.deepEqual([found.rowCount, valuesOf(found.dropped, 'row')], [4, [6, 8, 9]])
  assert.deepEqual(found.dropped[1]?.text, 'Total, 4, 4 students')
  assert.deepEqual(found.odd, [{ row: 5, message: 'Check the number in the name Nisha123 Kalpanik.' }])
  const asWritten = await rechecked(teacher, found, { notTaken: [{ written: 'Maths', taken: false }] })
  assert.deepEqual([asWritten.newCount, asWritten.readAs, asWritten.notTaken], [0, [], ['maths']])
  const taken = await rechecked(teacher, asWritten, { notTaken: [{ written: 'Maths', taken: true }] })
  assert.deepEqual([taken.newCount, taken.notTaken], [2, []])
})

test('rows that an import leaves behind can be corrected and imported without uploading the file again', async () => {
  const teacher = await aTeacherInSeason()
  const found = await checked(teacher, [
    titles,
    ['7', 'A', 1, 'Asha Misaal', '9812345661', 'Mathematics'],
    ['7', 'A', '', 'Bina Udaharan', '9812345662', 'Mathematics'],
    ['7', 'A', 3, 'Asha Misaal', '9812345661', 'Mathematics'],
  ])
  assert.deepEqual([found.newCount, found.badCount, found.askedCount], [1, 1, 1])
  const done = await imported(teacher, found)
  assert.equal(done.imported, 1)
  const rest = await server.ask(previewImport, { importId: done.rest }, teacher)
  assert.deepEqual(
    [
      rest.rowCount,
      valuesOf(rest.errors, 'row'),
      rest.questions.map(({ row, other }) => [row, other.id > 0]),
    ],
    [2, [3], [[4, true]]],
    'with the row numbers of the file, and compared with the list as it is now',
  )
  assert.deepEqual([rest.missingCount, rest.repeated], [0, false])
  const another = await aTeacherInSeason()
  assert.equal((await server.call(previewImport, { query: { importId: done.rest } }, another)).status, 404)
  const better = await rechecked(teacher, rest, {
    cells: [{ row: 3, column: 3, text: '2' }],
    choices: [{ row: 4, choice: 'other' }],
  })
  const second = await imported(teacher, better)
  assert.deepEqual([second.imported, second.rest, (await list(teacher)).length], [2, '', 3])
  const body = await server.ask(importStatus, { importId: found.importId }, teacher)
  assert.equal(body.rest, '', 'the first import has no rows left')
})

test('a file sent again shows new, changed, same and missing students, and changes none who is paid or was edited by hand', async () => {
  const teacher = await aTeacherInSeason()
  const first: Row[] = [
    ['7', 'A', 1, 'Asha Misaal', '9812345621', 'Mathematics'],
    ['7', 'A', 2, 'Bina Udaharan', '9812345622', 'Mathematics'],
    ['7', 'A', 3, 'Chand Kalpanik', '9812345623', 'Mathematics'],
    ['7', 'A', 4, 'Dev Namunawala', '9812345624', 'Mathematics'],
    ['7', 'A', 5, 'Esha Misaal', '9812345625', 'Mathematics'],
  ]
  const one = await checked(teacher, [titles, ...first])
  await imported(teacher, one)
  const [, bina, chand] = await list(teacher)
  assert.ok(bina && chand)
  await changeRows('students', { id: bina.id }, { paid: true })
  const byHand = anEntry({
    ...identified(chand),
    studentName: 'Chand Kalpanik',
    parentName: 'Lata',
    rollno: 3,
    subjectName: 'Mathematics',
    cb: '',
  })
  await server.ask(saveStudentDetails, byHand, teacher)

  const again = first
    .slice(0, 4)
    .map((row, index) => [...row.slice(0, 5), index === 0 ? 'Mathematics' : 'Mathematics, Science'])
  const two = await checked(
    teacher,
    [titles, ...again, ['7', 'A', 6, 'Farhan Udaharan', '', 'Science']],
    'second.csv',
  )
  assert.deepEqual(counts(two), {
    ...none,
    newCount: 1,
    changedCount: 1,
    sameCount: 1,
    keptCount: 2,
    missingCount: 1,
  })
  assert.deepEqual(valuesOf(two.changes, 'row', 'fields'), [
    [5, [{ field: 'subjectName', from: 'Mathematics', to: 'Mathematics,Science' }]],
  ])
  assert.deepEqual(valuesOf(two.kept, 'row', 'reason'), [
    [3, 'paid'],
    [4, 'byHand'],
  ])
  assert.deepEqual(valuesOf(two.missing, 'studentName'), ['Esha Misaal'])
  const done = await imported(teacher, two)
  assert.deepEqual([done.imported, done.changed, done.undoable], [1, 1, 2])
  const names = async () =>
    (await list(teacher)).map(({ rollNo, subjectName, parentName }) => [rollNo, subjectName, parentName])
  const after = [
    [1, 'Mathematics', ''],
    [2, 'Mathematics', ''],
    [3, 'Mathematics', 'Lata'],
    [4, 'Mathematics,Science', ''],
    [5, 'Mathematics', ''],
    [6, 'Science', ''],
  ]
  assert.deepEqual(await names(), after)

  const back = await undone(teacher, two)
  assert.deepEqual([back.body.removed, back.body.restored], [1, 1])
  assert.deepEqual((await names())[3], [4, 'Mathematics', ''], 'the changed student is as before')
  const all = await undone(teacher, one)
  assert.deepEqual([all.body.removed, valuesOf(all.body.stayed, 'reason')], [3, ['paid', 'changed']])

  const { imports } = await server.ask(importHistory, { FYear: thisSeason }, teacher)
  assert.deepEqual(valuesOf(imports, 'fileName', 'by', 'imported', 'changed', 'undone').toSorted(), [
    ['class list.csv', imports[0]?.by, 5, 0, true],
    ['second.csv', imports[0]?.by, 1, 1, true],
  ])
})

const identified = ({ id, version }: { id: number; version: number }) => ({ id, version })

test('a student changed after the check stays as it is, and the row is refused', async () => {
  const teacher = await aTeacherInSeason()
  const row: Row = ['7', 'A', 1, 'Asha Misaal', '', 'Mathematics']
  await imported(teacher, await checked(teacher, [titles, row]))
  const two = await checked(teacher, [titles, [...row.slice(0, 5), 'Science']])
  assert.equal(two.changedCount, 1)
  const [asha] = await list(teacher)
  assert.ok(asha)
  const entry = anEntry({
    ...identified(asha),
    studentName: 'Asha Misaal',
    rollno: 1,
    subjectName: 'English',
    cb: '',
  })
  await server.ask(saveStudentDetails, entry, teacher)
  const done = await imported(teacher, two)
  assert.deepEqual([done.changed, valuesOf(done.refused, 'row')], [0, [2]])
  assert.equal((await list(teacher))[0]?.subjectName, 'English')
})

test('the faulty rows can be downloaded as a spreadsheet with reasons, corrected and imported again', async () => {
  const teacher = await aTeacherInSeason()
  const found = await checked(teacher, [
    titles,
    ['7', 'A', 1, 'Asha Misaal', '', 'Mathematics'],
    ['7', 'A', 2, 'Bina Udaharan', '', '=Sceince'],
    ['7', 'Rose', 3, 'Chand Kalpanik', '12', 'Science'],
  ])
  const { status, headers, bytes } = await server.download(
    importFaults,
    { importId: found.importId },
    teacher,
  )
  assert.equal(status, 200)
  assert.match(headers.get('content-disposition') ?? '', /class list, rows to correct\.xlsx/)
  const rows = (await readSheet(bytes, 'faults.xlsx')).map(({ cells }) => cells.map((cell) => cell ?? ''))
  assert.deepEqual(rows[0], ['Why not imported', 'Row in your file', ...titles])
  assert.deepEqual(
    rows.slice(1).map((cells) => cells.slice(1)),
    [
      [3, '7', 'A', '2', 'Bina Udaharan', '', '=Sceince'],
      [4, '7', 'Rose', '3', 'Chand Kalpanik', '12', 'Science'],
    ],
  )
  assert.match(
    String(rows[2]?.[0]),
    /^Section: Section is A to Z, or - for none\. Parent Mobile: Enter valid mobile no\.$/,
  )
  const file = { name: 'corrected.xlsx', bytes: new Uint8Array(bytes) }
  const again = await server.ask(importStudents, { FYear: thisSeason }, { token: teacher.token, file })
  assert.deepEqual([again.badCount, again.columns[1]?.field], [2, ''])
})

test('headings in two rows, one of them merged, are read as one row of headings', async () => {
  const teacher = await aTeacherInSeason()
  const found = await checked(teacher, [
    ['Class', 'Roll', 'Name of the Student', 'Parent', '', 'Subjects'],
    ['', '', '', "Father's Name", 'Mobile No.', ''],
    ['VII-A', 1, 'Om Misaal', 'Anil Misaal', '+91 98290 12345', 'Maths'],
    ['VII-A', 2, 'Isha Misaal', '', '98290', 'Maths'],
  ])
  assert.deepEqual(valuesOf(found.columns, 'heading', 'field'), [
    ['Class', 'classId'],
    ['Roll', 'rollno'],
    ['Name of the Student', 'studentName'],
    ["Father's Name", 'parentName'],
    ['Mobile No.', 'parentMobileNo'],
    ['Subjects', 'subjectName'],
  ])
  assert.deepEqual([found.headRow, found.newCount, found.dropped], [2, 1, []])
  assert.deepEqual(
    valuesOf(found.errors, 'row', 'field', 'value'),
    [[4, 'parentMobileNo', '98290']],
    'a wrong number is reported, not skipped with its column',
  )
})

test('a column for each subject, with marks below, is read as a list of subjects', async () => {
  const teacher = await aTeacherInSeason()
  const found = await checked(teacher, [
    ['Udaharan School'],
    ['Class', 'Roll', 'Name', 'Maths', 'Science (Y/N)', 'Mobile'],
    ['7', 1, 'Om Misaal', 'Y', '', '9812345651'],
    ['7', 2, 'Isha Misaal', '✓', 'Yes', '9812345652'],
    ['7', 3, 'Anil Misaal', 'N', '-', ''],
    ['7', 4, 'Hema Misaal', 'x', '1', ''],
    ['7', 5, 'Dev Misaal', '', 'yes', ''],
    ['Total', '', '', 3, 3, ''],
  ])
  assert.deepEqual(valuesOf(found.columns, 'heading', 'field', 'samples').slice(3), [
    ['Subjects (Maths, Science)', 'subjectName', ['Maths', 'Maths, Science', 'x, Science', 'Science']],
    ['Mobile', 'parentMobileNo', ['9812345651', '9812345652']],
  ])
  assert.deepEqual(valuesOf(found.sample, 'row', 'subjectName'), [
    [3, 'Mathematics'],
    [4, 'Mathematics,Science'],
    [7, 'Science'],
  ])
  assert.deepEqual(
    valuesOf(found.errors, 'row', 'heading', 'value'),
    [
      [5, 'Subjects (Maths, Science)', ''],
      [6, 'Subjects (Maths, Science)', 'x, Science'],
    ],
    'where others write Y, an x can mean either',
  )
  const corrected = await rechecked(teacher, found, { cells: [{ row: 6, column: 4, text: 'Science' }] })
  assert.deepEqual([corrected.newCount, corrected.dropped.length], [4, 1])
  const crossed = await checked(teacher, [
    ['Class', 'Roll', 'Name', 'Subjects', '', ''],
    ['', '', '', 'M', 'S', 'Mobile'],
    ['7', 11, 'Om Misaal', 'x', '', ''],
    ['7', 12, 'Isha Misaal', 'X', 'x', ''],
  ])
  assert.deepEqual(valuesOf(crossed.sample, 'row', 'subjectName'), [
    [3, 'Mathematics'],
    [4, 'Mathematics,Science'],
  ])
})

test('a list of subjects stays as it is beside columns of marks', async () => {
  const teacher = await aTeacherInSeason()
  const found = await checked(teacher, [
    ['Class', 'Roll', 'Name', 'Science', 'Subjects'],
    ['7', 1, 'Om Misaal', 'Y', 'Maths'],
    ['7', 2, 'Isha Misaal', 'Y', 'Maths'],
  ])
  assert.deepEqual(valuesOf(found.sample, 'subjectName'), ['Mathematics', 'Mathematics'])
  assert.deepEqual(found.columns[3]?.field, '')
})

test('sheets that were not read are named; empty and hidden ones are not', async () => {
  const teacher = await aTeacherInSeason()
  const list = [titles, ['7', 'A', '1', 'Om Misaal', '', 'M']]
  const bytes = await writeXlsx({
    sheets: [
      { name: 'VII A', rows: list },
      { name: 'VII B & C', rows: list },
      { name: 'Sheet3', rows: [] },
      { name: 'Lists', rows: list, hidden: true },
      { name: 'आठ', rows: list },
    ],
  })
  const body = await server.ask(
    importStudents,
    { FYear: thisSeason },
    { token: teacher.token, file: { name: 'book.xlsx', bytes: new Uint8Array(bytes) } },
  )
  assert.deepEqual([body.rowCount, body.otherSheets], [1, ['VII B & C', 'आठ']])
  const again = await rechecked(teacher, body, { choices: [{ row: 2, choice: 'out' }] })
  assert.deepEqual(again.otherSheets, body.otherSheets)
})
