import type { OfficeQuestion } from '@podium/contract/questions/calls-office'
import type { FileAnswer } from '#platform/http/http'
import { momentCell, type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'

const columns: readonly SheetColumn[] = [
  { title: 'School', width: 12 },
  { title: 'Name of school', width: 36 },
  { title: 'Class', width: 10 },
  { title: 'Subject', width: 20 },
  { title: 'Chapter', width: 16 },
  { title: 'Question', width: 60 },
  { title: 'Option A', width: 24 },
  { title: 'Option B', width: 24 },
  { title: 'Option C', width: 24 },
  { title: 'Option D', width: 24 },
  { title: 'Answer', width: 10 },
  { title: 'Sent by', width: 24 },
  { title: 'Sent', width: 18 },
  { title: 'Assigned to', width: 24 },
  { title: 'Decided by', width: 24 },
  { title: 'Decided', width: 18 },
  { title: 'Reason', width: 40 },
]

const letters = ['A', 'B', 'C', 'D']

const cells = (one: OfficeQuestion): SheetValue[] => [
  ...[one.schCode, one.schName, one.className, one.subjectName, one.chapter, one.question],
  ...letters.map((_, at) => one.options[at] ?? ''),
  ...[letters[one.answer - 1] ?? '', one.sentBy, momentCell(one.creationDate)],
  ...[one.assignee?.name ?? '', one.reviewedBy, momentCell(one.reviewedAt), one.reason],
]

const titles = { sent: 'waiting', accepted: 'accepted', declined: 'declined' } as const

/** Teachers' questions of a state as a file; moments in India. */
export const questionsFile = (
  questions: readonly OfficeQuestion[],
  { FYear, status }: { FYear: string; status: OfficeQuestion['status'] },
  format: SheetFormat,
): FileAnswer['file'] =>
  sheetFile(`Questions ${titles[status]} ${FYear}`, columns, questions.map(cells), format)
