import type { StaffMember } from '@podium/contract/staff/calls-people'
import type { FileAnswer } from '#platform/http/http'
import { momentCell, type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'

const columns: readonly SheetColumn[] = [
  { title: 'Name', width: 28 },
  { title: 'E-mail', width: 36 },
  { title: 'Role' },
  { title: 'State' },
  { title: 'Two-step verification' },
  { title: 'Last seen', width: 22 },
  { title: 'Sessions', kind: 'number' },
]

const roles = {
  owner: 'Owner',
  operations: 'Operations',
  accounts: 'Accounts',
  results: 'Results',
  viewer: 'Viewer',
} as const
const states = { active: 'Active', invited: 'Invited', off: 'Inactive' } as const

const cells = (one: StaffMember): SheetValue[] => [
  ...[one.name, one.emailId, roles[one.role], states[one.state], one.secondFactor ? 'Yes' : 'No'],
  ...[momentCell(one.lastSeen), one.sessions],
]

/** The office's people as a file, with what the list shows of each; moments in India. */
export const peopleFile = (people: readonly StaffMember[], format: SheetFormat): FileAnswer['file'] =>
  sheetFile('People of the office', columns, people.map(cells), format)
