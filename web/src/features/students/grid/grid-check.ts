import type { StudentFee } from '@podium/contract/catalogue/rules-fee'
import { type Paise, paise } from '@podium/contract/money'
import {
  placeKey,
  placeOfRow,
  type RawRow,
  type ReadStudent,
  type RowCatalogue,
  readRow,
  rollTakenMessage,
  rollTwiceMessage,
  withoutClashes,
} from '@podium/contract/students/rules-row'
import type { StudentFields } from '@podium/contract/students/schemas'
import { type GridField, gridFields, isBlank, type Place, type Row } from './grid-sheet.ts'

/** One error in one cell, with suggested values. */
export interface GridFault {
  field: GridField
  message: string
  suggestions: readonly string[]
}

export interface CheckedRow {
  faults: readonly GridFault[]
  fields: StudentFields | undefined
  fee: StudentFee | undefined
}

interface CheckedSheet {
  /** The result for each row that is not blank, by its index */
  rows: ReadonlyMap<number, CheckedRow>
  /** Cells with an error, in reading order, each once */
  faults: readonly Place[]
  /** Rows without an error */
  good: number
  /** Rows with an error */
  bad: number
  /** Total of the good rows, in paise */
  fee: StudentFee
  /** Other names that were read as a subject, with the number of rows */
  readAs: readonly { written: string; name: string; rows: number }[]
}

/**
 * What the server reported about rows as they were sent, such as a roll no already taken. Rows are compared by
 * identity, so an edited row has no entry.
 */
export type ServerFaults = ReadonlyMap<Row, readonly GridFault[]>

/** Returns what the server reported beyond the errors found here, by the rows as they were sent. */
export function serverFaultsOf(
  rows: readonly Row[],
  faults: ReadonlyArray<{ row: number; field: string; message: string; suggestions: readonly string[] }>,
  checked: CheckedSheet,
): ServerFaults {
  const serverFaults = new Map<Row, GridFault[]>()
  for (const { row, field, message, suggestions } of faults) {
    const cells = rows[row - 1]
    const localFaults = checked.rows.get(row - 1)?.faults ?? []
    if (!cells || localFaults.some((fault) => fault.field === field && fault.message === message)) continue
    serverFaults.set(cells, [
      ...(serverFaults.get(cells) ?? []),
      { field: field as GridField, message, suggestions },
    ])
  }
  return serverFaults
}

/** Returns an error for each remaining row whose roll no belongs to a row just entered from the grid. */
export function rollConflicts(
  entered: readonly Row[],
  remaining: readonly Row[],
  read: (row: Row) => ReadStudent,
): ServerFaults {
  const names = new Map<string, string>()
  for (const row of entered) {
    const { fields } = read(row)
    if (fields) names.set(placeKey(fields), fields.studentName)
  }
  return new Map(
    remaining.flatMap((row): [Row, GridFault[]][] => {
      const place = isBlank(row) ? undefined : placeOfRow(rawOf(row), read(row))
      const name = place && names.get(placeKey(place))
      return place && name
        ? [[row, [{ field: 'rollno', message: rollTakenMessage(place, name), suggestions: [] }]]]
        : []
    }),
  )
}

function rawOf(row: Row): RawRow {
  const raw: Partial<Record<GridField, string>> = {}
  for (const [column, field] of gridFields.entries()) raw[field] = row[column] ?? ''
  return raw
}

/** Returns the contract's check of a row, cached per row and price list. */
export function cachedReader(catalogue: RowCatalogue): (row: Row) => ReadStudent {
  const cache = new WeakMap<Row, ReadStudent>()
  return (row) => {
    const result = cache.get(row) ?? readRow(rawOf(row), catalogue)
    cache.set(row, result)
    return result
  }
}

const sum = (fees: readonly StudentFee[], pick: (fee: StudentFee) => Paise) =>
  paise(fees.reduce((total, fee) => total + pick(fee), 0))

/**
 * Checks every row that is not blank: alone, against the rows above it, and by what the server reported. In the row
 * being typed, cells that are still empty are not reported.
 */
export function checkSheet(
  rows: readonly Row[],
  read: (row: Row) => ReadStudent,
  serverFaults: ServerFaults,
  typing?: number,
): CheckedSheet {
  const checkedRows = new Map<number, CheckedRow>()
  const firstAt = new Map<string, number>()
  const takenPlaces = new Set<string>()
  const readAs = new Map<string, { written: string; name: string; rows: number }>()
  for (const row of rows) {
    const place = isBlank(row) ? undefined : placeOfRow(rawOf(row), read(row))
    if (place) takenPlaces.add(placeKey(place))
  }
  for (const [index, row] of rows.entries()) {
    if (isBlank(row)) continue
    const student = read(row)
    const { faults, fields, priced } = student
    const all: GridFault[] = faults.map((fault) => withoutClashes(rawOf(row), fault, takenPlaces))
    for (const alias of priced?.readAs ?? []) {
      const key = alias.written.toLowerCase()
      readAs.set(key, { ...alias, rows: (readAs.get(key)?.rows ?? 0) + 1 })
    }
    const place = placeOfRow(rawOf(row), student)
    const first = place && firstAt.get(placeKey(place))
    if (place && first !== undefined)
      all.push({ field: 'rollno', message: rollTwiceMessage(place, first + 1), suggestions: [] })
    all.push(...(serverFaults.get(row) ?? []))
    // A row with errors of its own does not claim a roll no from the correct row below it.
    if (place && all.length === 0) firstAt.set(placeKey(place), index)
    const fee = all.length === 0 ? priced?.fee : undefined
    const shown = index === typing ? all.filter(({ field }) => row[gridFields.indexOf(field)]?.trim()) : all
    checkedRows.set(index, { faults: shown, fields: all.length === 0 ? fields : undefined, fee })
  }
  const good = [...checkedRows.values()].flatMap(({ fee }) => fee ?? [])
  return {
    rows: checkedRows,
    faults: placesOf(checkedRows),
    good: good.length,
    bad: checkedRows.size - good.length,
    readAs: [...readAs.values()],
    fee: {
      regAmount: sum(good, (fee) => fee.regAmount),
      schoolExpenses: sum(good, (fee) => fee.schoolExpenses),
      bookAmount: sum(good, (fee) => fee.bookAmount),
      bookSchoolExpenses: sum(good, (fee) => fee.bookSchoolExpenses),
    },
  }
}

function placesOf(rows: ReadonlyMap<number, CheckedRow>): Place[] {
  return [...rows].flatMap(([row, { faults }]) => {
    const columns = new Set(faults.map(({ field }) => gridFields.indexOf(field)))
    return [...columns].toSorted((a, b) => a - b).map((column) => ({ row, column }))
  })
}

/** Returns the next error after a place, or the one before it, wrapping around at the end. */
export function nextFault(faults: readonly Place[], from: Place, step: 1 | -1): Place | undefined {
  const isAfter = (place: Place) =>
    place.row > from.row || (place.row === from.row && place.column > from.column)
  const isBefore = (place: Place) =>
    place.row < from.row || (place.row === from.row && place.column < from.column)
  return step === 1 ? (faults.find(isAfter) ?? faults[0]) : (faults.findLast(isBefore) ?? faults.at(-1))
}
