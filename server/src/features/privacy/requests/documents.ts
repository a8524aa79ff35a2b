import type { DataRequest } from '@podium/contract/privacy/calls'
import { formatDay, istDay, istTime } from '@podium/contract/season'
import type { FileAnswer } from '#platform/http/http'
import type { Letterhead } from '#platform/pdf/letterhead'
import { makePdf } from '#platform/pdf/pdf'
import { type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'
import type { HeldPart } from './queries-child.ts'

interface Making {
  foundation: Letterhead
  createdAt: Date
}

const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)

function shown(value: string | number | boolean | null): string {
  if (value === null) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (!isMoment(value)) return String(value)
  const instant = new Date(value)
  return `${formatDay(istDay(instant))} ${istTime(instant)}`
}

/** Everything that is held about a child: for machines, or to be read. */
export async function childDataFile(
  held: readonly HeldPart[],
  format: 'json' | 'pdf',
  { foundation, createdAt }: Making,
): Promise<FileAnswer['file']> {
  if (format === 'json') {
    const data = Object.fromEntries(held.map(({ key, records }) => [key, records]))
    const text = JSON.stringify(
      { madeBy: foundation.name, madeAt: createdAt.toISOString(), ...data },
      null,
      2,
    )
    return { name: "Child's data.json", mediaType: 'application/json', content: Buffer.from(text) }
  }
  const title = 'Everything held about your child'
  const content = await makePdf({ title, createdAt, foundation }, async (page) => {
    page.heading(title)
    for (const { title: part, records } of held) {
      page.subheading(part)
      if (records.length === 0) page.text('Nothing is held of this.')
      for (const [at, record] of records.entries()) {
        if (at > 0) page.rule()
        page.keyValues(
          Object.entries(record).map(([name, value]) => [name, shown(value)] as const),
          2,
        )
        if (at % 50 === 49) await page.pause()
      }
    }
  })
  return { name: "Child's data.pdf", mediaType: 'application/pdf', content }
}

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
