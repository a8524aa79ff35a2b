import { namesIn } from '@podium/contract/catalogue/rules-fee'
import { bareMobile } from '@podium/contract/fields'
import { classIdOf } from '@podium/contract/students/rules-class'
import type { RowField } from '@podium/contract/students/rules-row'

/** A row as text; `n` as the spreadsheet counts. */
export interface TextRow {
  n: number
  c: string[]
}

/** What the contents of a column are judged by. */
export interface ColumnGuess {
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
export function guessField(
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
