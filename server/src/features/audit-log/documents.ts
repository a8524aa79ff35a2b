import type { AuditChange, ChangeRow } from '@podium/contract/audit-log/calls'
import { spaced } from '@podium/contract/audit-log/words'
import { en as actionNames } from '@podium/contract/audit-log/words-actions.en'
import { en as fieldNames } from '@podium/contract/audit-log/words-fields.en'
import { en as kindNames } from '@podium/contract/audit-log/words-kinds.en'
import { en as valueNames } from '@podium/contract/audit-log/words-values.en'
import { mailName } from '@podium/contract/office/words-mails'
import type { FileAnswer } from '#platform/http/http'
import { momentCell, type SheetFormat, sheetFile } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'

const columns: readonly SheetColumn[] = [
  { title: 'When', width: 22 },
  { title: 'Who', width: 28 },
  { title: 'Signed in as', width: 24 },
  { title: 'Source', width: 14 },
  { title: 'What', width: 28 },
  { title: 'Kind of record', width: 18 },
  { title: 'Record', width: 28 },
  { title: 'Record ID', width: 14 },
  { title: 'School', width: 14 },
  { title: 'Name of school', width: 32 },
  { title: 'Change', width: 60 },
]

const wordIn = (words: Readonly<Record<string, string>>, key: string) =>
  Object.hasOwn(words, key) ? words[key] : undefined
const codeOf = (value: string) => value.replaceAll(/[^a-zA-Z0-9]/g, '_')

function fieldName(field: string): string {
  if (field.startsWith('=')) return field.slice(1)
  return wordIn(fieldNames, field.replaceAll(/[^a-zA-Z]/g, '').toLowerCase()) ?? spaced(field)
}

/** A value in English, as the screen says it in the language of the reader. */
function said(value: string, as: AuditChange['as']): string {
  if (as === undefined || value === '') return value
  const one = (item: string) => {
    if (item.startsWith('gone:')) return valueNames.gone.replace('{id}', item.slice('gone:'.length))
    if (as === 'mails') return mailName(item)
    return (as === 'words' ? wordIn(valueNames, codeOf(item)) : undefined) ?? item
  }
  return value.split(', ').map(one).join(', ')
}

function changeText({ field, within = [], from, to, as }: AuditChange): string {
  const name = [...within, ...(field === '' ? [] : [field])].map(fieldName).join(' · ')
  const before = from === '' ? '' : `${said(from, as)} → `
  return `${name === '' ? '' : `${name}: `}${before}${to === '' ? 'empty' : said(to, as)}`
}

const people = { office: 'Foundation', account: 'School', family: 'Family', system: 'System' }

const cells = (row: ChangeRow): SheetValue[] => [
  ...[momentCell(row.at), row.actorName, row.actingFor, wordIn(people, row.actorKind) ?? row.actorKind],
  wordIn(actionNames, row.action.replaceAll('.', '_')) ?? spaced(codeOf(row.action)),
  wordIn(kindNames, codeOf(row.subjectKind)) ?? spaced(row.subjectKind),
  said(row.subjectName, ['mail_text', 'list_entry'].includes(row.subjectKind) ? 'words' : 'names'),
  ...[row.subjectId, row.schCode, row.schName, row.changes.map(changeText).join('; ')],
]

/** The record of changes as a file, in English like the other files of the office. */
export const changesFile = (rows: readonly ChangeRow[], format: SheetFormat): FileAnswer['file'] =>
  sheetFile('Activity log', columns, rows.map(cells), format)
