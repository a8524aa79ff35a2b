import type { QueuedMail } from '@podium/contract/office/calls-mails'
import { mailName } from '@podium/contract/office/words-mails'
import type { FileAnswer } from '#platform/http/http'
import { momentCell, type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'

const lastTitles = { failed: 'Failed', bounced: 'Returned', waiting: 'Next try', sent: 'Sent' } as const

const columnsOf = (state: QueuedMail['state']): readonly SheetColumn[] => [
  { title: 'Kind' },
  { title: 'Subject', width: 48 },
  { title: 'To', width: 28 },
  { title: 'Name', width: 28 },
  { title: 'School', width: 14 },
  { title: 'Name of school', width: 32 },
  { title: 'Attempts', kind: 'number' },
  { title: 'Written', width: 22 },
  { title: lastTitles[state], width: 22 },
  { title: 'Error', width: 60 },
]

/** Mails of a state as a file, addresses masked as in the list; moments in India. */
export function mailsFile(
  mails: readonly QueuedMail[],
  state: QueuedMail['state'],
  format: SheetFormat,
): FileAnswer['file'] {
  const rows = mails.map((mail): SheetValue[] => [
    ...[mailName(mail.kind), mail.subject, mail.to, mail.name],
    ...[mail.school?.schCode ?? '', mail.school?.schName ?? '', mail.attempts],
    ...[momentCell(mail.createdAt), momentCell(mail.at), mail.error],
  ])
  return sheetFile(`Mails ${state}`, columnsOf(state), rows, format)
}
