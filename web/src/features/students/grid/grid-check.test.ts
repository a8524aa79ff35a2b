import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paise } from '@podium/contract/money'
import type { RowCatalogue } from '@podium/contract/students/rules-row'
import { checkSheet, reader, takenBy } from './grid-check.ts'
import { blankRow } from './grid-sheet.ts'
import { rowOf } from './text.ts'

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

test('what stays in the grid is told at once that its roll no is that of a student entered from it', () => {
  const read = reader(catalogue)
  const told = takenBy([asha], [bela, chand, blankRow], read)
  assert.deepEqual(
    [...told].map(([row, faults]) => [row, faults.map(({ field, message }) => `${field}: ${message}`)]),
    [[bela, ['rollno: Roll no 4 in Class 7 A is taken by Asha Namuna.']]],
  )
  const { bad, faults } = checkSheet([bela, chand], read, told)
  assert.equal(bad, 2)
  assert.equal(faults.length, 3)
})

test('only a row without a fault of its own takes its roll no, whoever has told the fault', () => {
  const read = reader(catalogue)
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
