import type { InvitationRow, InvitationStatus } from '@podium/contract/results/calls-next-level-list'
import { formatDay, istDay } from '@podium/contract/season'
import type { FileAnswer } from '#platform/http/http'
import { type SheetColumn, type SheetValue, writeCsv, writeXlsx } from '#platform/sheets/spreadsheet-write'

const standings: Record<InvitationStatus, string> = {
  toInvite: 'To be invited',
  waiting: 'No answer yet',
  yes: 'Confirmed',
  no: 'Declined',
  left: 'Excluded',
  toWithdraw: 'To be taken back',
  withdrawn: 'Taken back',
}

const columns: readonly SheetColumn[] = [
  { title: 'S.No.', kind: 'number' },
  { title: 'Exam roll no' },
  { title: 'Student name', width: 28 },
  { title: 'Class' },
  { title: 'Section', width: 9 },
  { title: 'School code' },
  { title: 'School', width: 32 },
  { title: 'City' },
  { title: 'State' },
  { title: 'Final score', kind: 'mark' },
  { title: 'Olympiad rank', kind: 'number' },
  { title: 'Class rank', kind: 'number' },
  { title: 'Eligible by the rules' },
  { title: 'Status', width: 18 },
  { title: 'By hand' },
  { title: 'Reason', width: 32 },
  { title: 'Decided by' },
  { title: 'Answered by' },
  { title: 'Answered on' },
  { title: 'Note of the school', width: 32 },
]

const cells = (row: InvitationRow, index: number): SheetValue[] => [
  index + 1,
  row.nioRollNo,
  row.studentName,
  row.className,
  row.section === '-' ? '' : row.section,
  row.schCode,
  row.schName,
  row.city,
  row.state,
  row.marks,
  row.olympiadRank,
  row.classRank,
  row.eligible ? 'YES' : 'NO',
  standings[row.standing],
  row.byHand ? 'YES' : '',
  row.reason,
  row.decidedBy,
  row.answeredBy,
  row.answeredAt === null ? '' : formatDay(istDay(new Date(row.answeredAt))),
  row.answerNote,
]

/** The children of a list, with where each stands and what its school has answered. */
export function invitationsFile(
  rows: readonly InvitationRow[],
  about: { subject: string; season: string; level: number },
  format: 'xlsx' | 'csv',
): FileAnswer['file'] {
  const title = `Level ${about.level} ${about.subject} ${about.season}`
  const name = `${title}.${format}`
  const lines = rows.map(cells)
  return format === 'csv'
    ? { name, mediaType: 'text/csv; charset=utf-8', content: writeCsv(columns, lines) }
    : {
        name,
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        content: writeXlsx(title, columns, lines),
      }
}
