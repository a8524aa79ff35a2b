import { namesIn, type PricedChoice, type StudentFee } from '@podium/contract/catalogue/rules-fee'
import { type BookKind, bookKinds, className } from '@podium/contract/classes'
import { bareMobile } from '@podium/contract/fields'
import { type Paise, paise } from '@podium/contract/money'
import { classIdOf } from '@podium/contract/students/rules-class'
import { fieldOfHeading, foldHeading } from '@podium/contract/students/rules-headings'
import {
  checkChoice,
  neededFields,
  type RawRow,
  type RowCatalogue,
  type RowFault,
  type RowField,
} from '@podium/contract/students/rules-row'
import type { StudentFields } from '@podium/contract/students/schemas'
import { reasonAgainst, type SeasonDoors, wideColumns } from '../entry/rules.ts'

/** A row as text; `n` as the spreadsheet counts. */
export interface TextRow {
  n: number
  c: string[]
}

/** What the contents of a column are judged by. */
interface ColumnGuess {
  /** Fields in the order in which they are looked for: the surest first */
  order: readonly RowField[]
  /** Letters and names of the season's subjects, in lower case */
  subjects: ReadonlySet<string>
}

const order: readonly RowField[] = [
  'parentEmailId',
  'parentMobileNo',
  'subjectName',
  'classId',
  'section',
  'rollno',
  'studentName',
  'parentName',
]

export function columnGuess(subjects: Iterable<string>): ColumnGuess {
  return { order, subjects: new Set([...subjects].map((name) => name.toLowerCase())) }
}

const looked = 200
const whole = /^\d{1,6}$/
const letters = /^[\p{L}\p{M}.' -]{3,}$/u

type Judge = (value: string, guess: ColumnGuess) => boolean
const judges: Partial<Record<RowField, Judge>> = {
  parentEmailId: (value) => /^\S+@\S+$/.test(value),
  parentMobileNo: (value) => /^(?:91)?[6-9]\d{9}$/.test(bareMobile(value)),
  subjectName: (value, { subjects }) => {
    const parts = namesIn(value.toLowerCase().replaceAll(';', ','))
    return (
      parts.length > 0 &&
      parts.every((part) => subjects.has(part) || /^(?:maths?|sci|eng|gk|evs)$/.test(part))
    )
  },
  classId: (value) => classIdOf(value) !== undefined || /^(?:\d{1,2}|[ivx]+)\s*[-/ ]\s*[a-z]$/i.test(value),
  section: (value) => /^[a-z-]$/i.test(value),
  rollno: (value) => whole.test(value),
  studentName: (value) => letters.test(value) && classIdOf(value) === undefined,
  parentName: (value) => letters.test(value),
}

/** The free column whose contents are this field for most rows; undefined where none is. */
function guessField(
  field: RowField,
  rows: readonly TextRow[],
  free: readonly number[],
  guess: ColumnGuess,
): number | undefined {
  const judge = judges[field]
  if (!judge) return undefined
  let best: { index: number; score: number } | undefined
  for (const index of free) {
    const values = rows.slice(0, looked).flatMap(({ c }) => c[index]?.trim() || [])
    const right = values.filter((value) => judge(value, guess)).length
    if (right === 0 || right < values.length * leastShare(field)) continue
    const distinct = new Set(values).size / values.length
    // Of two alike the one that stands first; subjects stand behind sections.
    const late = field === 'subjectName' ? index / 100 : 0
    const score = right / values.length + preference(field, distinct, values) + late
    if (!best || score > best.score + 0.001) best = { index, score }
  }
  return best?.index
}

/** Nothing else has an @ in it: half of the cells are enough. */
const leastShare = (field: RowField) => (field === 'parentEmailId' ? 0.5 : 0.8)

/** Classes repeat themselves, roll nos and names do not; single letters that no section has are subjects. */
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

interface Head {
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

/** The second row of headings, as below a merged “Parent”: every cell in it is a heading. */
const secondHead = (below: TextRow | undefined) =>
  below?.c.every((cell) => cell.trim() === '' || fieldOfHeading(cell) !== undefined) ? below : undefined

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
  const below = at < 0 ? undefined : secondHead(rows[at + 1])
  const rest = rows.slice(at + (below ? 2 : 1))
  const width = Math.max(0, ...rows.slice(0, 200).map((row) => row.c.length))
  const cellOf = (row: TextRow | undefined, index: number) => row?.c[index]?.trim() ?? ''
  const headings = Array.from(
    { length: width },
    (_, index) => cellOf(below, index) || cellOf(rows[at], index),
  )
  const kept = at < 0 ? undefined : remembered.get(headingsKey(headings))
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
  return { row: (below ?? rows[at])?.n ?? 0, columns, rest }
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

/** The row as the one check of rows takes it: the text of each column that is used. */
export function rawRow(columns: readonly Column[], cells: readonly string[]): RawRow {
  const raw: Partial<Record<RowField, string>> = {}
  for (const { field, index } of columns) if (field) raw[field] = cells[index] ?? ''
  return raw
}

/** The four amounts of all rows together. */
export function totalFee(rows: ReadonlyArray<{ fee: StudentFee }>): StudentFee {
  const total = (pick: (fee: StudentFee) => Paise) => paise(rows.reduce((sum, { fee }) => sum + pick(fee), 0))
  return {
    regAmount: total((fee) => fee.regAmount),
    schoolExpenses: total((fee) => fee.schoolExpenses),
    bookAmount: total((fee) => fee.bookAmount),
    bookSchoolExpenses: total((fee) => fee.bookSchoolExpenses),
  }
}

/** A student of the school, as an import meets one. */
export interface Known extends Record<Lowercase<BookKind>, string> {
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
  /** The version that an import has written; null for one who was entered by hand */
  import_version: number | null
}

interface Difference {
  field: string
  from: string
  to: string
}

const listed = (names: string) => (names === '' ? [] : names.split(','))
const column = (kind: BookKind) => kind.toLowerCase() as Lowercase<BookKind>

/** A student's fields as they are saved; lists of books are names. */
export function fieldsOf(known: Known): StudentFields {
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

interface Merged {
  fields: StudentFields
  priced: PricedChoice
  faults: readonly RowFault[]
}

/**
 * What a student would be after the import: of a column that the file does not have, and of a contact that it leaves
 * empty, stays what is saved. Books of a subject that is left out go with it.
 */
export function merge(
  read: StudentFields,
  known: Known,
  used: ReadonlySet<RowField>,
  catalogue: RowCatalogue,
): Merged {
  const was = fieldsOf(known)
  const fields: StudentFields = { ...read }
  if (!used.has('section') && read.section === '-') fields.section = was.section
  for (const field of ['parentName', 'parentEmailId', 'parentMobileNo'] as const)
    if (read[field] === '') fields[field] = was[field]
  const offer = catalogue.offerTo(fields.classId)
  const chosen = offer.filter(({ letter }) => fields.subjectName.includes(letter))
  for (const kind of bookKinds) {
    if (used.has(kind)) continue
    fields[kind] = was[kind].filter((name) => chosen.some((one) => one.name === name && one.books[kind]))
  }
  const { priced, faults } = checkChoice(fields.classId, fields, catalogue)
  return { fields, priced, faults }
}

/** What differs from what is saved, in words; amounts that a new price list has changed are no difference. */
export function differences(
  { fields, priced }: Pick<Merged, 'fields' | 'priced'>,
  known: Known,
): Difference[] {
  const wide = wideColumns(priced)
  const all: Array<[string, string, string]> = [
    ['classId', className(known.class_id), className(fields.classId)],
    ['section', known.section, fields.section],
    ['rollno', String(known.roll_no), String(fields.rollno)],
    ['studentName', known.name, fields.studentName],
    ['parentName', known.parent_name, fields.parentName],
    ['parentEmailId', known.parent_email, fields.parentEmailId],
    ['parentMobileNo', known.parent_mobile, fields.parentMobileNo],
    ['subjectName', known.subject_names, wide.subjectNames],
    ...bookKinds.map((kind): [string, string, string] => [kind, known[column(kind)], wide[column(kind)]]),
  ]
  return all.filter(([, from, to]) => from !== to).map(([field, from, to]) => ({ field, from, to }))
}

type LeftReason = 'paid' | 'locked' | 'closed' | 'signed' | 'byHand'

/** Why an import leaves a student as it is, or undefined. */
export function reasonToKeep(known: Known, doors: SeasonDoors): LeftReason | undefined {
  const reason = reasonAgainst(known, doors)
  if (reason === 'enrolment.paid') return 'paid'
  if (reason === 'enrolment.locked') return 'locked'
  if (reason === 'enrolment.signed_off') return 'signed'
  if (reason !== undefined) return 'closed'
  return known.version === known.import_version ? undefined : 'byHand'
}
