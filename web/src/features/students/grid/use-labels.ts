import { words } from '../entry/words.ts'
import { type GridField, gridFields } from './grid-sheet.ts'

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

/** The heads of the columns, in the words of the student dialog. */
export function useGridLabels(): readonly string[] {
  const t = words.use()
  return gridFields.map((field) => t(wordOf[field]))
}
