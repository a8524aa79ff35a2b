import type { PricedChoice, StudentFee } from '@podium/contract/catalogue/rules-fee'
import { type BookKind, bookKinds, className } from '@podium/contract/classes'
import { nameKey } from '@podium/contract/fuzzy-match'
import { formatSentence } from '@podium/contract/sentences'
import type { ImportPreview, ImportQuestion } from '@podium/contract/students/calls-import-preview'
import {
  checkChoice,
  isOddName,
  placeKey,
  placeOfRow,
  placeText,
  type RawRow,
  type ReadStudent,
  type RowCatalogue,
  type RowFault,
  type RowField,
  rollTakenMessage,
  rollTwiceMessage,
  withoutClashes,
} from '@podium/contract/students/rules-row'
import type { StudentFields } from '@podium/contract/students/schemas'
import {
  type Child,
  ChildIndex,
  factsOf,
  isClearlyDifferent,
  namesMayMatch,
  reasonAgainst,
  type SeasonDoors,
  wideColumns,
} from '../entry/rules.ts'
import { fieldsOf, type SavedRow } from './rules.ts'

/** A row to save: lists contain letters; `fee` is the one shown in the preview. */
export interface ValidRow {
  row: number
  fields: StudentFields
  fee: StudentFee
  /** The student of last season being carried over */
  carriedFrom?: number
  /** The mobile entered by the school, if the family has changed it: only the school may merge two families */
  familyMobile?: string
  /** The existing student to change: version seen and previous fields */
  change?: { id: number; version: number; before: StudentFields }
}

export interface Line {
  row: number
  raw: RawRow
  read: ReadStudent
}
type ValidLine = Line & { read: Extract<ReadStudent, { faults: readonly [] }> }

export interface Fault {
  row: number
  field: RowField
  message: string
  suggestions: readonly string[]
}

export type Choice = 'same' | 'other' | 'out'

interface RowsToClassify {
  lines: readonly Line[]
  known: readonly SavedRow[]
  choices: ReadonlyMap<number, Choice>
  /** Fields that have a column */
  used: ReadonlySet<RowField>
  catalogue: RowCatalogue
  /** The catalogue with an existing student's own prices */
  catalogueOf(saved: SavedRow): RowCatalogue
  doors: SeasonDoors
}

export interface ClassifiedRows
  extends Pick<ImportPreview, 'questions' | 'changes' | 'kept' | 'missing' | 'odd'> {
  faults: Fault[]
  /** New and changed rows */
  good: ValidRow[]
  sameCount: number
  /** Excluded rows, including repetitions of earlier rows */
  outCount: number
  outRows: number[]
}

interface NamedChild extends Child {
  row: number
  id: number
}

function childOf(row: number, id: number, fields: StudentFields): NamedChild {
  return { ...fields, row, id, rollNo: fields.rollno }
}
const shown = ({ studentName, classId, section, rollNo }: Child) => ({
  studentName,
  className: className(classId),
  section,
  rollNo,
})

const rowsMayMatch = (a: Line, b: Line) => namesMayMatch(a.raw.studentName ?? '', b.raw.studentName ?? '')

/**
 * Classifies rows: new, changed, unchanged, kept, or possible duplicate, and lists existing students of these classes who are
 * missing in the file. Duplicates are decided only by the user's choices.
 */
export function classifyRows(input: RowsToClassify): ClassifiedRows {
  const { lines, known, choices } = input
  const result: ClassifiedRows = {
    faults: [],
    good: [],
    questions: [],
    changes: [],
    kept: [],
    missing: [],
    odd: [],
    sameCount: 0,
    outCount: 0,
    outRows: [],
  }
  const byPlace = new Map(known.map((item) => [placeKey(fieldsOf(item)), item]))
  const byId = new Map(known.map((item) => [item.id, item]))
  const met = new Set<number>()
  /** Students whose roll no occurs in the file, under any name */
  const named = new Set<number>()
  /** The first valid row with each roll no */
  const firstAt = new Map<string, ValidLine>()
  const waiting: ValidLine[] = []

  const fault = (row: number, message: string) =>
    result.faults.push({ row, field: 'rollno', message, suggestions: [] })
  const ask = (line: ValidLine, other: NamedChild, mayBeOther: boolean) => {
    const here = childOf(line.row, 0, line.read.fields)
    const facts = factsOf(here, other)
    const question: ImportQuestion = {
      row: line.row,
      ...shown(here),
      other: { row: other.row, id: other.id, ...shown(other) },
      facts,
      same: facts.filter(({ same }) => same).length,
      of: facts.length,
      choice: choices.get(line.row) ?? '',
      mayBeOther,
    }
    result.questions.push(question)
    if (other.id !== 0) met.add(other.id)
  }
  const match = (line: ValidLine, saved: SavedRow) => {
    met.add(saved.id)
    return settle(input, result, line, saved)
  }

  for (const line of lines) {
    if (choices.get(line.row) === 'out') {
      result.outCount++
      result.outRows.push(line.row)
      continue
    }
    if (!line.read.fields) {
      for (const fault of line.read.faults) result.faults.push({ row: line.row, ...fault })
      const place = placeOfRow(line.raw, line.read)
      if (!place) continue
      const first = firstAt.get(placeKey(place))
      if (first && !rowsMayMatch(first, line)) fault(line.row, rollTwiceMessage(place, first.row))
      continue
    }
    const good: ValidLine = { ...line, read: line.read }
    const { fields } = good.read
    const first = firstAt.get(placeKey(fields))
    if (first) {
      const alike = namesMayMatch(fields.studentName, first.read.fields.studentName)
      const choice = choices.get(line.row)
      if (alike) ask(good, childOf(first.row, 0, first.read.fields), false)
      if (alike && choice === 'same') result.outCount++
      else if (!alike || choice === 'other') fault(line.row, rollTwiceMessage(fields, first.row))
      continue
    }
    const saved = byPlace.get(placeKey(fields))
    if (!saved) {
      firstAt.set(placeKey(fields), good)
      waiting.push(good)
      continue
    }
    named.add(saved.id)
    const choice = choices.get(line.row)
    const alike = namesMayMatch(saved.name, fields.studentName)
    const exactly = nameKey(saved.name) === nameKey(fields.studentName)
    if (!exactly && alike) ask(good, childOf(0, saved.id, fieldsOf(saved)), false)
    const taken = !exactly && (!alike || choice === 'other')
    if (taken) fault(line.row, rollTakenMessage(fields, saved.name))
    const accepted = exactly || (alike && choice === 'same') ? match(good, saved) : !taken
    if (accepted) firstAt.set(placeKey(fields), good)
  }

  const there = new ChildIndex<NamedChild>()
  for (const item of known) if (!met.has(item.id)) there.add(childOf(0, item.id, fieldsOf(item)))
  const inFile = new ChildIndex<NamedChild>()
  for (const line of waiting) {
    const { fields } = line.read
    const here = childOf(line.row, 0, fields)
    const choice = choices.get(line.row)
    const student = there.find(here).find(({ id }) => !met.has(id))
    const other = student ?? inFile.find(here).find((item) => !isClearlyDifferent(here, item))
    if (other) ask(line, other, true)
    if (choice !== 'same') inFile.add(here)
    if (!other || choice === 'other') {
      result.good.push({ row: line.row, fields, fee: line.read.priced.fee })
    } else if (choice === 'same' && student) {
      const saved = byId.get(student.id)
      if (saved) match(line, saved)
    } else if (choice === 'same') result.outCount++
  }
  result.good.sort((a, b) => Number(b.change !== undefined) - Number(a.change !== undefined) || a.row - b.row)
  result.questions.sort((a, b) => a.row - b.row)
  result.faults = offeredCures(input, result.faults)
  result.odd = oddOf(input, result.good)
  result.missing = missingOf(input, new Set([...met, ...named]))
  return result
}

/** Removes suggestions that would give a row the roll no of another row or an existing student. */
function offeredCures({ lines, known }: RowsToClassify, faults: readonly Fault[]): Fault[] {
  const taken = new Set(known.map((item) => placeKey(fieldsOf(item))))
  for (const { raw, read } of lines) {
    const place = placeOfRow(raw, read)
    if (place) taken.add(placeKey(place))
  }
  const rawOf = new Map(lines.map(({ row, raw }) => [row, raw]))
  return faults.map((fault) => ({ ...fault, ...withoutClashes(rawOf.get(fault.row) ?? {}, fault, taken) }))
}

/** Valid rows that look odd: digits in the name, or the same name as another student of the class. */
function oddOf({ known }: RowsToClassify, good: readonly ValidRow[]): ClassifiedRows['odd'] {
  const named = new Map(known.map((item) => [`${item.class_id} ${nameKey(item.name)}`, item]))
  return good.flatMap(({ row, fields, change }) => {
    const { studentName, classId } = fields
    const namesake = change ? undefined : named.get(`${classId} ${nameKey(studentName)}`)
    return [
      ...(isOddName(studentName) ? [formatSentence('figuresInName', { name: studentName })] : []),
      ...(namesake
        ? [
            formatSentence('sameName', {
              name: namesake.name,
              place: placeText(fieldsOf(namesake)),
              roll: namesake.roll_no,
            }),
          ]
        : []),
    ].map((message) => ({ row, message }))
  })
}

/** Classifies a row of an existing student: unchanged, changed or kept. False if it is invalid. */
function settle(
  { used, catalogueOf, doors }: RowsToClassify,
  result: ClassifiedRows,
  line: ValidLine,
  saved: SavedRow,
): boolean {
  const { row } = line
  const merged = merge(line.read.fields, saved, used, catalogueOf(saved))
  if (merged.faults.length > 0) {
    result.faults.push(...merged.faults.map((fault) => ({ row, ...fault })))
    return false
  }
  const fields = differences(merged, saved)
  if (fields.length === 0) {
    result.sameCount++
    return true
  }
  const child = shown(childOf(row, saved.id, merged.fields))
  const reason = reasonToKeep(saved, doors)
  if (reason) {
    result.kept.push({ row, ...child, reason, fields })
    return true
  }
  result.changes.push({ row, ...child, fields })
  const change = { id: saved.id, version: saved.version, before: fieldsOf(saved) }
  result.good.push({ row, fields: merged.fields, fee: merged.priced.fee, change })
  return true
}

/** Existing students of the classes and sections in the file without a row, not even an invalid one. */
function missingOf({ lines, known }: RowsToClassify, met: ReadonlySet<number>): ClassifiedRows['missing'] {
  const classes = new Set<string>()
  const faulty = new Set<string>()
  for (const { raw, read } of lines) {
    if (read.fields) classes.add(placeText(read.fields))
    else faulty.add(nameKey(raw.studentName ?? ''))
  }
  return known
    .filter(
      (item) =>
        !met.has(item.id) && classes.has(placeText(fieldsOf(item))) && !faulty.has(nameKey(item.name)),
    )
    .map((item) => ({ id: item.id, ...shown(childOf(0, item.id, fieldsOf(item))) }))
}

const column = (kind: BookKind) => kind.toLowerCase() as Lowercase<BookKind>

interface MergedRow {
  fields: StudentFields
  priced: PricedChoice
  faults: readonly RowFault[]
}

/**
 * A student's fields after the import. Fields without a column, and empty contacts, keep the saved value. Removing a subject
 * removes its books.
 */
function merge(
  read: StudentFields,
  known: SavedRow,
  used: ReadonlySet<RowField>,
  catalogue: RowCatalogue,
): MergedRow {
  const was = fieldsOf(known)
  const fields: StudentFields = { ...read }
  if (!used.has('section') && read.section === '-') fields.section = was.section
  for (const field of ['parentName', 'parentEmailId', 'parentMobileNo'] as const)
    if (read[field] === '') fields[field] = was[field]
  const offer = catalogue.offerTo(fields.classId)
  const chosen = offer.filter(({ letter }) => fields.subjectName.includes(letter))
  for (const kind of bookKinds) {
    if (used.has(kind)) continue
    fields[kind] = was[kind].filter((name) => chosen.some((item) => item.name === name && item.books[kind]))
  }
  const { priced, faults } = checkChoice(fields.classId, fields, catalogue)
  return { fields, priced, faults }
}

/** The differences from the saved student as text. Amounts changed by a new price list do not count. */
function differences(
  { fields, priced }: Pick<MergedRow, 'fields' | 'priced'>,
  known: SavedRow,
): { field: string; from: string; to: string }[] {
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

/** Why an import keeps a student unchanged, or undefined. */
function reasonToKeep(known: SavedRow, doors: SeasonDoors): LeftReason | undefined {
  const reason = reasonAgainst(known, doors)
  if (reason === 'enrolment.paid') return 'paid'
  if (reason === 'enrolment.locked') return 'locked'
  if (reason === 'enrolment.signed_off') return 'signed'
  if (reason !== undefined) return 'closed'
  return known.version === known.import_version ? undefined : 'byHand'
}
