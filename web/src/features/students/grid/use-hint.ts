import { type BookKind, bookKinds } from '@podium/contract/classes'
import { classIdOf } from '@podium/contract/students/rules-class'
import type { RowCatalogue } from '@podium/contract/students/rules-row'
import { translateSentence } from '#shell/language/sentences.ts'
import { gridFields, type Place } from './grid-sheet.ts'
import type { Grid } from './use-grid.ts'
import { gridWords } from './words.ts'

const isKind = (field: string): field is BookKind => bookKinds.some((kind) => kind === field)
const classColumn = gridFields.indexOf('classId')

/** What a cell takes, said at the cell with the cursor: the classes, the subjects of the row's class with their letters. */
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
