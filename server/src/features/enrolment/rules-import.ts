import { bookKinds } from '@podium/contract/classes'
import { classIdOf } from '@podium/contract/enrolment-class'
import type { OfferedSubject, PricedChoice, StudentFee } from '@podium/contract/enrolment-fee'
import { priceChoice } from '@podium/contract/enrolment-fee'
import {
  readStudentFields,
  type StudentFields,
  type StudentFieldsInput,
} from '@podium/contract/enrolment-student'
import type { Issue } from '@podium/contract/envelope'
import { messages } from '@podium/contract/messages'
import { type Paise, paise } from '@podium/contract/money'

export type ImportField = keyof StudentFieldsInput

/** What the heads of columns are called, folded: letters and digits alone, lower case, without what stands in brackets. */
const headings: Record<ImportField, readonly string[]> = {
  classId: ['class', 'classname', 'std', 'standard', 'grade', 'कक्षा'],
  section: ['section', 'sec', 'division', 'div', 'सेक्शन', 'अनुभाग', 'वर्ग'],
  rollno: ['rollno', 'roll', 'rollnumber', 'rollnum', 'classrollno', 'रोलनंबर', 'रोलनं', 'अनुक्रमांक', 'क्रमांक'],
  studentName: [
    'studentname',
    'student',
    'name',
    'nameofstudent',
    'nameofthestudent',
    'nameofchild',
    'childname',
    'studentsname',
    'fullname',
    'नाम',
    'छात्रकानाम',
    'विद्यार्थीकानाम',
    'छात्रनाम',
  ],
  parentName: [
    'parentname',
    'parent',
    'parents',
    'parentsname',
    'fathername',
    'fathersname',
    'father',
    'mothername',
    'mothersname',
    'mother',
    'guardianname',
    'guardian',
    'अभिभावककानाम',
    'अभिभावक',
    'पिताकानाम',
    'माताकानाम',
  ],
  parentEmailId: [
    'parentemail',
    'parentemailid',
    'parentsemail',
    'email',
    'emailid',
    'emailaddress',
    'mail',
    'ईमेल',
  ],
  parentMobileNo: [
    'parentmobile',
    'parentmobileno',
    'parentsmobile',
    'mobile',
    'mobileno',
    'mobilenumber',
    'phone',
    'phoneno',
    'phonenumber',
    'contact',
    'contactno',
    'contactnumber',
    'whatsapp',
    'whatsappno',
    'मोबाइल',
    'मोबाइलनंबर',
    'फोन',
  ],
  subjectName: ['subjects', 'subject', 'subjectname', 'olympiads', 'olympiad', 'exams', 'exam', 'विषय'],
  cb: ['cb', 'comprehensivebook', 'comprehensivebooks'],
  pyqp: [
    'pyqp',
    'pt',
    'previoustestpaper',
    'previoustestpapers',
    'previousyearquestionpaper',
    'previousyearpapers',
  ],
  geneX: ['genex', 'eg', 'olympiadexcellenceguide', 'excellenceguide'],
  tb: ['tb', 'textbook', 'textbooks'],
  wb: ['wb', 'workbook', 'workbooks'],
}

const fieldOfHeading = new Map(
  (Object.entries(headings) as Array<[ImportField, readonly string[]]>).flatMap(([field, names]) =>
    names.map((name): [string, ImportField] => [name, field]),
  ),
)

const foldHeading = (heading: string) =>
  heading
    .normalize('NFKC')
    .replace(/\(.*?\)/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')

export interface Column {
  index: number
  heading: string
  /** Undefined: not used, or the second of its kind */
  field: ImportField | undefined
}

/** What each column of a head is taken for. Undefined when it is no head: class, roll no, name and subjects must be there. */
export function readHead(cells: readonly string[]): Column[] | undefined {
  const taken = new Set<ImportField>()
  const columns = cells.map((heading, index): Column => {
    const field = fieldOfHeading.get(foldHeading(heading))
    if (!field || taken.has(field)) return { index, heading, field: undefined }
    taken.add(field)
    return { index, heading, field }
  })
  const needed: ImportField[] = ['classId', 'rollno', 'studentName', 'subjectName']
  return needed.every((field) => taken.has(field)) ? columns : undefined
}

const lists: readonly ImportField[] = ['subjectName', ...bookKinds]

function inputOf(columns: readonly Column[], cells: readonly string[]): StudentFieldsInput {
  const written = new Map<ImportField, string>()
  for (const { field, index } of columns) if (field) written.set(field, (cells[index] ?? '').trim())
  const text = (field: ImportField) => written.get(field) ?? ''
  const list = (field: ImportField) => text(field).replace(/[;/|\n]/g, ',')
  return {
    classId: classIdOf(text('classId')) ?? '',
    // A school without sections leaves the column out.
    section: written.has('section') ? text('section') : '-',
    rollno: text('rollno'),
    studentName: text('studentName').replace(/\s+/g, ' '),
    parentName: text('parentName').replace(/\s+/g, ' '),
    parentEmailId: text('parentEmailId'),
    parentMobileNo: text('parentMobileNo'),
    subjectName: list('subjectName'),
    cb: list('cb'),
    pyqp: list('pyqp'),
    geneX: list('geneX'),
    tb: list('tb'),
    wb: list('wb'),
  }
}

export type CheckedRow =
  | { issues: Issue[]; fields: undefined; priced: undefined }
  | { issues: readonly []; fields: StudentFields; priced: PricedChoice }

/**
 * One row by the same schema and fee function as the dialog; every fault of it at once. `closed` says the last day of a
 * subject that has closed. The lists of good rows come out as letters.
 */
export function checkRow(
  columns: readonly Column[],
  cells: readonly string[],
  offerTo: (classId: number) => readonly OfferedSubject[],
  closed: (letter: string) => string | undefined,
): CheckedRow {
  const input = inputOf(columns, cells)
  const { fields, issues } = readStudentFields(input)
  const writtenClass = cells[columns.find(({ field }) => field === 'classId')?.index ?? -1]?.trim()
  for (const issue of issues) {
    if (issue.path === 'classId' && issue.message === messages.classRequired && writtenClass)
      issue.message = 'This is not a class: Nursery, LKG, UKG or 1 to 12.'
    if (issue.path === 'rollno' && input.rollno !== '' && issue.message === messages.rollNoRequired)
      issue.message = 'Roll No is a whole number from 1.'
  }
  if (!fields) return { issues, fields: undefined, priced: undefined }
  const { cb, pyqp, geneX, tb, wb } = fields
  const priced = priceChoice(offerTo(fields.classId), {
    subjects: fields.subjectName,
    books: { cb, pyqp, geneX, tb, wb },
  })
  issues.push(...priced.issues)
  for (const { letter, name } of priced.registration) {
    const day = closed(letter)
    if (day) issues.push({ path: 'subjectName', message: `Enrolment for ${name} closed on ${day}.` })
  }
  if (issues.length > 0) return { issues, fields: undefined, priced: undefined }
  const letters = (field: (typeof lists)[number]) =>
    priced.books.filter((book) => book.kind === field).map((book) => book.letter)
  const tidied: StudentFields = {
    ...fields,
    subjectName: priced.registration.map((line) => line.letter),
    cb: letters('cb'),
    pyqp: letters('pyqp'),
    geneX: letters('geneX'),
    tb: letters('tb'),
    wb: letters('wb'),
  }
  return { issues: [], fields: tidied, priced }
}

/** The four amounts of all rows together. */
export function totalFee(rows: ReadonlyArray<{ fee: StudentFee }>): StudentFee {
  const total = (pick: (fee: StudentFee) => Paise) => paise(rows.reduce((sum, { fee }) => sum + pick(fee), 0))
  return {
    regAmount: total((fee) => fee.regAmount),
    schoolExpenses: total((fee) => fee.schoolExpenses),
    bookAmount: total((fee) => fee.bookAmount),
    bookSchoolExpenses: total((fee) => fee.bookSchoolExpenses),
  }
}
