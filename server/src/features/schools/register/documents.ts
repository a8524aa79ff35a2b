import type { Season } from '@podium/contract/season'
import type { FileAnswer } from '#platform/http/http'
import { type SheetColumn, type SheetValue, writeCsv, writeXlsx } from '#platform/sheets/spreadsheet-write'
import type { RegisterLine } from './queries.ts'

const columns: readonly SheetColumn[] = [
  { title: 'Code', width: 12 },
  { title: 'Name', width: 36 },
  { title: 'Address', width: 36 },
  { title: 'City' },
  { title: 'District' },
  { title: 'State' },
  { title: 'Country', width: 12 },
  { title: 'Pin Code', width: 10 },
  { title: 'E-mail', width: 28 },
  { title: 'Phone' },
  { title: 'UDISE Code' },
  { title: 'Affiliation No' },
  { title: 'Staff', kind: 'number' },
  { title: 'Students', kind: 'number' },
  { title: 'Due', kind: 'money' },
  { title: 'Status', width: 10 },
]

const cells = (school: RegisterLine): SheetValue[] => [
  school.schCode,
  school.schName,
  school.address,
  school.city,
  school.district,
  school.state,
  school.country,
  school.pinCode,
  school.email,
  school.phone,
  school.udiseCode,
  school.affiliationNo,
  school.staff,
  school.students,
  school.due,
  school.active ? 'Active' : 'Inactive',
]

/** Schools as a file, with the figures of a season; amounts in rupees, empty for who may not read payments. */
export function registerFile(
  schools: readonly RegisterLine[],
  season: Season,
  format: 'xlsx' | 'csv',
): FileAnswer['file'] {
  const name = `Schools ${season}`
  const values = schools.map(cells)
  return format === 'csv'
    ? { name: `${name}.csv`, mediaType: 'text/csv; charset=utf-8', content: writeCsv(columns, values) }
    : {
        name: `${name}.xlsx`,
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        content: writeXlsx(name, columns, values),
      }
}
