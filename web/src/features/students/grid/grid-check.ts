import type { StudentFee } from '@podium/contract/catalogue/rules-fee'
import { type Paise, paise } from '@podium/contract/money'
import {
  placeKey,
  placeOfRow,
  type RawRow,
  type ReadStudent,
  type RowCatalogue,
  readRow,
  rollTaken,
  standsTwice,
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
export type Told = ReadonlyMap<Row, readonly GridFault[]>

/** Returns what the server reported beyond the errors found here, by the rows as they were sent. */
export function toldOf(
  rows: readonly Row[],
  faults: ReadonlyArray<{ row: number; field: string; message: string; suggestions: readonly string[] }>,
  known: CheckedSheet,
): Told {
  const told = new Map<Row, GridFault[]>()
  for (const { row, field, message, suggestions } of faults) {
    const cells = rows[row - 1]
    const own = known.rows.get(row - 1)?.faults ?? []
    if (!cells || own.some((one) => one.field === field && one.message === message)) continue
    told.set(cells, [...(told.get(cells) ?? []), { field: field as GridField, message, suggestions }])
  }
  return told
}

/** Returns an error for each remaining row whose roll no belongs to a row just entered from the grid. */
export function takenBy(
  entered: readonly Row[],
  left: readonly Row[],
  read: (row: Row) => ReadStudent,
): Told {
  const names = new Map<string, string>()
  for (const row of entered) {
    const { fields } = read(row)
    if (fields) names.set(placeKey(fields), fields.studentName)
  }
  return new Map(
    left.flatMap((row): [Row, GridFault[]][] => {
      const its = isBlank(row) ? undefined : placeOfRow(rawOf(row), read(row))
      const name = its && names.get(placeKey(its))
      return its && name ? [[row, [{ field: 'rollno', message: rollTaken(its, name), suggestions: [] }]]] : []
    }),
  )
}

function rawOf(row: Row): RawRow {
  const raw: Partial<Record<GridField, string>> = {}
  for (const [column, field] of gridFields.entries()) raw[field] = row[column] ?? ''
  return raw
}

/** Returns the contract's check of a row, cached per row and price list. */
export function reader(catalogue: RowCatalogue): (row: Row) => ReadStudent {
  const known = new WeakMap<Row, ReadStudent>()
  return (row) => {
    const found = known.get(row) ?? readRow(rawOf(row), catalogue)
    known.set(row, found)
    return found
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
  told: Told,
  typing?: number,
): CheckedSheet {
  const found = new Map<number, CheckedRow>()
  const firstAt = new Map<string, number>()
  const taken = new Set<string>()
  const readAs = new Map<string, { written: string; name: string; rows: number }>()
  for (const row of rows) {
    const its = isBlank(row) ? undefined : placeOfRow(rawOf(row), read(row))
    if (its) taken.add(placeKey(its))
  }
  for (const [at, row] of rows.entries()) {
    if (isBlank(row)) continue
    const known = read(row)
    const { faults, fields, priced } = known
    const all: GridFault[] = faults.map((fault) => withoutClashes(rawOf(row), fault, taken))
    for (const one of priced?.readAs ?? []) {
      const key = one.written.toLowerCase()
      readAs.set(key, { ...one, rows: (readAs.get(key)?.rows ?? 0) + 1 })
    }
    const its = placeOfRow(rawOf(row), known)
    const first = its && firstAt.get(placeKey(its))
    if (its && first !== undefined)
      all.push({ field: 'rollno', message: standsTwice(its, first + 1), suggestions: [] })
    all.push(...(told.get(row) ?? []))
    // A row with errors of its own does not claim a roll no from the correct row below it.
    if (its && all.length === 0) firstAt.set(placeKey(its), at)
    const fee = all.length === 0 ? priced?.fee : undefined
    const shown = at === typing ? all.filter(({ field }) => row[gridFields.indexOf(field)]?.trim()) : all
    found.set(at, { faults: shown, fields: all.length === 0 ? fields : undefined, fee })
  }
  const good = [...found.values()].flatMap(({ fee }) => fee ?? [])
  return {
    rows: found,
    faults: placesOf(found),
    good: good.length,
    bad: found.size - good.length,
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
export function nextFault(faults: readonly Place[], at: Place, step: 1 | -1): Place | undefined {
  const behind = (one: Place) => one.row > at.row || (one.row === at.row && one.column > at.column)
  const before = (one: Place) => one.row < at.row || (one.row === at.row && one.column < at.column)
  return step === 1 ? (faults.find(behind) ?? faults[0]) : (faults.findLast(before) ?? faults.at(-1))
}
