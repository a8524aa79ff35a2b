import { type BookKind, bookKinds, className } from '@podium/contract/classes'
import type { PricedChoice } from '@podium/contract/students/rules-fee'
import {
  checkChoice,
  type RowCatalogue,
  type RowFault,
  type RowField,
} from '@podium/contract/students/rules-row'
import type { StudentFields } from '@podium/contract/students/schemas'
import { reasonAgainst, type SeasonDoors, wideColumns } from '../entry/rules.ts'

/** A student of the school, as an import meets one. */
export interface Known extends Record<Lowercase<BookKind>, string> {
  id: number
  class_id: number
  section: string
  roll_no: number
  name: string
  parent_name: string
  parent_email: string
  parent_mobile: string
  active: boolean
  paid: boolean
  locked: boolean
  subject_names: string
  letters: string
  version: number
  /** The version that an import has written; null for one who was entered by hand */
  import_version: number | null
}

export interface Difference {
  field: string
  from: string
  to: string
}

const listed = (names: string) => (names === '' ? [] : names.split(','))
const column = (kind: BookKind) => kind.toLowerCase() as Lowercase<BookKind>

/** A student's fields as they are saved; lists of books are names. */
export function fieldsOf(known: Known): StudentFields {
  const { cb, pyqp, genex, tb, wb } = known
  return {
    classId: known.class_id,
    section: known.section,
    rollno: known.roll_no,
    studentName: known.name,
    parentName: known.parent_name,
    parentEmailId: known.parent_email,
    parentMobileNo: known.parent_mobile,
    subjectName: listed(known.letters),
    cb: listed(cb),
    pyqp: listed(pyqp),
    geneX: listed(genex),
    tb: listed(tb),
    wb: listed(wb),
  }
}

export interface Merged {
  fields: StudentFields
  priced: PricedChoice
  faults: readonly RowFault[]
}

/**
 * What a student would be after the import: of a column that the file does not have, and of a contact that it leaves
 * empty, stays what is saved. Books of a subject that is left out go with it.
 */
export function merge(
  read: StudentFields,
  known: Known,
  used: ReadonlySet<RowField>,
  catalogue: RowCatalogue,
): Merged {
  const was = fieldsOf(known)
  const fields: StudentFields = { ...read }
  if (!used.has('section') && read.section === '-') fields.section = was.section
  for (const field of ['parentName', 'parentEmailId', 'parentMobileNo'] as const)
    if (read[field] === '') fields[field] = was[field]
  const offer = catalogue.offerTo(fields.classId)
  const chosen = offer.filter(({ letter }) => fields.subjectName.includes(letter))
  for (const kind of bookKinds) {
    if (used.has(kind)) continue
    fields[kind] = was[kind].filter((name) => chosen.some((one) => one.name === name && one.books[kind]))
  }
  const { priced, faults } = checkChoice(fields.classId, fields, catalogue)
  return { fields, priced, faults }
}

/** What differs from what is saved, in words; amounts that a new price list has changed are no difference. */
export function differences(
  { fields, priced }: Pick<Merged, 'fields' | 'priced'>,
  known: Known,
): Difference[] {
  const wide = wideColumns(priced)
  const all: Array<[string, string, string]> = [
    ['classId', className(known.class_id), className(fields.classId)],
    ['section', known.section, fields.section],
    ['rollno', String(known.roll_no), String(fields.rollno)],
    ['studentName', known.name, fields.studentName],
    ['parentName', known.parent_name, fields.parentName],
    ['parentEmailId', known.parent_email, fields.parentEmailId],
    ['parentMobileNo', known.parent_mobile, fields.parentMobileNo],
    ['subjectName', known.subject_names, wide.subjectNames],
    ...bookKinds.map((kind): [string, string, string] => [kind, known[column(kind)], wide[column(kind)]]),
  ]
  return all.filter(([, from, to]) => from !== to).map(([field, from, to]) => ({ field, from, to }))
}

export type KeptReason = 'paid' | 'locked' | 'closed' | 'signed' | 'byHand'

/** Why an import leaves a student as it is, or undefined. */
export function reasonToKeep(known: Known, doors: SeasonDoors): KeptReason | undefined {
  const reason = reasonAgainst(known, doors)
  if (reason === 'enrolment.paid') return 'paid'
  if (reason === 'enrolment.locked') return 'locked'
  if (reason === 'enrolment.signed_off') return 'signed'
  if (reason !== undefined) return 'closed'
  return known.version === known.import_version ? undefined : 'byHand'
}
