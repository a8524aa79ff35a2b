import assert from 'node:assert/strict'
import { test } from 'node:test'
import { istDay, type Season } from '@podium/contract/season'
import { deleteStudentPost, getStudentDetails } from '@podium/contract/students/calls'
import { checkRows, enterRows, entryOffers } from '@podium/contract/students/calls-grid'
import { importStatus, undoImport } from '@podium/contract/students/calls-import'
import { type RowField, rowFields } from '@podium/contract/students/rules-row'
import { aDay, eventOf, thisSeason } from '#test/factories'
import { changeRows, valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'
import { anEnteredStudent, aSeasonOfItsOwn, aTeacherInSeason } from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))

interface Teacher {
  token: string
}

const rightTexts = { classId: 'VII', section: 'a', subjectName: 'M, Science' }

/** Valid rows unless stated otherwise: Class 7 A, Mathematics and Science. */
const rowsOf = (...texts: Array<Partial<Record<RowField, string>>>) =>
  texts.map((text, index) => {
    const all: Partial<Record<RowField, string>> = {
      ...rightTexts,
      rollno: String(index + 1),
      studentName: `Kavya Udaharan ${index + 1}`,
      ...text,
    }
    return { row: index + 1, cells: rowFields.map((field) => all[field] ?? '') }
  })
type Rows = ReturnType<typeof rowsOf>

const check = (teacher: Teacher, rows: Rows, FYear: Season = thisSeason) =>
  server.call(checkRows, { body: { FYear, rows } }, teacher)

async function enter(teacher: Teacher, rows: Rows, FYear: Season = thisSeason) {
  const { body } = await check(teacher, rows, FYear)
  const { regAmount, bookAmount } = body
  const entered = await server.call(enterRows, { body: { FYear, rows, regAmount, bookAmount } }, teacher)
  await server.jobs.drain()
  return entered
}

const list = async (teacher: Teacher) =>
  (await server.ask(getStudentDetails, { FYear: thisSeason }, teacher)).data

test('the check sorts rows into new, already in the list and faulty, and saves nothing', async () => {
  const teacher = await aTeacherInSeason()
  const same = { rollno: 2, studentName: 'KAVYA  Udaharan 2', subjectName: 'Mathematics', cb: '' }
  await anEnteredStudent(server, teacher, same)
  await anEnteredStudent(server, teacher, { rollno: 3, studentName: 'Advait Namuna' })
  const rows = rowsOf({}, {}, {}, { subjectName: 'Mathmatics' }, { rollno: '1' })
  const { status, body } = await check(teacher, rows)
  assert.equal(status, 200, body.message)
  assert.deepEqual(body.fresh, [1])
  assert.deepEqual(body.there, [{ row: 2, studentName: 'KAVYA Udaharan 2', differs: true }])
  assert.deepEqual(valuesOf(body.faults, 'row', 'field', 'message', 'suggestions'), [
    [3, 'rollno', 'Roll no 3 in Class 7 A is taken by Advait Namuna.', []],
    [4, 'subjectName', 'This class has no subject called Mathmatics.', ['Mathematics']],
    [5, 'rollno', 'Roll no 1 in Class 7 A is already used in row 1.', []],
  ])
  assert.equal(body.regAmount, 350, 'the new student only')
  assert.equal((await list(teacher)).length, 2)
})

test('only a row that is otherwise correct takes its roll no; of two such rows the later one is refused', async () => {
  const teacher = await aTeacherInSeason()
  await anEnteredStudent(server, teacher, { rollno: 9, studentName: 'Asha Misaal' })
  await anEnteredStudent(server, teacher, { rollno: 10, studentName: 'Devika Namuna' })
  const rows = rowsOf(
    { rollno: '9', studentName: 'Bhavna Udaharan', parentEmailId: 'nobody' },
    { rollno: '9', studentName: 'Asha Misaal' },
    { rollno: '10', studentName: 'Chetan Udaharan' },
    { rollno: '10', studentName: 'Devika Namuna' },
    { rollno: '1', parentEmailId: 'nobody' },
    { rollno: '1' },
    { rollno: '1' },
    { rollno: '1', subjectName: 'Mathmatics' },
  )
  const { body } = await check(teacher, rows)
  assert.deepEqual(valuesOf(body.faults, 'row', 'field', 'message'), [
    [1, 'parentEmailId', 'Enter valid E-mail.'],
    [3, 'rollno', 'Roll no 10 in Class 7 A is taken by Devika Namuna.'],
    [5, 'parentEmailId', 'Enter valid E-mail.'],
    [7, 'rollno', 'Roll no 1 in Class 7 A is already used in row 6.'],
    [8, 'subjectName', 'This class has no subject called Mathmatics.'],
    [8, 'rollno', 'Roll no 1 in Class 7 A is already used in row 6.'],
  ])
  assert.deepEqual(
    [body.fresh, valuesOf(body.there, 'row')],
    [[6], [2, 4]],
    'the rows of both listed students are correct',
  )
})

test('rows are entered as one import, which can be undone and entered again', async () => {
  const teacher = await aTeacherInSeason()
  const rows = rowsOf({}, { classId: 'LKG', subjectName: 'A' }, {})
  const { status, body } = await enter(teacher, rows)
  assert.equal(status, 200, body.message)
  const { importId } = body
  const progress = () => server.ask(importStatus, { importId }, teacher)
  const done = await progress()
  assert.deepEqual([done.source, done.state, done.imported, done.undoable], ['grid', 'done', 3, 3])
  assert.deepEqual(valuesOf(await list(teacher), 'className', 'section', 'rollNo', 'eventLetter'), [
    ['LKG', 'A', 2, 'A'],
    ['Class 7', 'A', 1, 'M,S'],
    ['Class 7', 'A', 3, 'M,S'],
  ])
  const undone = await server.ask(undoImport, { importId }, teacher)
  assert.equal(undone.removed, 3)
  assert.deepEqual(await list(teacher), [])
  const again = await enter(teacher, rows)
  assert.equal(again.status, 200, again.body.message)
  assert.equal((await list(teacher)).length, 3)
  assert.deepEqual([(await progress()).undone, (await progress()).imported], [false, 3])
})

test('the same rows sent twice are entered once', async () => {
  const teacher = await aTeacherInSeason()
  const body = { FYear: thisSeason, rows: rowsOf({}, {}), regAmount: 700, bookAmount: 0 }
  const [first, second] = await Promise.all([
    server.call(enterRows, { body }, teacher),
    server.call(enterRows, { body }, teacher),
  ])
  await server.jobs.drain()
  assert.deepEqual([first.status, second.status], [200, 200])
  assert.equal(first.body.importId, second.body.importId)
  assert.equal((await list(teacher)).length, 2)
})

test('rows that can no longer be entered, or with other amounts, are refused as a whole', async () => {
  const teacher = await aTeacherInSeason()
  const rows = rowsOf({}, {})
  const entry = (regAmount: number) =>
    server.call(enterRows, { body: { FYear: thisSeason, rows, regAmount, bookAmount: 0 } }, teacher)
  await refused('enrolment.amounts_changed', entry(600))
  const meanwhile = await anEnteredStudent(server, teacher, { rollno: 2 })
  await refused('changed_meanwhile', entry(700))
  assert.equal((await list(teacher)).length, 1)
  await server.ask(deleteStudentPost, { studentId: meanwhile.id }, teacher)
  assert.equal((await entry(700)).status, 200, 'a deleted student holds no roll no')
})

test('a season that is not open accepts no rows, and its price list shows that it is closed', async () => {
  const teacher = await aTeacherInSeason()
  const FYear = await aSeasonOfItsOwn('closed')
  await refused('enrolment.season_closed', check(teacher, rowsOf({}), FYear))
  const offers = await server.ask(entryOffers, { FYear }, teacher)
  assert.equal(offers.open, false)
  // Nor is a season whose entries have closed for every subject; the last day itself is still open.
  const over = await aSeasonOfItsOwn()
  await changeRows('events', { season: over }, { closes_on: '2026-11-20' })
  assert.equal((await server.ask(entryOffers, { FYear: over }, teacher)).open, false)
  await changeRows('events', { season: over, letter: 'M' }, { closes_on: istDay(aDay) })
  assert.equal((await server.ask(entryOffers, { FYear: over }, teacher)).open, true)
})

test('a closed subject is marked in the price list and refused at its row', async () => {
  const teacher = await aTeacherInSeason()
  const FYear = await aSeasonOfItsOwn()
  const event = await eventOf('M', FYear)
  await changeRows('events', { id: event.id }, { closes_on: '2026-11-01' })
  const offers = await server.ask(entryOffers, { FYear }, teacher)
  const subjects = offers.classes.find(({ classId }) => classId === 7)?.subjects ?? []
  assert.deepEqual(
    valuesOf(
      subjects.filter(({ closed }) => closed),
      'eventLetter',
    ),
    ['M'],
  )
  const { body } = await check(teacher, rowsOf({}), FYear)
  assert.deepEqual(valuesOf(body.faults, 'message'), ['Enrolment for Mathematics closed on 01-Nov-2026.'])
})
