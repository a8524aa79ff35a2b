import type { OfficeEventRow } from '@podium/contract/catalogue/calls-events'
import type { ListEntry, ListKind } from '@podium/contract/catalogue/calls-lists'
import type { FileAnswer } from '#platform/http/http'
import { type SheetFormat as Format, sheetFile as sheet } from '#platform/sheets/spreadsheet-file'
import type { SheetColumn, SheetValue } from '#platform/sheets/spreadsheet-write'
import type { PricedClass } from './queries.ts'

interface ListColumn extends SheetColumn {
  value: (entry: ListEntry) => SheetValue
}
const own: Partial<Record<ListKind, readonly ListColumn[]>> = {
  states: [
    { title: 'Code', value: ({ code }) => code },
    { title: 'Zone', value: ({ zone }) => zone },
  ],
  districts: [{ title: 'State', value: ({ state }) => state }],
  holidays: [{ title: 'Day', kind: 'date', value: ({ day }) => day }],
}
const users: Partial<Record<ListKind, string>> = {
  designations: 'Contacts',
  titles: 'Contacts',
  zones: 'States',
  states: 'Schools',
  districts: 'Schools',
}

/** A list that forms choose from, with who uses each entry. */
export function listFile(kind: ListKind, entries: readonly ListEntry[], format: Format): FileAnswer['file'] {
  const used = users[kind]
  const columns: ListColumn[] = [
    { title: 'Name', width: 32, value: ({ name }) => name },
    { title: 'Name in Hindi', width: 32, value: ({ nameHi }) => nameHi },
    ...(own[kind] ?? []),
    ...(used === undefined
      ? []
      : [{ title: used, kind: 'number' as const, value: (entry: ListEntry) => entry.used }]),
    { title: 'Offered', value: ({ active }) => (active ? 'Yes' : 'No') },
  ]
  const rows = entries.map((entry) => columns.map(({ value }) => value(entry)))
  const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
  return sheet(
    name,
    columns.map(({ value: _, ...column }) => column),
    rows,
    format,
  )
}

const priceColumns: readonly SheetColumn[] = [
  { title: 'Subject', width: 24 },
  { title: 'Letter' },
  { title: 'Level', kind: 'number' },
  { title: 'Mode' },
  { title: 'Entries close', kind: 'date' },
  { title: 'First date', kind: 'date' },
  { title: 'Second date', kind: 'date' },
  { title: 'Maximum marks', kind: 'number' },
  { title: 'Late fee from', kind: 'date' },
  { title: 'Late fee', kind: 'money' },
  { title: 'Class' },
  { title: 'Fee', kind: 'money' },
  { title: 'Kept per head', kind: 'money' },
  { title: 'Comprehensive Book', kind: 'money' },
  { title: 'Previous Test Paper', kind: 'money' },
  { title: 'Olympiad Excellence Guide', kind: 'money' },
  { title: 'Text Book', kind: 'money' },
  { title: 'Work Book', kind: 'money' },
  { title: 'Kept per book', kind: 'money' },
]

/** The price list of a season: a row for each class of each event, one without prices for an event that has none. */
export function pricesFile(
  season: string,
  events: readonly (OfficeEventRow & { prices: readonly PricedClass[] })[],
  format: Format,
): FileAnswer['file'] {
  const rows = events.flatMap((event) => {
    const day = [event.closesOn, event.firstDate, event.secondDate]
    const late = event.lateFrom === '' ? ['', ''] : [event.lateFrom, event.lateFee]
    const head: SheetValue[] = [
      ...[event.subjectName, event.eventLetter, event.examLevel, event.examMode, ...day],
      ...[event.maximumMarks, ...late],
    ]
    if (event.prices.length === 0) return [[...head, ...Array.from({ length: 9 }, () => '')]]
    return event.prices.map((row): SheetValue[] => [
      ...head,
      ...[row.className, row.fee, row.retained],
      ...[row.cb, row.pyqp, row.geneX, row.tb, row.wb].map((price) => price ?? ''),
      row.bookRetained,
    ])
  })
  return sheet(`Prices ${season}`, priceColumns, rows, format)
}
