import type { ExamSlot } from '@podium/contract/exams/calls-schedules-office'
import { istDay, istTime } from '@podium/contract/season'
import type { FileAnswer } from '#platform/http/http'
import { type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'

const columns: readonly SheetColumn[] = [
  { title: 'Date', kind: 'date' },
  { title: 'From', width: 10 },
  { title: 'To', width: 10 },
  { title: 'Places', kind: 'number' },
  { title: 'Taken', kind: 'number' },
  { title: 'Free', kind: 'number' },
  { title: 'Schools', kind: 'number' },
]

function cells({ from, to, places, taken, schools }: ExamSlot): SheetValue[] {
  const [begins, ends] = [new Date(from), new Date(to)]
  return [
    ...[istDay(begins), istTime(begins), istTime(ends)],
    ...[places, taken, Math.max(0, places - taken), schools],
  ]
}

/** The slots of an olympiad as a file; days and hours in India. */
export const slotsFile = (
  slots: readonly ExamSlot[],
  { subject, season }: { subject: string; season: string },
  format: SheetFormat,
): FileAnswer['file'] => sheetFile(`Slots ${subject} ${season}`, columns, slots.map(cells), format)
