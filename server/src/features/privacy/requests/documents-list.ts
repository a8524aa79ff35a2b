import type { DataRequest } from '@podium/contract/privacy/calls'
import { istDay } from '@podium/contract/season'
import type { FileAnswer } from '#platform/http/http'
import { type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'

const columns: readonly SheetColumn[] = [
  { title: 'Requested', width: 20 },
  { title: 'Through', width: 24 },
  { title: 'Child', width: 28 },
  { title: 'Class', width: 24 },
  { title: 'School', width: 36 },
  { title: 'Requested on', kind: 'date' },
  { title: 'Due by', kind: 'date' },
  { title: 'Late' },
  { title: 'State', width: 16 },
]

const kinds = { export: "The child's data", erase: 'Erasure', correct: 'Correction' } as const
const throughs: Record<string, string> = {
  family: "On the family's page",
  school: 'Through the school',
  office: 'Entered by the office',
}
const states = {
  asked: 'To be checked',
  checked: 'Checked',
  done: 'Done',
  declined: 'Declined',
  withdrawn: 'Taken back',
} as const

const cells = (one: DataRequest): SheetValue[] => [
  ...[kinds[one.kind], throughs[one.askedThrough] ?? one.askedThrough, one.studentName || 'Erased'],
  ...[one.place, one.schName, istDay(new Date(one.askedAt)), one.dueOn, one.late ? 'Yes' : ''],
  states[one.state],
]

/** Requests as a file with what the list shows of each: neither what was written nor how a parent is reached; days in India. */
export const requestsFile = (
  requests: readonly DataRequest[],
  show: 'open' | 'over' | 'all',
  format: SheetFormat,
): FileAnswer['file'] => sheetFile(`Data requests ${show}`, columns, requests.map(cells), format)
