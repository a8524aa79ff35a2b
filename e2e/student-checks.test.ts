import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offerOf } from '@podium/contract/catalogue/rules-fee'
import { className, isClassId } from '@podium/contract/classes'
import { messages } from '@podium/contract/messages'
import { formatDay, type Season } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import { saveStudentDetails } from '@podium/contract/students/calls'
import { checkRows, entryOffers } from '@podium/contract/students/calls-grid'
import { importStudents } from '@podium/contract/students/calls-import'
import { type RowCatalogue, type RowField, rowFields } from '@podium/contract/students/rules-row'
import { aDay, eventOf } from '../server/test/factories.ts'
import { changeRows } from '../server/test/rows.ts'
import { before, beforehand, testServer } from '../server/test/server.ts'
import { aSeasonOfItsOwn, aTeacherInSeason } from '../server/test/students-factories.ts'
import { type StudentValues, studentSchemaOf } from '../web/src/features/students/entry/student-values.ts'
import { cachedReader, checkSheet, serverFaultsOf } from '../web/src/features/students/grid/grid-check.ts'
import type { Row } from '../web/src/features/students/grid/grid-sheet.ts'
import { rowOf } from '../web/src/features/students/grid/text.ts'

/** One table of students, valid and invalid, through the dialog, the grid, a file import and the call. */

type Texts = Partial<Record<RowField, string>>
type ExpectedIssues = ReadonlyArray<readonly [RowField, string]>
interface Case {
  what: string
  texts: Texts
  /** Each sentence with its field; absent for a valid student */
  issues?: ExpectedIssues
  /** In a cell, for words that a list or an id can't contain */
  inCells?: ExpectedIssues
  /** In the dialog, if its field accepts them */
  inDialog?: ExpectedIssues
}

const mobile = 'Enter valid mobile no.'
const mail = 'Enter valid E-mail.'
const formula = 'A name does not begin with =, +, - or @.'
const longest = 'At most 100 characters.'
const offered = (name: string) => `This class has no subject called ${name}.`
const closed = 'Enrolment for English closed on 01-Nov-2026.'
const roll = (text: string): Omit<Case, 'what'> => ({
  texts: { rollno: text },
  issues: [['rollno', messages.rollNoRequired]],
  inCells: [['rollno', sentences.rollWhole]],
  inDialog: [['rollno', sentences.rollWhole]],
})
const invalidCase = (texts: Texts, field: RowField, message: string) => ({
  texts,
  issues: [[field, message]] as const,
})

const cases: readonly Case[] = [
  { what: 'nothing out of the ordinary', texts: {} },
  { what: 'no section', texts: { section: '-' } },
  { what: 'a section in small letters', texts: { section: 'b' } },
  { what: 'the last class', texts: { classId: '12' } },
  { what: 'LKG', texts: { classId: '13', subjectName: 'A' } },
  { what: 'UKG with a book', texts: { classId: '14', subjectName: 'A', tb: 'A' } },
  { what: 'Nursery with two books', texts: { classId: '15', subjectName: 'A', tb: 'A', wb: 'A' } },
  { what: 'the greatest roll no', texts: { rollno: '999999' } },
  { what: 'a name in Devanagari', texts: { studentName: 'नैना मिसाल' } },
  { what: 'a name with a dot, a dash and an apostrophe', texts: { studentName: "A. D'Souza-Namuna" } },
  { what: 'a name of 100 letters', texts: { studentName: 'a'.repeat(100) } },
  {
    what: 'all about the parent',
    texts: { parentName: 'Om Misaal', parentEmailId: 'om@school.example', parentMobileNo: '9876500001' },
  },
  { what: 'an e-mail in capitals', texts: { parentEmailId: 'OM@SCHOOL.EXAMPLE' } },
  { what: 'a mobile with its country', texts: { parentMobileNo: '+91 98765-00001' } },
  { what: 'a mobile of 12 digits', texts: { parentMobileNo: '919876500001' } },
  { what: 'subjects by name', texts: { subjectName: 'Mathematics,Science' } },
  { what: 'a subject in small letters, twice', texts: { subjectName: 'm,M' } },
  { what: 'spaces around subjects', texts: { subjectName: ' M , S ' } },
  { what: 'two kinds of books', texts: { cb: 'M,S', pyqp: 'M' } },
  { what: 'no class', ...invalidCase({ classId: '' }, 'classId', messages.classRequired) },
  {
    what: 'a class that there is not',
    ...invalidCase({ classId: '99' }, 'classId', messages.classRequired),
    inCells: [['classId', sentences.classUnknown]],
  },
  { what: 'an empty section', ...invalidCase({ section: '' }, 'section', messages.sectionRequired) },
  {
    what: 'a section of two letters',
    ...invalidCase({ section: 'AB' }, 'section', 'Section is A to Z, or - for none.'),
  },
  {
    what: 'a section of a sign',
    ...invalidCase({ section: '*' }, 'section', 'Section is A to Z, or - for none.'),
  },
  { what: 'no roll no', ...invalidCase({ rollno: '' }, 'rollno', messages.rollNoRequired) },
  { what: 'roll no 0', ...roll('0') },
  { what: 'a roll no below 0', ...roll('-3') },
  { what: 'half a roll no', ...roll('1.5') },
  { what: 'a roll no in words', ...roll('seven') },
  {
    what: 'a roll no too great',
    ...invalidCase({ rollno: '1000000' }, 'rollno', 'Roll No is at most 999999.'),
  },
  { what: 'no name', ...invalidCase({ studentName: '' }, 'studentName', messages.studentNameRequired) },
  {
    what: 'a name of spaces',
    ...invalidCase({ studentName: '   ' }, 'studentName', messages.studentNameRequired),
  },
  { what: 'a name too long', ...invalidCase({ studentName: 'a'.repeat(101) }, 'studentName', longest) },
  { what: 'a formula for a name', ...invalidCase({ studentName: '=1+1' }, 'studentName', formula) },
  { what: 'a name that begins with @', ...invalidCase({ studentName: '@Asha' }, 'studentName', formula) },
  {
    what: 'a name turned about',
    ...invalidCase({ studentName: 'Asha \u202eanumaN' }, 'studentName', 'A name is letters on one line.'),
  },
  { what: 'a formula for a parent', ...invalidCase({ parentName: '+Om' }, 'parentName', formula) },
  {
    what: "a parent's name too long",
    ...invalidCase({ parentName: 'a'.repeat(101) }, 'parentName', longest),
  },
  {
    what: 'an e-mail without @',
    ...invalidCase({ parentEmailId: 'om.school.example' }, 'parentEmailId', mail),
  },
  {
    what: 'an e-mail without a domain',
    ...invalidCase({ parentEmailId: 'om@school' }, 'parentEmailId', mail),
  },
  {
    what: 'two e-mails',
    ...invalidCase({ parentEmailId: 'a@b.example c@d.example' }, 'parentEmailId', mail),
  },
  {
    what: 'an e-mail that begins with a dot',
    ...invalidCase({ parentEmailId: '.om@school.example' }, 'parentEmailId', mail),
  },
  { what: 'a short mobile', ...invalidCase({ parentMobileNo: '98765' }, 'parentMobileNo', mobile) },
  { what: 'a long mobile', ...invalidCase({ parentMobileNo: '9876500001234' }, 'parentMobileNo', mobile) },
  {
    what: 'a mobile with letters',
    ...invalidCase({ parentMobileNo: '98765abcde' }, 'parentMobileNo', mobile),
  },
  { what: 'no subject', ...invalidCase({ subjectName: '' }, 'subjectName', messages.subjectRequired) },
  { what: 'a subject that there is not', ...invalidCase({ subjectName: 'Z' }, 'subjectName', offered('Z')) },
  {
    what: 'a subject spelt otherwise',
    ...invalidCase({ subjectName: 'M,Scince' }, 'subjectName', offered('Scince')),
  },
  { what: 'a subject of little stars', ...invalidCase({ subjectName: 'M,A' }, 'subjectName', offered('A')) },
  {
    what: 'a subject of the older ones',
    ...invalidCase({ classId: '13', subjectName: 'A,M' }, 'subjectName', offered('M')),
  },
  { what: 'a subject that has closed', ...invalidCase({ subjectName: 'M,E' }, 'subjectName', closed) },
  {
    what: 'a book of another subject',
    ...invalidCase(
      { cb: 'G' },
      'cb',
      'Comprehensive Book: please choose the subject General Knowledge first.',
    ),
  },
  { what: 'a book of nothing', ...invalidCase({ cb: 'Z' }, 'cb', offered('Z')) },
  {
    what: 'a kind of book that the class has not',
    ...invalidCase({ tb: 'M' }, 'tb', 'Text Book is not offered for Mathematics in this class.'),
  },
  {
    what: 'two things about the choice',
    texts: { subjectName: 'M,Z', tb: 'M' },
    issues: [
      ['subjectName', offered('Z')],
      ['tb', 'Text Book is not offered for Mathematics in this class.'],
    ],
  },
  {
    what: 'several things at once',
    texts: { section: '', studentName: '', parentMobileNo: '12' },
    issues: [
      ['section', messages.sectionRequired],
      ['studentName', messages.studentNameRequired],
      ['parentMobileNo', mobile],
    ],
  },
]

const right: Texts = { classId: '7', section: 'A', studentName: 'Asha Namuna', subjectName: 'M,S' }
/** Each has a unique roll no, so that none conflicts with another. */
const table = cases.map((testCase, index) => ({
  ...testCase,
  texts: { ...right, rollno: String(index + 1), ...testCase.texts },
}))
/** Returns words in place of the ids of the dialog and the call. */
const cellsOf = ({ classId = '', ...texts }: Texts): Texts => ({
  ...texts,
  classId: isClassId(Number(classId)) ? className(Number(classId)) : classId,
})
type Found = Array<readonly [string, string]>
const inOrder = (found: Found | ExpectedIssues) =>
  found.map(([field, message]) => `${field}: ${message}`).toSorted()

let teacher: { token: string }
let FYear: Season
let catalogue: RowCatalogue

const server = beforehand(() => testServer({ clock: () => aDay }))
before(async () => {
  teacher = await aTeacherInSeason()
  FYear = await aSeasonOfItsOwn()
  const { id } = await eventOf('E', FYear)
  await changeRows('events', { id }, { closes_on: '2026-11-01' })
  const { classes } = await server.ask(entryOffers, { FYear }, teacher)
  const offers = new Map(
    classes.map((classEntry) => [classEntry.classId, offerOf(classEntry.subjects, classEntry.books)]),
  )
  const day = (letter: string) =>
    classes.flatMap(({ subjects }) => subjects).find((item) => item.eventLetter === letter && item.closed)
      ?.closesOn
  catalogue = {
    offerTo: (classId) => offers.get(classId) ?? [],
    closed: (letter) => (day(letter) ? formatDay(day(letter) ?? '') : undefined),
  }
})

const listed = (names = '') => names.split(',').filter(Boolean)

function throughDialog(texts: Texts): Found {
  const { subjectName, cb, pyqp, geneX, tb, wb, ...plain } = texts
  const values: StudentValues = {
    classId: '',
    section: '',
    rollno: '',
    studentName: '',
    parentName: '',
    parentEmailId: '',
    parentMobileNo: '',
    ...plain,
    subjectName: listed(subjectName),
    cb: listed(cb),
    pyqp: listed(pyqp),
    geneX: listed(geneX),
    tb: listed(tb),
    wb: listed(wb),
  }
  const read = studentSchemaOf(catalogue).safeParse(values)
  return (read.error?.issues ?? []).map(({ path, message }) => [String(path[0]), message])
}

async function throughGrid(): Promise<Found[]> {
  const rows: Row[] = table.map(({ texts }) => rowOf(cellsOf(texts)))
  const read = cachedReader(catalogue)
  const own = checkSheet(rows, read, new Map())
  const sent = rows.map((cells, index) => ({ row: index + 1, cells: [...cells] }))
  const { status, body } = await server.call(checkRows, { body: { FYear, rows: sent } }, teacher)
  assert.equal(status, 200, body.message)
  const told = serverFaultsOf(rows, body.faults, own)
  assert.equal(told.size, 0, 'the server finds nothing that the grid has not found')
  const { rows: found } = checkSheet(rows, read, told)
  return rows.map((_, index) =>
    (found.get(index)?.faults ?? []).map(({ field, message }) => [field, message]),
  )
}

async function throughFile(): Promise<Found[]> {
  const quoted = (cells: readonly string[]) =>
    cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')
  const heads =
    'Class,Section,Roll No,Student Name,Subjects,Parent Name,Parent E-mail,Parent Mobile,CB,PYQP,GeneX,TB,WB'
  const lines = table.map(({ texts }) => quoted(rowFields.map((field) => cellsOf(texts)[field] ?? '')))
  const file = { name: 'students.csv', bytes: new TextEncoder().encode([heads, ...lines].join('\n')) }
  const sent = { token: teacher.token, file }
  const { status, body } = await server.call(importStudents, { query: { FYear } }, sent)
  assert.equal(status, 200, body.message)
  return table.map((_, index) =>
    body.errors.filter(({ row }) => row === index + 2).map(({ field, message }) => [field, message]),
  )
}

async function throughCall(texts: Texts): Promise<Found> {
  const entry = { FYear, classId: '', section: '', rollno: '', studentName: '', subjectName: '', ...texts }
  const { status, body } = await server.call(saveStudentDetails, { body: entry }, teacher)
  if (status === 200) return []
  if (body.code === 'enrolment.closed') return [['subjectName', body.message]]
  return (body.issues ?? []).map(({ path, message }) => [path, message])
}

test(`${cases.length} students get the same verdict and sentence in dialog, grid, file and call`, async () => {
  assert.ok(cases.length >= 40)
  const [grid, file] = [await throughGrid(), await throughFile()]
  for (const [index, { what, texts, issues = [], inCells = issues, inDialog = issues }] of table.entries()) {
    assert.deepEqual(inOrder(throughDialog(texts)), inOrder(inDialog), `dialog, ${what}`)
    assert.deepEqual(inOrder(grid[index] ?? []), inOrder(inCells), `grid, ${what}`)
    assert.deepEqual(inOrder(file[index] ?? []), inOrder(inCells), `file, ${what}`)
    assert.deepEqual(inOrder(await throughCall(texts)), inOrder(issues), `call, ${what}`)
  }
})
