import { classCode } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import type { ResultRow } from '@podium/contract/results/calls'
import type { AnomalyKind } from '@podium/contract/results/calls-corrections'
import type { officeResultEvents, ResultSet } from '@podium/contract/results/calls-office'
import type { EventSection } from '@podium/contract/results/schemas'
import type { FileAnswer } from '#platform/http/http'
import {
  dayCell,
  type ListColumn,
  type SheetFormat,
  type SheetValue,
  sheetFile,
} from '#platform/sheets/spreadsheet-write'
import type { Anomaly } from './marks/queries-anomalies.ts'

type File = FileAnswer['file']

const unlessAbsent =
  (value: (row: ResultRow) => SheetValue) =>
  (row: ResultRow): SheetValue =>
    row.absent ? '' : value(row)

const resultColumns: readonly ListColumn<ResultRow>[] = [
  { title: 'S.No.', kind: 'number', value: (_, index) => index + 1 },
  { title: 'Class', value: (row) => classCode(row.classId) },
  { title: 'Section', width: 9, value: (row) => row.section },
  { title: 'Roll No', value: (row) => row.nioRollNo },
  { title: 'Student Name', width: 28, value: (row) => row.studentName },
  { title: 'Attendance', value: (row) => (row.absent ? 'Absent' : 'Present') },
  { title: 'Raw score', kind: 'mark', value: unlessAbsent((row) => row.rawMarks) },
  { title: 'Final score', kind: 'mark', value: unlessAbsent((row) => row.marks) },
  { title: 'Class rank', kind: 'number', value: (row) => row.finalClassRank },
  { title: 'State rank', kind: 'number', value: (row) => row.finalStateRank },
  { title: 'Zonal rank', kind: 'number', value: (row) => row.zonalRank },
  { title: 'Olympiad rank', kind: 'number', value: (row) => row.finalOlympiadRank },
  { title: 'Medal', value: (row) => row.medalNew },
  // Without a prize the message is the award's title.
  {
    title: 'Prize',
    width: 36,
    value: (row) => (row.prize_Amount_Msg === row.award ? '' : row.prize_Amount_Msg),
  },
  { title: 'Award', width: 28, value: (row) => row.award },
  { title: 'Gift certificate', width: 36, value: (row) => row.couponLink },
]

/** The results table as a file; absent students have no score or rank. */
export function resultsFile(
  rows: readonly ResultRow[],
  about: { subjectName: string; season: string; letterLeadsOn: boolean; level: number },
  format: SheetFormat,
): File {
  const columns = about.letterLeadsOn ? [...resultColumns, eligible(about.level)] : resultColumns
  return sheetFile(`Results ${about.subjectName} ${about.season}`, columns, rows, format)
}

const eligible = (level: number): ListColumn<ResultRow> =>
  level === 2
    ? { title: 'Eligible For Level-3', value: unlessAbsent((row) => row.level3) }
    : { title: 'Eligible For Level-2', value: unlessAbsent((row) => row.level2) }

type PreviewRow = ResultRow & { schCode: string; schName: string }

/** The results of a version, of all schools or one, with student and school. */
export function previewFile(
  set: { name: string; season: string; version: number; level: number },
  results: AsyncIterable<PreviewRow>,
  format: SheetFormat,
): File {
  const columns: ListColumn<PreviewRow>[] = [
    ...resultColumns,
    eligible(set.level),
    { title: 'School code', value: (row) => row.schCode },
    { title: 'School', width: 36, value: (row) => row.schName },
  ]
  return sheetFile(`Results ${set.name} ${set.season} version ${set.version}`, columns, results, format)
}

const stateWords: Readonly<Record<ResultSet['state'], string>> = {
  importing: 'Importing',
  imported: 'Imported',
  computing: 'Computing',
  computed: 'Computed',
  approved: 'Approved',
  released: 'Released',
  superseded: 'Superseded',
  failed: 'Failed',
}

type ResultEvent = AnswerOf<typeof officeResultEvents>['data'][number]

/** The events of a season with the status of their newest version, in the words of the office's page. */
export function eventsFile(
  events: readonly ResultEvent[],
  season: string,
  now: Date,
  format: SheetFormat,
): File {
  const releaseOf = ({ newest }: ResultEvent) => (newest?.state === 'approved' ? newest.releaseAt : null)
  const scheduledFor = (event: ResultEvent) => {
    const releaseAt = releaseOf(event)
    return releaseAt && new Date(releaseAt) > now ? releaseAt : null
  }
  const statusOf = (event: ResultEvent) => {
    if (releaseOf(event)) return scheduledFor(event) ? 'Scheduled' : 'Released'
    return event.newest ? stateWords[event.newest.state] : 'No marks yet'
  }
  const columns: ListColumn<ResultEvent>[] = [
    { title: 'Subject', width: 28, value: (event) => event.subjectName },
    { title: 'Letter', value: (event) => event.eventLetter },
    { title: 'Level', kind: 'number', value: (event) => event.examLevel },
    { title: 'Last exam', kind: 'date', value: (event) => event.lastExamOn },
    { title: 'Results from', kind: 'date', value: (event) => event.resultsFrom },
    { title: 'Status', value: statusOf },
    { title: 'Version', kind: 'number', value: (event) => event.newest?.version },
    { title: 'Scheduled for', kind: 'date', value: (event) => dayCell(scheduledFor(event)) },
    { title: 'Released version', kind: 'number', width: 18, value: (event) => event.visible?.version },
    { title: 'Released on', kind: 'date', value: (event) => dayCell(event.visible?.releaseAt) },
    { title: 'Schools withheld', kind: 'number', width: 18, value: (event) => event.holds },
  ]
  return sheetFile(`Results by event ${season}`, columns, events, format)
}

const anomalyWords: Readonly<Record<AnomalyKind, string>> = {
  unknown_roll: 'Unknown roll no',
  not_enrolled: 'Not enrolled in this event',
  twice: 'Duplicate row',
  absent_marked: 'Absent, but marked',
  above_maximum: 'Above the maximum',
  unreadable: 'Cannot be read',
  final_score: 'Final score does not fit',
  zero_marks: 'Zero marks',
  missing: 'Paid, not in the file',
  absent_reported: 'Marks, but reported absent',
  present_reported: 'Reported present, but no marks',
}

const doneWords = {
  left_out: 'Excluded',
  as_absent: 'Counted as absent',
  kept: 'Kept',
  corrected: 'Corrected',
} as const

const faultColumns: readonly ListColumn<Anomaly>[] = [
  { title: 'Row', kind: 'number', width: 8, value: (row) => (row.rowNo === 0 ? null : row.rowNo) },
  { title: 'Roll No', value: (row) => row.nioRollNo },
  { title: 'Problem', width: 30, value: (row) => anomalyWords[row.kind] },
  { title: 'Column', value: (row) => row.column },
  { title: 'Value', value: (row) => row.value },
  { title: 'Note', width: 44, value: (row) => row.note },
  { title: 'Action taken', width: 20, value: (row) => doneWords[row.treatment] },
  { title: 'Blocking', width: 10, value: (row) => (row.blocking ? 'Yes' : 'No') },
  { title: 'Status', width: 10, value: (row) => (row.resolved ? 'Settled' : 'Open') },
  { title: 'Accepted by', width: 22, value: (row) => row.resolvedBy },
  { title: 'Why', width: 44, value: (row) => row.resolution },
]

/** The anomalies of a marks file by line, for correcting it. */
export const faultsFile = (
  event: { name: string; season: string; version: number },
  anomalies: AsyncIterable<Anomaly>,
  format: SheetFormat,
): File =>
  sheetFile(
    `Problems ${event.name} ${event.season} version ${event.version}`,
    faultColumns,
    anomalies,
    format,
  )

interface Candidate {
  roll: string
  name: string
  className: string
  code: string
  school: string
}

/** A file to fill in marks: first the columns that the import reads, then names, which it ignores. */
export function marksFile(
  event: { name: string; season: string; level: number; sections: readonly EventSection[] },
  candidates: AsyncIterable<Candidate>,
  format: SheetFormat,
): File {
  const columns: ListColumn<Candidate>[] = [
    { title: 'Roll No', value: (child) => child.roll },
    { title: 'Attendance', value: () => '' },
    ...event.sections.map(
      ({ name, maximum }): ListColumn<Candidate> => ({
        title: `${name} (max ${maximum})`,
        kind: 'mark',
        value: () => '',
      }),
    ),
    { title: 'Student Name', width: 28, value: (child) => child.name },
    { title: 'Class', value: (child) => child.className },
    { title: 'School code', value: (child) => child.code },
    { title: 'School', width: 36, value: (child) => child.school },
  ]
  const level = event.level === 1 ? '' : ` level ${event.level}`
  return sheetFile(`Marks ${event.name}${level} ${event.season}`, columns, candidates, format)
}
