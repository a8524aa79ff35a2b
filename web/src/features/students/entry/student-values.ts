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

/** The form's values: the contract's fields, with lists of subjects as arrays. */
export type StudentValues = Record<
  'classId' | 'section' | 'rollno' | 'studentName' | 'parentName' | 'parentEmailId' | 'parentMobileNo',
  string
> &
  Record<'subjectName' | BookKind, string[]>

const noBooks = (): Record<BookKind, string[]> => ({ cb: [], pyqp: [], geneX: [], tb: [], wb: [] })

/** No subjects and books chosen: what changing the class resets to (specification, section 4). */
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

/** Returns the values for the next student of the class: roll no + 1; class, section, subjects and books stay. */
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

/** Drops books of subjects that are not chosen: books can be ordered only for chosen subjects. */
export function dropUnchosenBooks(values: StudentValues, subjects: readonly string[]) {
  const books = noBooks()
  for (const kind of bookKinds) books[kind] = values[kind].filter((name) => subjects.includes(name))
  return books
}

const joinNames = (names: readonly string[]) => names.join(',')

function toInput(values: StudentValues): StudentFieldsInput {
  const { subjectName, cb, pyqp, geneX, tb, wb, ...plain } = values
  return {
    ...plain,
    subjectName: joinNames(subjectName),
    cb: joinNames(cb),
    pyqp: joinNames(pyqp),
    geneX: joinNames(geneX),
    tb: joinNames(tb),
    wb: joinNames(wb),
  }
}

/** The contract's own schema, adapted to the form's arrays; used until the price list is loaded. */
export const studentSchema = z.pipe(z.transform(toInput), studentFields)

/** Builds the catalogue for the shared check from what the dialog's class is offered. */
export function catalogueOf(offer: readonly OfferedSubject[], subjects: readonly Subject[]): RowCatalogue {
  const closed = new Map(
    subjects
      .filter((subject) => subject.closed)
      .map((subject) => [subject.eventLetter, formatDay(subject.closesOn)]),
  )
  return { offerTo: () => offer, closed: (letter) => closed.get(letter) }
}

/** The shared check of students, by schema, price list and closing dates, adapted to the form's arrays. */
export function studentSchemaOf(catalogue: RowCatalogue) {
  return z.pipe(
    z.transform((values: StudentValues, context): StudentFields => {
      const { fields, faults } = readStudent(toInput(values), catalogue)
      for (const { field, message: faultMessage } of faults) {
        // For a roll no that was typed but is wrong, “required” would be misleading.
        const typed = faultMessage === messages.rollNoRequired && values.rollno.trim() !== ''
        const message = typed ? sentences.rollWhole : faultMessage
        context.issues.push({ code: 'custom', input: values, path: [field], message })
      }
      return fields ?? z.NEVER
    }),
    z.custom<StudentFields>(),
  )
}
