import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paise } from '@podium/contract/money'
import type { RowCatalogue } from '@podium/contract/students/rules-row'
import { cachedReader, checkSheet, rollConflicts } from './grid-check.ts'
import {
  blankRow,
  clearSelection,
  deleteRows,
  fillDown,
  fillSelection,
  gridFields,
  insertRows,
  maxRows,
  moveTo,
  newSheet,
  type Place,
  redo,
  undo,
  writeCell,
  writeRows,
  writtenRows,
} from './grid-sheet.ts'
import { commandOf, tabTarget } from './keys.ts'
import { cellsOf, readHeadings, readPaste, rowOf, textOf } from './text.ts'

const at = (row: number, column: number): Place => ({ row, column })
const name = gridFields.indexOf('studentName')
const named = (...names: string[]) => newSheet(names.map((studentName) => rowOf({ studentName })))
const namesOf = (sheet: ReturnType<typeof newSheet>) => writtenRows(sheet.rows).map((row) => row[name])

test('each step is undone and redone, and a new step clears what could be redone', () => {
  const one = writeCell(newSheet([]), at(0, 0), '7')
  const two = writeCell(one, at(0, 1), 'A')
  const back = undo(two)
  assert.equal(back.rows, one.rows)
  assert.equal(redo(back).rows, two.rows)
  assert.equal(undo(undo(undo(two))).rows[0]?.[0], '')
  assert.deepEqual(writeCell(back, at(0, 2), '4').future, [])
  assert.equal(writeCell(two, at(0, 1), 'A'), two, 'the same text is no step')
})

test('fill down copies the first selected row into the others, or the cell above into a single cell', () => {
  const chosen = moveTo(moveTo(named('Asha', '', ''), at(0, name)), at(2, name), true)
  assert.deepEqual(namesOf(fillDown(chosen)), ['Asha', 'Asha', 'Asha'])
  assert.deepEqual(namesOf(fillDown(moveTo(named('Asha', ''), at(1, name)))), ['Asha', 'Asha'])
  const top = named('Asha')
  assert.equal(fillDown(top), top, 'above the first row there is nothing')
})

test('selected rows are emptied, filled, pushed down by new rows, or deleted', () => {
  const chosen = moveTo(moveTo(named('Asha', 'Bela', 'Chand'), at(0, name)), at(1, name), true)
  assert.deepEqual(namesOf(clearSelection(chosen)), ['Chand'])
  assert.deepEqual(namesOf(fillSelection(chosen, 'Dev')), ['Dev', 'Dev', 'Chand'])
  assert.equal(insertRows(chosen).rows[2]?.[name], 'Asha')
  assert.deepEqual(namesOf(deleteRows(chosen)), ['Chand'])
})

test('blank rows always follow, and no sheet grows beyond the limit of one entry', () => {
  const full = newSheet(Array.from({ length: maxRows }, () => rowOf({ studentName: 'Asha' })))
  assert.equal(full.rows.length, maxRows)
  const more = writeRows(full, maxRows - 1, [new Map([[0, '7']]), new Map([[0, '8']])])
  assert.equal(more.rows.length, maxRows)
  assert.ok(named('Asha').rows.length >= 20)
})

test('a pasted header is recognised by its words in any column order, and unknown columns are named', () => {
  const text = 'Name\tHouse\tClass\tRoll No.\tSubjects\nAsha\tRed\t7\t4\t"M\nS"\n'
  const pasted = readPaste(text, at(0, 3), readHeadings)
  assert.deepEqual([pasted.headed, pasted.unused, pasted.dropped], [true, ['House'], 0])
  const sheet = writeRows(newSheet([]), 0, pasted.rows)
  const wanted = rowOf({ studentName: 'Asha', classId: '7', section: '-', rollno: '4', subjectName: 'M, S' })
  assert.deepEqual(writtenRows(sheet.rows), [wanted])
  const titled = readPaste(`Namuna School\t\t\t\t\n\t\t\t\t\n${text}`, at(0, 3), readHeadings)
  assert.deepEqual(titled, pasted, 'below the title of the list, too')
})

test('without a header cells are pasted to the right of the cursor, and commas separate nothing', () => {
  const pasted = readPaste('M, S\tM', at(2, gridFields.indexOf('cb')), readHeadings)
  assert.equal(pasted.headed, false)
  const [row] = writeRows(newSheet([]), 2, pasted.rows).rows.slice(2)
  assert.deepEqual(row, rowOf({ cb: 'M, S', pyqp: 'M' }))
  const beyond = readPaste('M\tS', at(0, gridFields.length - 1), readHeadings)
  assert.deepEqual(beyond.unused, [2])
})

test('below a recognised header comma-separated lines are read too', () => {
  const pasted = readPaste('Class,Roll No,Student Name\n7,4,"Namuna, Asha"', at(0, 0), readHeadings)
  const [row] = writeRows(newSheet([]), 0, pasted.rows).rows
  assert.deepEqual(row, rowOf({ classId: '7', rollno: '4', studentName: 'Namuna, Asha', section: '-' }))
})

test('a copy pastes back unchanged', () => {
  const odd = [rowOf({ studentName: 'Asha "A"\tB', parentName: 'two\nlines', classId: '7' })]
  const text = textOf(odd, { top: 0, bottom: 0, left: 0, right: gridFields.length - 1 })
  assert.deepEqual(cellsOf(text, '\t'), odd)
})

test('keys move as in a spreadsheet, and Tab leaves the grid after the last cell', () => {
  const { rows } = named('Asha', 'Bela', '', 'Chand')
  const go = (key: string, from: Place, ctrl = false, shift = false) => {
    const found = commandOf(rows, from, from, { key, ctrl, shift, alt: false })
    return found?.what === 'go' ? found.to : found?.what
  }
  assert.deepEqual(go('ArrowDown', at(0, name), true), at(1, name), 'to the end of what is filled')
  assert.deepEqual(go('ArrowDown', at(1, name), true), at(3, name), 'and on to what follows')
  assert.deepEqual(go('End', at(0, 0)), at(0, gridFields.length - 1))
  assert.deepEqual(go('End', at(0, 0), true), at(3, gridFields.length - 1))
  assert.deepEqual(go('Home', at(2, 5), true), at(0, 0))
  assert.equal(go('z', at(0, 0), true), 'undo')
  assert.equal(go('z', at(0, 0), true, true), 'redo')
  assert.equal(go('k', at(0, 0), true), undefined, 'the palette keeps its key')
  assert.equal(go('क', at(0, 0)), 'edit')
  assert.deepEqual(tabTarget(rows, at(0, gridFields.length - 1), 1), at(1, 0))
  assert.equal(tabTarget(rows, at(rows.length - 1, gridFields.length - 1), 1), undefined)
  assert.equal(tabTarget(rows, at(0, 0), -1), undefined)
})

const mathematics = {
  letter: 'M',
  name: 'Mathematics',
  price: paise(17_500),
  retained: paise(2_500),
  books: {},
}
const catalogue: RowCatalogue = { offerTo: () => [mathematics], closed: () => undefined }
const student = (rollno: string, studentName: string, subjectName = 'M') =>
  rowOf({ classId: '7', section: 'A', rollno, studentName, subjectName })

const asha = student('4', 'Asha Namuna')
const bela = student('4', 'Bela Namuna', 'Mathmatics')
const chand = student('5', 'Chand Namuna', 'Mathmatics')

test('a row left in the grid is refused at once if an entered student has its roll no', () => {
  const read = cachedReader(catalogue)
  const told = rollConflicts([asha], [bela, chand, blankRow], read)
  assert.deepEqual(
    [...told].map(([row, faults]) => [row, faults.map(({ field, message }) => `${field}: ${message}`)]),
    [[bela, ['rollno: Roll no 4 in Class 7 A is taken by Asha Namuna.']]],
  )
  const { bad, faults } = checkSheet([bela, chand], read, told)
  assert.equal(bad, 2)
  assert.equal(faults.length, 3)
})

test('only a row without errors of its own claims its roll no, whoever reported the error', () => {
  const read = cachedReader(catalogue)
  const dev = student('4', 'Dev Namuna')
  const taken = {
    field: 'rollno' as const,
    message: 'Roll no 4 in Class 7 A is taken by Asha Namuna.',
    suggestions: [],
  }
  const { rows } = checkSheet(
    [bela, dev, asha, chand, student('4', 'Esha Namuna')],
    read,
    new Map([[dev, [taken]]]),
  )
  assert.deepEqual(
    [...rows].map(([at, { faults }]) => [at, faults.map(({ message }) => message)]),
    [
      [0, ['This class has no subject called Mathmatics.']],
      [1, [taken.message]],
      [2, []],
      [3, ['This class has no subject called Mathmatics.']],
      [4, ['Roll no 4 in Class 7 A is already used in row 3.']],
    ],
  )
})
