import type { Subject } from '@podium/contract/catalogue/calls'
import type { Choice, OfferedSubject } from '@podium/contract/catalogue/rules-fee'
import { type BookKind, bookKinds } from '@podium/contract/classes'
import { messages } from '@podium/contract/messages'
import { formatDay } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import type { StudentRow } from '@podium/contract/students/calls'
import { type RowCatalogue, readStudent } from '@podium/contract/students/rules-row'
import { type StudentFields, type StudentFieldsInput, studentFields } from '@podium/contract/students/schemas'
import * as z from 'zod/mini'

/** What the form holds: as the contract's fields, lists of subjects as lists. */
export type StudentValues = Record<
  'classId' | 'section' | 'rollno' | 'studentName' | 'parentName' | 'parentEmailId' | 'parentMobileNo',
  string
> &
  Record<'subjectName' | BookKind, string[]>

const noBooks = (): Record<BookKind, string[]> => ({ cb: [], pyqp: [], geneX: [], tb: [], wb: [] })

/** Nothing chosen: what a change of the class goes back to (specification, section 4). */
export const nothingChosen = () => ({ subjectName: [] as string[], ...noBooks() })

export function emptyValues(start: { classId: string; section: string }): StudentValues {
  const { classId, section } = start
  const nobody = { rollno: '', studentName: '', parentName: '', parentEmailId: '', parentMobileNo: '' }
  return { classId, section, ...nobody, ...nothingChosen() }
}

const listed = (names: string) => (names === '' ? [] : names.split(','))

export function valuesOf(row: StudentRow): StudentValues {
  return {
    classId: String(row.classId),
    section: row.section,
    rollno: String(row.rollNo),
    studentName: row.studentName,
    parentName: row.parentName,
    parentEmailId: row.parentEmailId,
    parentMobileNo: row.parentMobileNo,
    subjectName: listed(row.subjectName),
    cb: listed(row.cb),
    pyqp: listed(row.pyqp),
    geneX: listed(row.genex),
    tb: listed(row.tb),
    wb: listed(row.wb),
  }
}

/** The next student of the same class: roll no + 1; class, section, subjects and books stay. */
export function nextValues(values: StudentValues): StudentValues {
  const roll = Number(values.rollno)
  return {
    ...values,
    rollno: Number.isSafeInteger(roll) && roll > 0 ? String(roll + 1) : '',
    studentName: '',
    parentName: '',
    parentEmailId: '',
    parentMobileNo: '',
  }
}

export function choiceOf(values: Pick<StudentValues, 'subjectName' | BookKind>): Choice {
  const { subjectName: subjects, cb, pyqp, geneX, tb, wb } = values
  return { subjects, books: { cb, pyqp, geneX, tb, wb } }
}

/** Books are wanted only for chosen subjects: leaving a subject out leaves its books out. */
export function withoutLostBooks(values: StudentValues, subjects: readonly string[]) {
  const books = noBooks()
  for (const kind of bookKinds) books[kind] = values[kind].filter((name) => subjects.includes(name))
  return books
}

const comma = (names: readonly string[]) => names.join(',')

function inputOf(values: StudentValues): StudentFieldsInput {
  const { subjectName, cb, pyqp, geneX, tb, wb, ...plain } = values
  return {
    ...plain,
    subjectName: comma(subjectName),
    cb: comma(cb),
    pyqp: comma(pyqp),
    geneX: comma(geneX),
    tb: comma(tb),
    wb: comma(wb),
  }
}

/** The contract's own schema, behind the lists that the form holds; for as long as the price list is not there. */
export const studentSchema = z.pipe(z.transform(inputOf), studentFields)

/** What the class of the dialog is offered, as the one check takes it. */
export function catalogueOf(offer: readonly OfferedSubject[], subjects: readonly Subject[]): RowCatalogue {
  const closed = new Map(
    subjects.filter((one) => one.closed).map((one) => [one.eventLetter, formatDay(one.closesOn)]),
  )
  return { offerTo: () => offer, closed: (letter) => closed.get(letter) }
}

/** The one check of students, by the schema, the price list and the last days, behind the lists that the form holds. */
export function studentSchemaOf(catalogue: RowCatalogue) {
  return z.pipe(
    z.transform((values: StudentValues, context): StudentFields => {
      const { fields, faults } = readStudent(inputOf(values), catalogue)
      for (const { field, message: said } of faults) {
        // Where something is typed, «required» would not say what is wrong with it.
        const typed = said === messages.rollNoRequired && values.rollno.trim() !== ''
        const message = typed ? sentences.rollWhole : said
        context.issues.push({ code: 'custom', input: values, path: [field], message })
      }
      return fields ?? z.NEVER
    }),
    z.custom<StudentFields>(),
  )
}
