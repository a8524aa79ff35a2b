import { type BookKind, bookKinds } from '@podium/contract/classes'
import { classIdOf } from '@podium/contract/students/rules-class'
import type { RowCatalogue } from '@podium/contract/students/rules-row'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/students-grid.json'
import { words } from '../entry/words.ts'
import { type GridField, gridFields, type Place } from './grid-sheet.ts'
import type { Grid } from './use-grid.ts'

/** The words of the grid for typing or pasting students. */
export const gridWords = defineWords<typeof en>(import.meta.glob('#words/*/students-grid.json'))

const isKind = (field: string): field is BookKind => bookKinds.some((kind) => kind === field)
const classColumn = gridFields.indexOf('classId')

/**
 * Returns what a cell takes, shown at the cursor: the classes, or the subjects of the row's class with their codes.
 */
export function useGridHint({ sheet }: Grid, catalogue: RowCatalogue): (place: Place) => string | undefined {
  const t = gridWords.use()
  return ({ row, column }) => {
    const field = gridFields[column] ?? 'classId'
    if (field === 'classId') return t('hintClass')
    if (field === 'section') return t('hintSection')
    if (field !== 'subjectName' && !isKind(field)) return undefined
    const written = sheet.rows[row]?.[classColumn]?.trim() ?? ''
    if (written === '') return t('hintClassFirst')
    const offer = catalogue.offerTo(classIdOf(written) ?? 0)
    const fitting = isKind(field) ? offer.filter(({ books }) => books[field]) : offer
    const names = fitting.map(({ letter, name }) => `${letter} ${translateSentence(name)}`).join(', ')
    if (names === '') return undefined
    return t(field === 'subjectName' ? 'hintSubjects' : 'hintBooks', { names })
  }
}

const wordOf = {
  classId: 'class',
  section: 'section',
  rollno: 'rollNo',
  studentName: 'studentName',
  parentName: 'parentName',
  parentEmailId: 'parentEmail',
  parentMobileNo: 'parentMobile',
  subjectName: 'subjects',
  cb: 'cb',
  pyqp: 'pyqp',
  geneX: 'geneX',
  tb: 'tb',
  wb: 'wb',
} as const satisfies Record<GridField, string>

/** Returns the column headings, in the words of the student dialog. */
export function useGridLabels(): readonly string[] {
  const t = words.use()
  return gridFields.map((field) => t(wordOf[field]))
}
