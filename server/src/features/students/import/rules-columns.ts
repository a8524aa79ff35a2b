import { fieldOfHeading, foldHeading } from '@podium/contract/students/rules-headings'
import { neededFields, type RowField } from '@podium/contract/students/rules-row'
import { type ColumnGuess, guessField, type TextRow } from './rules-guess.ts'

export type ColumnSource = 'heading' | 'remembered' | 'content' | 'person' | 'nothing'

export interface Column {
  index: number
  heading: string
  /** Undefined: not used, or the second of its kind */
  field: RowField | undefined
  by: ColumnSource
}

/** What a school took a column for: the nth of this heading. */
export interface Remembered {
  heading: string
  nth: number
  /** Empty for none */
  field: string
}

/** The set of headings in whatever order, as a key. */
export function headingsKey(headings: readonly string[]): string {
  return JSON.stringify(headings.map(foldHeading).filter(Boolean).sort())
}

/** Each heading with the how-manieth of its kind it is. */
function numbered(headings: readonly string[]) {
  const seen = new Map<string, number>()
  return headings.map((written) => {
    const heading = foldHeading(written)
    const nth = seen.get(heading) ?? 0
    seen.set(heading, nth + 1)
    return { heading, nth }
  })
}

/** What is kept of the columns for the next file with these headings. */
export function toRemember(columns: readonly Column[]): Remembered[] {
  const heads = numbered(columns.map(({ heading }) => heading))
  return columns.map(({ field }, at) => ({ heading: '', nth: 0, ...heads[at], field: field ?? '' }))
}

export interface Head {
  /** The row with the headings; 0 where there is none */
  row: number
  columns: Column[]
  rest: readonly TextRow[]
}

/** A title or the school's name may stand above the headings. */
const mostAbove = 10

/** What stands in these tells them from anything else, whatever the heading is. */
const contacts: readonly RowField[] = ['parentEmailId', 'parentMobileNo']

const knownIn = (row: TextRow) => new Set(row.c.flatMap((cell) => fieldOfHeading(cell) ?? [])).size

function looksLikeHead(rows: readonly TextRow[]): boolean {
  const [first, second] = rows
  if (!first || !second || first.c.length < 2) return false
  const wordy = first.c.every((cell) => cell.trim() !== '' && !/\d/.test(cell))
  return wordy && second.c.some((cell) => /\d/.test(cell))
}

function findHead(rows: readonly TextRow[], remembered: ReadonlyMap<string, readonly Remembered[]>): number {
  const top = rows.slice(0, mostAbove)
  const again = top.findIndex((row) => row.c.length > 1 && remembered.has(headingsKey(row.c)))
  if (again >= 0) return again
  let best = -1
  let most = 1
  for (const [at, row] of top.entries()) {
    const known = knownIn(row)
    if (known > most) {
      most = known
      best = at
    }
  }
  if (best < 0 && looksLikeHead(rows)) return 0
  return best
}

/**
 * What each column is taken for: what the person says, else what the school said for these headings, else by its heading,
 * and by what stands in it: e-mails and mobiles always, the others where a needed one is missing or there are no headings.
 */
export function readColumns(
  rows: readonly TextRow[],
  remembered: ReadonlyMap<string, readonly Remembered[]>,
  chosen: ReadonlyMap<number, RowField | undefined>,
  guess: ColumnGuess,
): Head {
  const at = findHead(rows, remembered)
  const rest = rows.slice(at + 1)
  const width = Math.max(0, ...rows.slice(0, 200).map((row) => row.c.length))
  const headings = Array.from({ length: width }, (_, index) => rows[at]?.c[index]?.trim() ?? '')
  const kept = at < 0 ? undefined : remembered.get(headingsKey(rows[at]?.c ?? []))
  const keptFor = new Map(kept?.map(({ heading, nth, field }) => [`${heading} ${nth}`, field]))
  const taken = new Set<RowField>([...chosen.values()].filter((field) => field !== undefined))
  const claim = (field: RowField | undefined) => {
    if (field === undefined || taken.has(field)) return undefined
    taken.add(field)
    return field
  }
  const names = numbered(headings)
  const columns = headings.map((heading, index): Column => {
    if (chosen.has(index)) return { index, heading, field: chosen.get(index), by: 'person' }
    const said = keptFor.get(`${names[index]?.heading} ${names[index]?.nth}`)
    const named = fieldOfHeading(heading)
    if (said !== undefined && said !== (named ?? ''))
      return { index, heading, field: said === '' ? undefined : claim(said as RowField), by: 'remembered' }
    const field = claim(named)
    return { index, heading, field, by: field ? 'heading' : 'nothing' }
  })
  const free = columns.filter(({ by, field }) => by === 'nothing' && !field)
  for (const field of at < 0 ? guess.order : [...contacts, ...neededFields]) {
    if (taken.has(field)) continue
    const index = guessField(
      field,
      rest,
      free.filter((one) => one.field === undefined).map((one) => one.index),
      guess,
    )
    const column = columns.find((one) => one.index === index)
    if (!column) continue
    column.field = claim(field)
    column.by = 'content'
  }
  return { row: rows[at]?.n ?? 0, columns, rest }
}

const nobody =
  /^(?:(?:grand|sub)[\s-]*)?total\b|^(?:no\.? of students|strength|signature|signed|principal|prepared by|checked by|date\s*:|note\s*:|कुल|योग|हस्ताक्षर)/i

/**
 * What stands in a row that is no student: one without class, section, roll no and subject, a total or a signature
 * without a subject, the headings once more. Undefined for a student's.
 */
export function notAStudent(columns: readonly Column[], cells: readonly string[]): string | undefined {
  const text = (index: number) => cells[index]?.trim() ?? ''
  const empty = (field: RowField) => columns.every((one) => one.field !== field || text(one.index) === '')
  const written = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const nowhere = (['classId', 'section', 'rollno', 'subjectName'] as const).every(empty)
  const total = empty('subjectName') && written.some((cell) => nobody.test(cell))
  const headings = columns.filter(({ heading }) => heading !== '')
  const again = headings.length > 2 && headings.every(({ index, heading }) => text(index) === heading)
  return nowhere || total || again ? [...written.join(', ')].slice(0, 60).join('') : undefined
}

/** Needed fields that no column is taken for. */
export const missingFields = (columns: readonly Column[]): RowField[] =>
  neededFields.filter((field) => !columns.some((column) => column.field === field))
