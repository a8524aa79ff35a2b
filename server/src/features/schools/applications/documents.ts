import type { Application } from '@podium/contract/schools/calls-applications'
import type { FileAnswer } from '#platform/http/http'
import { momentCell, type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'

const columns: readonly SheetColumn[] = [
  { title: 'School', width: 36 },
  { title: 'Address', width: 36 },
  { title: 'City' },
  { title: 'District' },
  { title: 'State' },
  { title: 'Country', width: 12 },
  { title: 'Pin Code', width: 10 },
  { title: 'Phone' },
  { title: 'UDISE Code' },
  { title: 'Affiliation No' },
  { title: 'Applicant', width: 24 },
  { title: 'Designation' },
  { title: 'E-mail', width: 28 },
  { title: 'Mobile' },
  { title: 'Sent', width: 18 },
  { title: 'Asked back', width: 18 },
  { title: 'Requested by', width: 24 },
  { title: 'Question', width: 40 },
  { title: 'Answered', width: 18 },
  { title: 'Answer', width: 40 },
  { title: 'Decided', width: 18 },
  { title: 'Reason', width: 40 },
  { title: 'Assigned to', width: 24 },
]

const cells = (one: Application): SheetValue[] => [
  ...[one.schName, one.address, one.city, one.district, one.state, one.country, one.pinCode, one.phone],
  ...[one.udiseCode, one.affiliationNo],
  ...[one.applicantName, one.applicantDesignation, one.applicantEmail, one.applicantMobile],
  ...[momentCell(one.submittedAt), momentCell(one.askedAt), one.askedBy, one.question],
  ...[
    momentCell(one.answeredAt),
    one.answer,
    momentCell(one.decidedAt),
    one.reason,
    one.assignee?.name ?? '',
  ],
]

const titles = {
  submitted: 'Applications waiting',
  asked: 'Applications asked back',
  approved: 'Applications approved',
  rejected: 'Applications rejected',
} as const

/** Applications of a state as a file; moments in India. */
export const applicationsFile = (
  applications: readonly Application[],
  state: Application['reviewState'],
  format: SheetFormat,
): FileAnswer['file'] => sheetFile(titles[state], columns, applications.map(cells), format)
