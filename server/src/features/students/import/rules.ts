import { type StudentFee, splitNames } from '@podium/contract/catalogue/rules-fee'
import type { BookKind } from '@podium/contract/classes'
import { normaliseMobile } from '@podium/contract/fields'
import { type Paise, paise } from '@podium/contract/money'
import { classIdOf } from '@podium/contract/students/rules-class'
import { fieldOfHeading, foldHeading } from '@podium/contract/students/rules-headings'
import { neededFields, placeOf, type RawRow, type RowField } from '@podium/contract/students/rules-row'
import type { StudentFields } from '@podium/contract/students/schemas'

/** A row as text; `n` is its number in the spreadsheet. */
export interface TextRow {
  n: number
  c: string[]
}

/** Fields in the order of guessing by content, most certain first. */
const guessOrder: readonly RowField[] = [
  'parentEmailId',
  'parentMobileNo',
  'subjectName',
  'classId',
  'section',
  'rollno',
  'studentName',
  'parentName',
]

const looked = 200
const whole = /^\d{1,6}$/
const letters = /^[\p{L}\p{M}.' -]{3,}$/u

/** `subjects`: letters and names of the season's subjects, in lower case. */
type Judge = (value: string, subjects: ReadonlySet<string>) => boolean
const judges: Partial<Record<RowField, Judge>> = {
  parentEmailId: (value) => /^\S+@\S+$/.test(value),
  parentMobileNo: (value) => /^(?:91)?[6-9]\d{9}$/.test(normaliseMobile(value)),
  subjectName: (value, subjects) => {
    const parts = splitNames(value.toLowerCase().replaceAll(';', ','))
    return (
      parts.length > 0 &&
      parts.every((part) => subjects.has(part) || /^(?:maths?|sci|eng|gk|evs)$/.test(part))
    )
  },
  classId: (value) => placeOf(value).classId !== undefined,
  section: (value) => /^[a-z-]$/i.test(value),
  rollno: (value) => whole.test(value),
  studentName: (value) => letters.test(value) && classIdOf(value) === undefined,
  parentName: (value) => letters.test(value),
}

/** The unused column whose content fits this field in most rows; undefined if none does. */
function guessField(
  field: RowField,
  rows: readonly TextRow[],
  free: readonly number[],
  subjects: ReadonlySet<string>,
): number | undefined {
  const judge = judges[field]
  if (!judge) return undefined
  let best: { index: number; score: number } | undefined
  for (const index of free) {
    const values = rows.slice(0, looked).flatMap(({ c }) => c[index]?.trim() || [])
    const right = values.filter((value) => judge(value, subjects)).length
    if (right === 0 || right < values.length * leastShare(field)) continue
    const distinct = new Set(values).size / values.length
    // Of equal candidates the first wins, except for subjects, which come after sections.
    const late = field === 'subjectName' ? index / 100 : 0
    const score = right / values.length + preference(field, distinct, values) + late
    if (!best || score > best.score + 0.001) best = { index, score }
  }
  return best?.index
}

/** Minimum share of fitting cells; half is enough for e-mails, because nothing else has an @. */
const leastShare = (field: RowField) => (field === 'parentEmailId' ? 0.5 : 0.8)

/** Preference by repetition: classes repeat, roll nos and names do not; single letters that are no section are subjects. */
function preference(field: RowField, distinct: number, values: readonly string[]): number {
  if (field === 'classId')
    return values.every((value) => /^0?\d{1,2}$/.test(value)) ? 0.5 - distinct : 1 - distinct
  if (field === 'rollno' || field === 'studentName') return Math.min(distinct, 0.7)
  if (field === 'subjectName') return values.some((value) => /[,;/|&]|\w{3}/.test(value)) ? 1 : 0
  return 0
}

type ColumnSource = 'heading' | 'remembered' | 'content' | 'person' | 'nothing'

export interface Column {
  index: number
  heading: string
  /** Undefined: unused, or a repeated column */
  field: RowField | undefined
  by: ColumnSource
}

/** A remembered column choice: the nth column with this heading. */
export interface RememberedColumn {
  heading: string
  nth: number
  /** Empty for unused */
  field: string
}

/** A key for the set of headings, in any order. */
export function headingsKey(headings: readonly string[]): string {
  return JSON.stringify(headings.map(foldHeading).filter(Boolean).sort())
}

/** Each heading with its ordinal among equal headings. */
function numbered(headings: readonly string[]) {
  const seen = new Map<string, number>()
  return headings.map((written) => {
    const heading = foldHeading(written)
    const nth = seen.get(heading) ?? 0
    seen.set(heading, nth + 1)
    return { heading, nth }
  })
}

/** The column choices to remember for the next file with these headings. */
export function columnsToRemember(columns: readonly Column[]): RememberedColumn[] {
  const heads = numbered(columns.map(({ heading }) => heading))
  return columns.map(({ field }, index) => ({ heading: '', nth: 0, ...heads[index], field: field ?? '' }))
}

interface Head {
  /** The heading row; 0 if there is none */
  row: number
  columns: Column[]
  rest: readonly TextRow[]
}

/** Rows allowed above the headings, for a title or the school's name. */
const maxRowsAbove = 10

/** Fields recognised by content, whatever the heading. */
const contacts: readonly RowField[] = ['parentEmailId', 'parentMobileNo']

const knownIn = (row: TextRow) => new Set(row.c.flatMap((cell) => fieldOfHeading(cell) ?? [])).size

function looksLikeHead(rows: readonly TextRow[]): boolean {
  const [first, second] = rows
  if (!first || !second || first.c.length < 2) return false
  const wordy = first.c.every((cell) => cell.trim() !== '' && !/\d/.test(cell))
  return wordy && second.c.some((cell) => /\d/.test(cell))
}

function findHead(
  rows: readonly TextRow[],
  remembered: ReadonlyMap<string, readonly RememberedColumn[]>,
): number {
  const top = rows.slice(0, maxRowsAbove)
  const again = top.findIndex((row) => row.c.length > 1 && remembered.has(headingsKey(row.c)))
  if (again >= 0) return again
  let best = -1
  let bestKnown = 1
  for (const [index, row] of top.entries()) {
    const known = knownIn(row)
    if (known > bestKnown) {
      bestKnown = known
      best = index
    }
  }
  if (best < 0 && looksLikeHead(rows)) return 0
  return best
}

/** The second row of headings, as below a merged “Parent”: every cell in it is a heading. */
const secondHead = (below: TextRow | undefined) =>
  below?.c.every((cell) => cell.trim() === '' || fieldOfHeading(cell) !== undefined) ? below : undefined

/**
 * Determines the field of each column: the user's choice, otherwise the school's choice for these headings, otherwise by heading
 * and by content (always for e-mails and mobiles; for others if a required field is missing or there are no headings).
 */
export function readColumns(
  rows: readonly TextRow[],
  remembered: ReadonlyMap<string, readonly RememberedColumn[]>,
  chosen: ReadonlyMap<number, RowField | undefined>,
  subjectNames: Iterable<string>,
): Head {
  const headIndex = findHead(rows, remembered)
  const below = headIndex < 0 ? undefined : secondHead(rows[headIndex + 1])
  const rest = rows.slice(headIndex + (below ? 2 : 1))
  const width = Math.max(0, ...rows.slice(0, 200).map((row) => row.c.length))
  const cellOf = (row: TextRow | undefined, index: number) => row?.c[index]?.trim() ?? ''
  const headings = Array.from(
    { length: width },
    (_, index) => cellOf(below, index) || cellOf(rows[headIndex], index),
  )
  const savedColumns = headIndex < 0 ? undefined : remembered.get(headingsKey(headings))
  const savedFields = new Map(savedColumns?.map(({ heading, nth, field }) => [`${heading} ${nth}`, field]))
  const taken = new Set<RowField>([...chosen.values()].filter((field) => field !== undefined))
  const claim = (field: RowField | undefined) => {
    if (field === undefined || taken.has(field)) return undefined
    taken.add(field)
    return field
  }
  const names = numbered(headings)
  const columns = headings.map((heading, index): Column => {
    if (chosen.has(index)) return { index, heading, field: chosen.get(index), by: 'person' }
    const savedField = savedFields.get(`${names[index]?.heading} ${names[index]?.nth}`)
    const named = fieldOfHeading(heading)
    if (savedField !== undefined && savedField !== (named ?? ''))
      return {
        index,
        heading,
        field: savedField === '' ? undefined : claim(savedField as RowField),
        by: 'remembered',
      }
    const field = claim(named)
    return { index, heading, field, by: field ? 'heading' : 'nothing' }
  })
  const subjects = new Set([...subjectNames].map((name) => name.toLowerCase()))
  const free = columns.filter(({ by, field }) => by === 'nothing' && !field)
  for (const field of headIndex < 0 ? guessOrder : [...contacts, ...neededFields]) {
    if (taken.has(field)) continue
    const index = guessField(
      field,
      rest,
      free.filter((item) => item.field === undefined).map((item) => item.index),
      subjects,
    )
    const column = columns.find((column) => column.index === index)
    if (!column) continue
    column.field = claim(field)
    column.by = 'content'
  }
  return { row: (below ?? rows[headIndex])?.n ?? 0, columns, rest }
}

/** Marks below a subject's own heading. An x is a mark where there is no other. */
const ticked = /^(?:yes|y|true|1|✓|✔|√|हाँ|हां)$/i
const unticked = /^(?:no|n|nil|none|na|n\/a|-+|–|0|false|✗|✘|नहीं)$/i
const crossed = /^x$/i

interface SubjectColumn {
  index: number
  subject: string
  /** What a cell says as a list of subjects; a text that is no mark stays, so that it is checked */
  read: (cell: string) => string
}

/** The columns headed by one subject each, with marks below. */
function subjectColumns(
  head: TextRow,
  below: readonly TextRow[],
  subjects: ReadonlySet<string>,
): SubjectColumn[] {
  return head.c.flatMap((cell, index): SubjectColumn[] => {
    const subject = cell.replace(/\(.*?\)|\bolympiad\b/gi, '').trim()
    if (!judges.subjectName?.(subject, subjects)) return []
    const values = below.slice(0, looked).flatMap(({ c }) => c[index]?.trim() || [])
    const mark = values.some((value) => ticked.test(value)) ? ticked : crossed
    const fits = (value: string) => mark.test(value) || unticked.test(value) || crossed.test(value)
    if (!values.some((value) => mark.test(value))) return []
    if (values.filter(fits).length < values.length * leastShare('subjectName')) return []
    const read = (text: string) => {
      if (mark.test(text)) return subject
      // A number is a total below the list.
      return unticked.test(text) || whole.test(text) ? '' : text
    }
    return [{ index, subject, read }]
  })
}

/** Joins columns of one subject each (`Maths | Science`, with marks below) into one list of subjects, in the first of them. */
export function joinSubjectColumns(
  rows: readonly TextRow[],
  subjectNames: Iterable<string>,
): readonly TextRow[] {
  const subjects = new Set([...subjectNames].map((name) => name.toLowerCase()))
  const top = rows.slice(0, maxRowsAbove + 1)
  const found = top.map((row, at) => subjectColumns(row, rows.slice(at + 1), subjects))
  const head = found.findIndex((columns) => columns.length > 0)
  const columns = found[head] ?? []
  const [first] = columns
  const isOne = (index: number) => columns.some((column) => column.index === index)
  const isListed = [rows[head - 1], rows[head]].some((row) =>
    row?.c.some((cell, index) => fieldOfHeading(cell) === 'subjectName' && !isOne(index)),
  )
  if (!first || isListed) return rows
  const heading = `Subjects (${columns.map(({ subject }) => subject).join(', ')})`
  return rows.map((row, at) => {
    if (at < head) return row
    const list = columns.map(({ index, read }) => read(row.c[index]?.trim() ?? '')).filter(Boolean)
    const text = at === head ? heading : list.join(', ')
    return {
      n: row.n,
      c: row.c.map((cell, index) => (isOne(index) ? (index === first.index ? text : '') : cell)),
    }
  })
}

const nobody =
  /^(?:(?:grand|sub)[\s-]*)?total\b|^(?:no\.? of students|strength|signature|signed|principal|prepared by|checked by|date\s*:|note\s*:|कुल|योग|हस्ताक्षर)/i

/**
 * The text of a row that is not a student: without class, section, roll no and subject; a total or signature without a subject;
 * repeated headings. Undefined for a student's row.
 */
export function notAStudent(columns: readonly Column[], cells: readonly string[]): string | undefined {
  const text = (index: number) => cells[index]?.trim() ?? ''
  const empty = (field: RowField) =>
    columns.every((column) => column.field !== field || text(column.index) === '')
  const written = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const nowhere = (['classId', 'section', 'rollno', 'subjectName'] as const).every(empty)
  const total = empty('subjectName') && written.some((cell) => nobody.test(cell))
  const headings = columns.filter(({ heading }) => heading !== '')
  const again = headings.length > 2 && headings.every(({ index, heading }) => text(index) === heading)
  return nowhere || total || again ? [...written.join(', ')].slice(0, 60).join('') : undefined
}

/** Required fields without a column. */
export const missingFields = (columns: readonly Column[]): RowField[] =>
  neededFields.filter((field) => !columns.some((column) => column.field === field))

/** The row as input of the common row check: the text of each used column. */
export function rawRow(columns: readonly Column[], cells: readonly string[]): RawRow {
  const raw: Partial<Record<RowField, string>> = {}
  for (const { field, index } of columns) if (field) raw[field] = cells[index] ?? ''
  return raw
}

/** The totals of the four amounts. */
export function totalFee(rows: ReadonlyArray<{ fee: StudentFee }>): StudentFee {
  const total = (pick: (fee: StudentFee) => Paise) => paise(rows.reduce((sum, { fee }) => sum + pick(fee), 0))
  return {
    regAmount: total((fee) => fee.regAmount),
    schoolExpenses: total((fee) => fee.schoolExpenses),
    bookAmount: total((fee) => fee.bookAmount),
    bookSchoolExpenses: total((fee) => fee.bookSchoolExpenses),
  }
}

/** An existing student of the school. */
export interface SavedRow extends Record<Lowercase<BookKind>, string> {
  id: number
  class_id: number
  section: string
  roll_no: number
  name: string
  parent_name: string
  parent_email: string
  parent_mobile: string
  active: boolean
  paid: boolean
  locked: boolean
  subject_names: string
  letters: string
  version: number
  /** The version written by an import; null if entered by hand */
  import_version: number | null
}

const listed = (names: string) => (names === '' ? [] : names.split(','))

/** A student's saved fields; lists of books are names. */
export function fieldsOf(known: SavedRow): StudentFields {
  const { cb, pyqp, genex, tb, wb } = known
  return {
    classId: known.class_id,
    section: known.section,
    rollno: known.roll_no,
    studentName: known.name,
    parentName: known.parent_name,
    parentEmailId: known.parent_email,
    parentMobileNo: known.parent_mobile,
    subjectName: listed(known.letters),
    cb: listed(cb),
    pyqp: listed(pyqp),
    geneX: listed(genex),
    tb: listed(tb),
    wb: listed(wb),
  }
}
