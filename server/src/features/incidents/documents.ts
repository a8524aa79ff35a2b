import type { Incident, IncidentClock, IncidentRow } from '@podium/contract/incidents'
import type { IncidentPick } from '@podium/contract/incidents-people'
import { istDay } from '@podium/contract/season'
import type { FileAnswer } from '#platform/http'
import type { Letterhead } from '#platform/letterhead'
import { makePdf } from '#platform/pdf'
import { type SheetFormat, sheetFile } from '#platform/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/spreadsheet-write'
import type { TimelineLine } from './queries-timeline.ts'
import { momentText } from './rules.ts'

export const natureNames = {
  disclosed: 'Seen by the wrong people',
  changed: 'It was changed and is wrong',
  lost: 'It is lost',
  unavailable: 'It could not be reached',
} as const

const clockTitles = {
  cert: 'CERT-In, within 6 hours',
  board: 'Data Protection Board, within 72 hours',
} as const

function clockText({ outcome, at, note, by, late, dueAt }: IncidentClock): string {
  const due = `due ${momentText(dueAt)}`
  if (outcome === '') return `not reported yet, ${due}${late ? ', overdue' : ''}`
  if (outcome === 'needless') return `not needed: ${note} (${by}, ${momentText(at)})`
  return `${late ? 'reported late' : 'reported in time'}, ${momentText(at)}, ${due}: ${note} (${by})`
}

const listColumns: readonly SheetColumn[] = [
  { title: 'No.', kind: 'number' },
  { title: 'Incident', width: 40 },
  { title: 'Drill' },
  { title: 'Nature', width: 32 },
  { title: 'Found', width: 22 },
  { title: 'State' },
  { title: 'Children', kind: 'number' },
  { title: 'People of schools', kind: 'number' },
  { title: 'Told', kind: 'number' },
  { title: 'CERT-In (6 h)', width: 40 },
  { title: 'Board (72 h)', width: 40 },
  { title: 'Opened by', width: 24 },
  { title: 'Closed on', kind: 'date' },
]

/** The register as a file. */
export function registerFile(rows: readonly IncidentRow[], format: SheetFormat): FileAnswer['file'] {
  const cells = rows.map((row): SheetValue[] => [
    ...[row.id, row.title, row.drill ? 'YES' : '', natureNames[row.nature], momentText(row.foundAt)],
    ...[row.state, row.children, row.people, row.told, ...row.clocks.map(clockText)],
    ...[row.openedBy, row.closedAt === null ? '' : istDay(new Date(row.closedAt))],
  ])
  return sheetFile('Incidents', listColumns, cells, format)
}

const pickText = ({ how, what }: IncidentPick): string => {
  if (how === 'schools')
    return `Schools ${what.codes.join(', ')}${what.season === '' ? '' : `, season ${what.season}`}`
  if (how === 'list') return `A list of ${what.lines} lines`
  const whole = what.wholeSchools ? ', with the whole schools named' : ''
  return `What ${what.actor} saw or changed from ${momentText(what.from)} until ${momentText(what.until)}${whole}`
}

export interface Report {
  incident: Incident
  picks: readonly IncidentPick[]
  timeline: readonly TimelineLine[]
}

/** All fields of the report as title and text, in the order of rule 7. */
function factsOf({ incident }: Report): [string, string][] {
  const { counts, clocks, state } = incident
  return [
    ['Number', String(incident.id)],
    ['Kind', incident.drill ? 'Drill' : 'Incident'],
    ['Nature', natureNames[incident.nature]],
    ['Began', momentText(incident.beganAt) || 'Not known'],
    ['Found', momentText(incident.foundAt)],
    ['What happened', incident.happened],
    ['Extent', incident.extent],
    ['Consequences', incident.consequences],
    ['Measures', incident.measures],
    ['Safety steps for those affected', incident.safety],
    ['Contact', incident.contact],
    ...clocks.map((clock): [string, string] => [clockTitles[clock.name], clockText(clock)]),
    ['Children affected', String(counts.children)],
    ['People of schools affected', String(counts.people)],
    ['Schools affected', String(counts.schools)],
    ['Told', String(counts.told)],
    ['Not told yet', String(counts.waiting + counts.unreachable)],
    [
      'State',
      state === 'closed' ? `Closed ${momentText(incident.closedAt)} by ${incident.closedBy}` : 'Open',
    ],
    ['Conclusion', incident.conclusion],
  ]
}

const told = (text: string): string => (text === '' ? '–' : text)

async function pdfOf(report: Report, foundation: Letterhead, createdAt: Date): Promise<Buffer> {
  const { incident, picks, timeline } = report
  const title = `Report on an incident of personal data: ${incident.title}`
  return makePdf({ title, createdAt, foundation }, async (page) => {
    page.heading(title)
    for (const [name, text] of factsOf(report)) {
      if (text.length > 60) {
        page.subheading(name)
        for (const line of text.split('\n')) page.text(line)
      } else page.keyValues([[name, told(text)]], 1)
    }
    page.subheading('How those affected were found')
    page.table({
      columns: [
        { title: 'How', weight: 5 },
        { title: 'Children', weight: 1, align: 'right' },
        { title: 'People', weight: 1, align: 'right' },
        { title: 'By', weight: 2 },
      ],
      rows: picks.map((pick) => [pickText(pick), String(pick.children), String(pick.people), pick.by]),
      empty: 'Nobody was picked.',
    })
    page.subheading('Timeline')
    page.table({
      columns: [
        { title: 'When', weight: 2 },
        { title: 'What', weight: 2 },
        { title: 'Details', weight: 4 },
        { title: 'Who', weight: 2 },
      ],
      rows: timeline.map(({ at, action, says, by }) => [momentText(at), action, says, by]),
      empty: 'Nothing yet.',
    })
    await page.pause()
  })
}

const reportColumns: readonly SheetColumn[] = [
  { title: 'Part', width: 34 },
  { title: 'Says', width: 90 },
  { title: 'When', width: 22 },
  { title: 'Who', width: 24 },
]

/** The report for the Board: all fields, how those affected were found, and the timeline. No names of those affected. */
export async function reportFile(
  report: Report,
  format: 'pdf' | 'xlsx',
  { foundation, createdAt }: { foundation: Letterhead; createdAt: Date },
): Promise<FileAnswer['file']> {
  const name = `Incident ${report.incident.id}`
  if (format === 'pdf')
    return {
      name: `${name}.pdf`,
      mediaType: 'application/pdf',
      content: await pdfOf(report, foundation, createdAt),
    }
  const rows: SheetValue[][] = [
    ['Title', report.incident.title, '', ''],
    ...factsOf(report).map(([part, says]): SheetValue[] => [part, says, '', '']),
    ...report.picks.map((pick): SheetValue[] => [
      'How those affected were found',
      `${pickText(pick)}: ${pick.children} children, ${pick.people} people of schools`,
      momentText(pick.at),
      pick.by,
    ]),
    ...report.timeline.map(({ at, action, says, by }): SheetValue[] => [
      `Timeline: ${action}`,
      says,
      momentText(at),
      by,
    ]),
  ]
  return sheetFile(name, reportColumns, rows, 'xlsx')
}
