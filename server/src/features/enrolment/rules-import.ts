import type { StudentFee } from '@podium/contract/enrolment-fee'
import { neededFields, type RawRow, type RowField } from '@podium/contract/enrolment-row'
import { type Paise, paise } from '@podium/contract/money'

export type ImportField = RowField

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
  return neededFields.every((field) => taken.has(field)) ? columns : undefined
}

/** The row as the one check of rows takes it: the text of each column that is used. */
export function rawRow(columns: readonly Column[], cells: readonly string[]): RawRow {
  const raw: Partial<Record<ImportField, string>> = {}
  for (const { field, index } of columns) if (field) raw[field] = cells[index] ?? ''
  return raw
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
