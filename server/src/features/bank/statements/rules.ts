import {
  type DayOrder,
  dayOrders,
  type StatementColumn,
  type StatementMapping,
} from '@podium/contract/bank/calls-statements'
import { cutText } from '@podium/contract/fields'
import { type Paise, paise, sumPaise } from '@podium/contract/money'
import { readDay } from '@podium/contract/season'

/** A cell value from the platform's reader. */
type Cell = string | number | Date | null

/** A row with its number, from the platform's reader. */
export interface SheetRow {
  number: number
  cells: Cell[]
}

/** Column headings used by banks, most likely first. */
const names: Readonly<Record<StatementColumn, readonly RegExp[]>> = {
  day: [
    /^(txn|transaction|tran|trans|posting|post|entry)\.? ?(date|dt)/,
    /^(date|dt\b)/,
    /value ?(date|dt)/,
    /date/,
    /दिनांक|तारीख/,
  ],
  narration: [
    /narration/,
    /^(transaction |txn |tran )?(description|particulars|details|remarks)/,
    /description|particulars|remarks/,
    /विवरण/,
  ],
  utr: [
    /utr/,
    /(ref|reference).*(no|num|id)|chq.*ref/,
    /^(transaction|tran|txn) ?id/,
    /^ref/,
    /instrument|cheque|chq/,
  ],
  credit: [/^(credit|deposit)/, /(credit|deposit|cr\.?) ?(amt|amount)?/, /जमा/],
  debit: [/^(debit|withdrawal)/, /(debit|withdrawal|dr\.?) ?(amt|amount)?/, /निकासी|नाम/],
  amount: [/^(transaction |txn )?amount/, /amount/],
  sign: [
    /^(cr ?\/? ?dr|dr ?\/? ?cr|c ?\/ ?d|d ?\/ ?c)/,
    /^(credit|debit) ?\/ ?(credit|debit)/,
    /^type$|(txn|transaction) type/,
  ],
}

const order: readonly StatementColumn[] = ['sign', 'day', 'credit', 'debit', 'amount', 'utr', 'narration']

const fold = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}/]+/gu, ' ')
    .trim()

/** Guesses the column of each field; −1 if unknown. */
export function guessColumns(headings: readonly string[]): Omit<StatementMapping, 'order'> {
  const folded = headings.map(fold)
  const taken = new Set<number>()
  const found: Record<StatementColumn, number> = {
    ...{ day: -1, narration: -1, utr: -1, credit: -1, debit: -1, amount: -1, sign: -1 },
  }
  for (const column of order) {
    if (column === 'amount' && (found.credit >= 0 || found.debit >= 0)) continue
    for (const name of names[column]) {
      const index = folded.findIndex(
        (text, index) => !taken.has(index) && text !== '' && !/balance/.test(text) && name.test(text),
      )
      if (index < 0) continue
      found[column] = index
      taken.add(index)
      break
    }
  }
  return found
}

const readable = (cell: Cell | undefined) =>
  cell === null || cell === undefined
    ? ''
    : cell instanceof Date
      ? cell.toISOString().slice(0, 10)
      : String(cell).trim()

/** Above a file that starts with a transaction: no headings. */
const noHeadings: SheetRow = { number: 0, cells: [] }

/**
 * The heading row: of the first forty rows, the one that names most required columns. If none does, the row above the
 * first transaction.
 */
export function headingRowOf(rows: readonly SheetRow[]): SheetRow | undefined {
  let best: { row: SheetRow; score: number } | undefined
  for (const row of rows.slice(0, 40)) {
    const texts = row.cells.map((cell) => (typeof cell === 'string' ? cell : ''))
    const columns = guessColumns(texts)
    const has = (column: keyof typeof columns) => (columns[column] >= 0 ? 1 : 0)
    if (!has('day') || has('credit') + has('amount') === 0) continue
    const score = has('day') + has('narration') + has('utr') + has('credit') + has('debit') + has('amount')
    if (!best || score > best.score) best = { row, score }
  }
  if (best) return best.row
  const first = rows.slice(0, 40).findIndex(looksLikeTransaction)
  return first < 0 ? undefined : (rows[first - 1] ?? noHeadings)
}

function looksLikeTransaction({ cells }: SheetRow): boolean {
  const isDay = (cell: Cell) => dayOrders.some((order) => readDay(readable(cell), order) !== undefined)
  return cells.some(isDay) && cells.some((cell) => !isDay(cell) && (readAmount(cell) ?? 0) !== 0)
}

/** The key of a layout: statements with the same headings share it. */
export function layoutOf(headings: readonly string[]): string {
  return cutText(headings.map(fold).join('|'), 1000)
}

/** Whether day or month comes first, from unambiguous dates; by default the day, as in India. */
export function guessOrder(cells: readonly (Cell | undefined)[]): DayOrder {
  let mdy = false
  for (const cell of cells) {
    const found = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})/.exec(readable(cell))
    if (!found) continue
    if ((found[1]?.length ?? 0) === 4) return 'ymd'
    if (Number(found[1]) > 12) return 'dmy'
    if (Number(found[2]) > 12) mdy = true
  }
  return mdy ? 'mdy' : 'dmy'
}

/** A hundred crore. More is not a transfer, and could not be added up exactly. */
const maxRupees = 1e9

/** Parses an amount of a statement (1,24,500.00, ₹ 500 Cr, (500.00), −500) to paise, or undefined. */
function readAmount(cell: Cell | undefined): Paise | undefined {
  if (typeof cell === 'number') return Math.abs(cell) < maxRupees ? paise(Math.round(cell * 100)) : undefined
  const text = readable(cell).replace(/^'+/, '')
  const found =
    /^(\()?\s*([-−+])?\s*(?:₹|rs\.?|inr)?\s*([-−+])?\s*([\d,]+(?:\.\d{1,2}0*)?|\.\d{1,2})\s*(cr|dr|c|d)?\.?\s*\)?$/i.exec(
      text,
    )
  if (!found) return undefined
  const value = Number((found[4] ?? '').replaceAll(',', ''))
  if (!Number.isFinite(value) || value >= maxRupees) return undefined
  const negative =
    found[1] !== undefined || /[-−]/.test((found[2] ?? '') + (found[3] ?? '')) || /^d/i.test(found[5] ?? '')
  return paise(Math.round(value * 100) * (negative ? -1 : 1))
}

/** What banks write in a column that has no amount in this row. */
const noAmount = /^(?:[-–—.\s]*|nil|n\.?\/?a\.?)$/i

/** Reads a credit or debit; 0 if the cell is empty, undefined if it holds something else than an amount. */
const readSide = (cell: Cell | undefined): Paise | undefined =>
  noAmount.test(readable(cell)) ? paise(0) : readAmount(cell)

/** The signed amount of a row: positive for money in. 0 is no transaction; undefined can't be read. */
function signed(cells: readonly Cell[], mapping: StatementMapping): Paise | undefined {
  const cellAt = (column: number) => (column < 0 ? undefined : cells[column])
  if (mapping.credit >= 0 || mapping.debit >= 0) {
    const credit = readSide(cellAt(mapping.credit))
    const debit = readSide(cellAt(mapping.debit))
    if (credit === undefined || credit !== 0) return credit
    return debit === undefined ? undefined : paise(-Math.abs(debit))
  }
  const amount = readAmount(cellAt(mapping.amount))
  if (amount === undefined || mapping.sign < 0) return amount
  const word = readable(cellAt(mapping.sign)).toLowerCase()
  if (/^(d|w|-)/.test(word)) return paise(-Math.abs(amount))
  return /^(c|\+)/.test(word) ? paise(Math.abs(amount)) : undefined
}

const wholeUtr = /\b([A-Z]{4}[A-Z0-9]{1,2}\d{8,16}|\d{12})\b/g

/** UTRs that may identify the transfer a debit returns: its own, and those in its narration, without leading zeros. */
function debitUtrs(utr: string, narration: string): string[] {
  const inWords = narration.toUpperCase().match(wholeUtr) ?? []
  const bare = [utr, ...inWords].map((item) => item.replace(/^0+/, ''))
  // Shorter numbers belong to cheques and counters.
  return [...new Set(bare)].filter((item) => item.length >= 10)
}

/** The UTR from its column, or from the narration. */
function utrOf(column: string, narration: string): string {
  const bare = column.replace(/^'+/, '').replace(/[\s-]/g, '').toUpperCase()
  // A number rounded by a spreadsheet, 6.32E+11, is lost.
  if (/^(?=.*\d)[A-Z0-9]{6,40}$/.test(bare) && !/^0+$/.test(bare)) return bare
  return narration.toUpperCase().match(wholeUtr)?.[0] ?? ''
}

/** A credit line; the amount in paise. */
interface ReadLine {
  row: number
  day: string
  amount: Paise
  utr: string
  narration: string
}

export interface ReadStatement {
  lines: ReadLine[]
  /** Debits with a UTR, which may return an earlier credit */
  debits: { day: string; amount: Paise; utr: string }[]
  /** First and last day with a transaction; empty if there is none */
  firstDay: string
  lastDay: string
  /** How many debit lines were skipped */
  outgoing: number
  /** Money in, money out, and the balances before and after, if there is a column for them */
  incoming: Paise
  outgoingAmount: Paise
  opening: Paise | undefined
  closing: Paise | undefined
  /** Rows with an unreadable day or amount */
  unread: { row: number; text: string }[]
}

export const nothingRead: ReadStatement = {
  lines: [],
  debits: [],
  firstDay: '',
  lastDay: '',
  outgoing: 0,
  incoming: paise(0),
  outgoingAmount: paise(0),
  opening: undefined,
  closing: undefined,
  unread: [],
}

/** Parses the lines below the headings. Rows without day and amount (notes, totals, balances) are skipped. */
export function readLines(
  rows: readonly SheetRow[],
  headingRow: number,
  mapping: StatementMapping,
): ReadStatement {
  const read: ReadStatement = { ...nothingRead, lines: [], debits: [], unread: [] }
  const heading = rows.find(({ number }) => number === headingRow)
  const balance = heading?.cells.findIndex((cell) => /balance|\bbal\b|शेष/.test(fold(readable(cell)))) ?? -1
  const moves: Move[] = []
  for (const { number, cells } of rows) {
    if (number <= headingRow) continue
    const day = readDay(readable(cells[mapping.day]), mapping.order)
    const amount = signed(cells, mapping)
    if (day === undefined || amount === undefined) {
      const looksLikeTransfer =
        day !== undefined || (amount !== undefined && amount !== 0 && readable(cells[mapping.day]) !== '')
      if (looksLikeTransfer && !/total|balance|योग/i.test(cells.map(readable).join(' ')))
        read.unread.push({ row: number, text: cutText(cells.map(readable).filter(Boolean).join(' · '), 200) })
      continue
    }
    if (amount !== 0) moves.push({ amount, balance: balance < 0 ? undefined : readAmount(cells[balance]) })
    if (amount === 0) continue
    if (read.firstDay === '' || day < read.firstDay) read.firstDay = day
    if (day > read.lastDay) read.lastDay = day
    const narration = cutText(readable(cells[mapping.narration]).replace(/\s+/g, ' '), 1000)
    const utr = utrOf(mapping.utr < 0 ? '' : readable(cells[mapping.utr]), narration)
    if (amount < 0) {
      read.outgoing++
      const out = paise(-amount)
      for (const item of debitUtrs(utr, narration)) read.debits.push({ day, amount: out, utr: item })
      continue
    }
    read.lines.push({ row: number, day, amount, utr, narration })
  }
  const sum = (of: (amount: Paise) => boolean) =>
    sumPaise(moves.filter(({ amount }) => of(amount)).map(({ amount }) => amount))
  return {
    ...read,
    ...balancesOf(moves),
    incoming: sum((amount) => amount > 0),
    outgoingAmount: paise(-sum((amount) => amount < 0)),
  }
}

interface Move {
  amount: Paise
  /** Balance after it */
  balance: Paise | undefined
}

/** The balances before the first and after the last transaction; statements may start with the oldest or the newest. */
function balancesOf(moves: readonly Move[]): Pick<ReadStatement, 'opening' | 'closing'> {
  const [first, last] = [moves[0], moves.at(-1)]
  if (first?.balance === undefined || last?.balance === undefined)
    return { opening: undefined, closing: undefined }
  const pairs = moves.slice(1).map((move, index) => [moves[index] ?? move, move] as const)
  const follows = (before: Move, after: Move) =>
    (before.balance ?? Number.NaN) + after.amount === after.balance
  const onwards = pairs.filter(([before, after]) => follows(before, after)).length
  const backwards = pairs.filter(([after, before]) => follows(before, after)).length
  return backwards > onwards
    ? { opening: paise(last.balance - last.amount), closing: first.balance }
    : { opening: paise(first.balance - first.amount), closing: last.balance }
}

/** The key of a transfer across statements: day, amount, and UTR or, without one, the narration. */
export function lineKey({ day, amount, utr, narration }: ReadLine): string {
  const identifier =
    utr === '' ? narration.toUpperCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '') : `#${utr.replace(/^0+/, '')}`
  return `${day}|${amount}|${cutText(identifier, 300)}`
}

/** Adds to each line its key and its ordinal among lines with the same key. */
export function addLineKeys(lines: readonly ReadLine[]): (ReadLine & { key: string; ordinal: number })[] {
  const seen = new Map<string, number>()
  return lines.map((line) => {
    const key = lineKey(line)
    const ordinal = (seen.get(key) ?? 0) + 1
    seen.set(key, ordinal)
    return { ...line, key, ordinal }
  })
}
