import { classCode } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import type { ResultRow } from '@podium/contract/results/calls'
import type { AnomalyKind } from '@podium/contract/results/calls-corrections'
import type { officeResultEvents, ResultSet } from '@podium/contract/results/calls-office'
import type { EventSection } from '@podium/contract/results/schemas'
import { istDay } from '@podium/contract/season'
import type { FileAnswer } from '#platform/http/http'
import {
  type SheetColumn,
  type SheetValue,
  type SheetValues,
  writeCsv,
  writeXlsx,
} from '#platform/sheets/spreadsheet-write'
import type { Anomaly } from './marks/queries-anomalies.ts'

export type Format = 'xlsx' | 'csv'

function sheet(
  title: string,
  format: Format,
  columns: readonly SheetColumn[],
  rows: SheetValues,
): FileAnswer['file'] {
  const name = `${title}.${format}`
  return format === 'csv'
    ? { name, mediaType: 'text/csv; charset=utf-8', content: writeCsv(columns, rows) }
    : {
        name,
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        content: writeXlsx(title, columns, rows),
      }
}

const resultColumns: readonly SheetColumn[] = [
  { title: 'S.No.', kind: 'number' },
  { title: 'Class' },
  { title: 'Section', width: 9 },
  { title: 'Roll No' },
  { title: 'Student Name', width: 28 },
  { title: 'Attendance' },
  { title: 'Raw score', kind: 'mark' },
  { title: 'Final score', kind: 'mark' },
  { title: 'Class rank', kind: 'number' },
  { title: 'State rank', kind: 'number' },
  { title: 'Zonal rank', kind: 'number' },
  { title: 'Olympiad rank', kind: 'number' },
  { title: 'Medal' },
  { title: 'Prize', width: 36 },
  { title: 'Award', width: 28 },
  { title: 'Gift certificate', width: 36 },
]

/** The results table as a file; absent students have no score or rank. */
export function resultsFile(
  rows: readonly ResultRow[],
  about: { subjectName: string; season: string; letterLeadsOn: boolean; level: number },
  format: Format,
): FileAnswer['file'] {
  const columns = about.letterLeadsOn ? [...resultColumns, eligible(about.level)] : resultColumns
  const cells = rows.map((row, index) => resultCells(row, index + 1, about.level))
  return sheet(`Results ${about.subjectName} ${about.season}`, format, columns, cells)
}

const eligible = (level: number): SheetColumn => ({ title: `Eligible For Level-${level === 2 ? 3 : 2}` })

function resultCells(row: ResultRow, serial: number, level: number): SheetValue[] {
  return [
    serial,
    classCode(row.classId),
    row.section,
    row.nioRollNo,
    row.studentName,
    row.absent ? 'Absent' : 'Present',
    row.absent ? '' : row.rawMarks,
    row.absent ? '' : row.marks,
    row.finalClassRank,
    row.finalStateRank,
    row.zonalRank,
    row.finalOlympiadRank,
    row.medalNew,
    // Without a prize the message is the award's title.
    row.prize_Amount_Msg === row.award ? '' : row.prize_Amount_Msg,
    row.award,
    row.couponLink,
    row.absent ? '' : level === 2 ? row.level3 : row.level2,
  ]
}

/** The results of a version, of all schools or one, with student and school. */
export function previewFile(
  set: { name: string; season: string; version: number; level: number },
  results: AsyncIterable<ResultRow & { schCode: string; schName: string }>,
  format: Format,
): FileAnswer['file'] {
  const ofSchool = [{ title: 'School Code' }, { title: 'School Name', width: 36 }]
  async function* rows(): AsyncGenerator<SheetValue[]> {
    let serial = 0
    for await (const row of results)
      yield [...resultCells(row, ++serial, set.level), row.schCode, row.schName]
  }
  const columns = [...resultColumns, eligible(set.level), ...ofSchool]
  return sheet(`Results ${set.name} ${set.season} version ${set.version}`, format, columns, rows())
}

const eventColumns: readonly SheetColumn[] = [
  { title: 'Subject', width: 28 },
  { title: 'Letter' },
  { title: 'Level', kind: 'number' },
  { title: 'Last exam', kind: 'date' },
  { title: 'Results from', kind: 'date' },
  { title: 'Status' },
  { title: 'Version', kind: 'number' },
  { title: 'Scheduled for', kind: 'date' },
  { title: 'Published version', kind: 'number', width: 18 },
  { title: 'Published on', kind: 'date' },
  { title: 'Schools withheld', kind: 'number', width: 18 },
]

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

/** The events of a season with the status of their newest version, in the words of the office's page. */
export function eventsFile(
  events: ReadonlyArray<AnswerOf<typeof officeResultEvents>['data'][number]>,
  season: string,
  now: Date,
  format: Format,
): FileAnswer['file'] {
  const dayOf = (at: string | null | undefined) => (at ? istDay(new Date(at)) : '')
  const cells = events.map(({ newest, visible, ...event }) => {
    const releaseAt = newest?.state === 'approved' ? newest.releaseAt : null
    const scheduled = releaseAt && new Date(releaseAt) > now
    const status = scheduled
      ? 'Scheduled'
      : releaseAt
        ? 'Released'
        : newest
          ? stateWords[newest.state]
          : 'No marks yet'
    return [
      event.subjectName,
      event.eventLetter,
      event.examLevel,
      event.lastExamOn ?? '',
      event.resultsFrom,
      status,
      newest?.version ?? '',
      scheduled ? dayOf(releaseAt) : '',
      visible?.version ?? '',
      dayOf(visible?.releaseAt),
      event.holds,
    ]
  })
  return sheet(`Results by event ${season}`, format, eventColumns, cells)
}

const faultColumns: readonly SheetColumn[] = [
  { title: 'Row', kind: 'number', width: 8 },
  { title: 'Roll No' },
  { title: 'Problem', width: 30 },
  { title: 'Column' },
  { title: 'Value' },
  { title: 'Note', width: 44 },
  { title: 'Action taken', width: 20 },
  { title: 'Blocking', width: 10 },
  { title: 'State', width: 10 },
  { title: 'Accepted by', width: 22 },
  { title: 'Why', width: 44 },
]

const oddWords: Readonly<Record<AnomalyKind, string>> = {
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

/** The anomalies of a marks file by line, for correcting it. */
export function faultsFile(
  event: { name: string; season: string; version: number },
  anomalies: AsyncIterable<Anomaly>,
  format: Format,
): FileAnswer['file'] {
  async function* rows(): AsyncGenerator<SheetValue[]> {
    for await (const odd of anomalies)
      yield [
        odd.rowNo === 0 ? null : odd.rowNo,
        odd.nioRollNo,
        oddWords[odd.kind],
        odd.column,
        odd.value,
        odd.note,
        doneWords[odd.treatment],
        odd.blocking ? 'Yes' : 'No',
        odd.resolved ? 'Settled' : 'Open',
        odd.resolvedBy,
        odd.resolution,
      ]
  }
  return sheet(`Faults ${event.name} ${event.season} version ${event.version}`, format, faultColumns, rows())
}

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
  format: Format,
): FileAnswer['file'] {
  const sections = event.sections.map(
    ({ name, maximum }): SheetColumn => ({ title: `${name} (max ${maximum})`, kind: 'mark' }),
  )
  const columns: SheetColumn[] = [
    { title: 'Roll No' },
    { title: 'Attendance' },
    ...sections,
    { title: 'Student Name', width: 28 },
    { title: 'Class' },
    { title: 'School Code' },
    { title: 'School Name', width: 36 },
  ]
  async function* rows(): AsyncGenerator<SheetValue[]> {
    for await (const { roll, name, className, code, school } of candidates)
      yield [roll, '', ...sections.map(() => ''), name, className, code, school]
  }
  const level = event.level === 1 ? '' : ` level ${event.level}`
  return sheet(`Marks ${event.name}${level} ${event.season}`, format, columns, rows())
}
