import type { ImportField } from '@podium/contract/schools/calls-import'
import type { FileAnswer } from '#platform/http/http'
import { type SheetColumn, writeTemplate, writeXlsx } from '#platform/sheets/spreadsheet-write'
import type { Heading } from './queries.ts'
import type { Fault } from './rules.ts'

const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The details as the template heads them; the import reads these headings back. */
export const fieldTitles: Readonly<Record<ImportField, string>> = {
  schName: 'School Name',
  schCode: 'School Code',
  schAddress: 'Address',
  city: 'City',
  district: 'District',
  state: 'State',
  country: 'Country',
  pinCode: 'Pin Code',
  mobile: 'Phone',
  schEmail: 'E-mail',
  udiseCode: 'UDISE Code',
  affiliationNo: 'Affiliation No',
  whatsAppNo: 'WhatsApp',
  landLineNo: 'Landline',
  schFaxNo: 'Fax',
  schWebSite: 'Website',
  schGroupId: 'Group',
}

/** The spreadsheet to fill in, with the states to choose from. */
export async function schoolTemplate(states: readonly string[]): Promise<FileAnswer['file']> {
  const columns = Object.entries(fieldTitles).map(
    ([field, title]): SheetColumn & { choices?: readonly string[] } => ({
      title,
      width: field === 'schName' || field === 'schAddress' ? 36 : 18,
      ...(field === 'state' ? { choices: states } : {}),
    }),
  )
  return { name: 'Schools.xlsx', mediaType, content: await writeTemplate('Schools', columns) }
}

interface Faulty {
  fileName: string
  headings: readonly Heading[]
  rows: readonly { row: number; cells: readonly string[]; faults: readonly Fault[] }[]
}

/** The rows that could not be brought in with the reasons before them; corrected, the file can be sent again. */
export function faultySchools({ fileName, headings, rows }: Faulty): FileAnswer['file'] {
  const columns: SheetColumn[] = [
    { title: 'Why not', width: 60 },
    { title: 'Row', kind: 'number' },
    ...headings.map(({ heading }) => ({ title: heading })),
  ]
  const reason = ({ field, message }: Fault) => {
    const title = Object.entries(fieldTitles).find(([name]) => name === field)?.[1]
    return title ? `${title}: ${message}` : message
  }
  const lines = rows.map(({ row, cells, faults }) => [
    faults.map(reason).join(' '),
    row,
    ...headings.map((_, index) => cells[index] ?? ''),
  ])
  const name = `${fileName.replace(/\.\w+$/, '')}, rows to correct.xlsx`
  return { name, mediaType, content: writeXlsx('Rows to correct', columns, lines) }
}
