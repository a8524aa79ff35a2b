import { type OfferedSubject, type PricedChoice, priceChoice } from '@podium/contract/catalogue/rules-fee'
import { type BookKind, bookKinds, bookKindsOf, classes, className } from '@podium/contract/classes'
import type { Issue } from '@podium/contract/endpoint'
import { formatSentence } from '@podium/contract/sentences'
import type { CarryOptions, CarryWarning } from '@podium/contract/students/calls-carry-over'
import { readStudentFields, type StudentFields } from '@podium/contract/students/schemas'

/** A student of last season with the data for a carry-over; lists are comma-separated. */
export interface LastStudent extends Record<BookKind, string> {
  id: number
  classId: number
  section: string
  rollNo: number
  name: string
  nameKey: string
  parentName: string
  parentEmail: string
  parentMobile: string
  /** The mobile entered by the school, if the family has changed it */
  familyMobile: string | null
  active: boolean
  subjectNames: string
  letters: string
  /** Subjects in which the student is invited to level 2 */
  level2: string
}

/** A student of last season with the new class and section. */
interface Candidate {
  student: LastStudent
  classId: number
  section: string
  typedRoll: number | undefined
}

/** A student of this season: active, or deleted after being carried over. */
export interface CurrentStudent {
  id: number
  classId: number
  section: string
  rollNo: number
  name: string
  nameKey: string
  parentMobile: string
  active: boolean
  carriedFrom: number | null
}

interface Match {
  present: CurrentStudent
  /** Certainly the same child, otherwise possibly */
  sure: boolean
}

type Test = (candidate: Candidate, present: CurrentStudent) => boolean

const sameMobile: Test = ({ student }, present) =>
  student.parentMobile !== '' && student.parentMobile === present.parentMobile
const sameName: Test = ({ student }, present) => student.nameKey === present.nameKey
const sameClass: Test = ({ classId }, present) => classId === present.classId

/** Signs from strongest to weakest; each student of this season is matched at most once. */
const signs: ReadonlyArray<{ sure: boolean; test: Test }> = [
  { sure: true, test: ({ student }, present) => present.active && present.carriedFrom === student.id },
  { sure: true, test: (...both) => both[1].active && sameName(...both) && sameMobile(...both) },
  { sure: false, test: (...both) => both[1].active && sameClass(...both) && sameName(...both) },
  // The family's only other child in that class: the name may be spelt differently.
  { sure: false, test: (...both) => both[1].active && sameClass(...both) && sameMobile(...both) },
  { sure: false, test: ({ student }, present) => present.carriedFrom === student.id },
]

/** Which of last season's students are already in this season, certainly or possibly. */
function match(coming: readonly Candidate[], present: readonly CurrentStudent[]): Map<Candidate, Match> {
  const byKey = new Map<string, CurrentStudent[]>()
  for (const item of present)
    for (const key of keysOf(item.nameKey, item.parentMobile, item.carriedFrom)) {
      const known = byKey.get(key)
      if (known) known.push(item)
      else byKey.set(key, [item])
    }
  const found = new Map<Candidate, Match>()
  const used = new Set<CurrentStudent>()
  for (const { sure, test } of signs) {
    for (const item of coming) {
      if (found.has(item)) continue
      const { nameKey, parentMobile, id } = item.student
      const near = keysOf(nameKey, parentMobile, id).flatMap((key) => byKey.get(key) ?? [])
      const same = near.find((other) => !used.has(other) && test(item, other))
      if (!same) continue
      used.add(same)
      found.set(item, { present: same, sure })
    }
  }
  return found
}

function keysOf(nameKey: string, mobile: string, source: number | null): string[] {
  const keys = [`name ${nameKey}`]
  if (mobile !== '') keys.push(`mobile ${mobile}`)
  if (source !== null) keys.push(`source ${source}`)
  return keys
}

interface RollAssignment {
  rollNo: number
  /** Who has the old roll no, if a different one was assigned */
  instead: string | undefined
  /** Why a typed roll no is not available */
  issue: string | undefined
}

const placeOf = ({ classId, section }: { classId: number; section: string }) => `${classId} ${section}`
const placeText = ({ classId, section }: { classId: number; section: string }) =>
  `${className(classId)}${section === '-' ? '' : ` ${section}`}`

/** The owner of each roll no, and the highest roll no, by class and section. */
class Register {
  readonly #owners = new Map<string, string>()
  readonly #highest = new Map<string, number>()

  owner(place: string, rollNo: number): string | undefined {
    return this.#owners.get(`${place} ${rollNo}`)
  }

  give(place: string, rollNo: number, name: string): void {
    this.#owners.set(`${place} ${rollNo}`, name)
    this.#highest.set(place, Math.max(this.#highest.get(place) ?? 0, rollNo))
  }

  next(place: string): number {
    return (this.#highest.get(place) ?? 0) + 1
  }
}

/**
 * Assigns a roll no to each student: the typed one, otherwise the old one if free, otherwise the next above the highest in the
 * class and section. Existing students come first, then typed roll nos, then proposed students, then the others.
 */
function assignRolls(
  coming: readonly Candidate[],
  present: readonly CurrentStudent[],
  proposed: (candidate: Candidate) => boolean,
): Map<Candidate, RollAssignment> {
  const register = new Register()
  const given = new Map<Candidate, RollAssignment>()
  for (const item of present) if (item.active) register.give(placeOf(item), item.rollNo, item.name)
  for (const item of coming) {
    if (item.typedRoll === undefined) continue
    const place = placeOf(item)
    const owner = register.owner(place, item.typedRoll)
    const issue =
      owner && formatSentence('rollTaken', { roll: item.typedRoll, place: placeText(item), name: owner })
    if (!owner) register.give(place, item.typedRoll, item.student.name)
    given.set(item, { rollNo: item.typedRoll, instead: undefined, issue })
  }
  const late: Candidate[] = []
  const rest = coming.filter((item) => item.typedRoll === undefined)
  for (const item of [...rest.filter(proposed), ...rest.filter((other) => !proposed(other))]) {
    const place = placeOf(item)
    const { rollNo, name } = item.student
    if (register.owner(place, rollNo) !== undefined) late.push(item)
    else {
      register.give(place, rollNo, name)
      given.set(item, { rollNo, instead: undefined, issue: undefined })
    }
  }
  for (const item of late) {
    const place = placeOf(item)
    const rollNo = register.next(place)
    const instead = register.owner(place, item.student.rollNo)
    register.give(place, rollNo, item.student.name)
    given.set(item, { rollNo, instead, issue: undefined })
  }
  return given
}

/** The season's offer: the events still open for a class, and the closed letters. */
interface CarryOffer {
  open(classId: number): readonly OfferedSubject[]
  closed: ReadonlySet<string>
}

/** A student of last season as planned for entry. */
export interface PlannedRow {
  last: LastStudent
  state: 'new' | 'there' | 'leaves'
  /** 0 if the student leaves school */
  classId: number
  section: string
  rollNo: number
  /** Whether the student is preselected */
  proposed: boolean
  warnings: CarryWarning[]
  issues: Issue[]
  other: CurrentStudent | undefined
  /** Undefined if there is an issue */
  fields: StudentFields | undefined
  priced: PricedChoice | undefined
}

const order = new Map(classes.map(({ classId }, index) => [classId, index]))

/** The next class: Class 1 after UKG; undefined after Class 12. */
function nextClass(classId: number): number | undefined {
  const at = order.get(classId)
  return at === undefined ? undefined : classes[at + 1]?.classId
}

const listed = (joined: string) => (joined === '' ? [] : joined.split(','))

/**
 * Plans the carry-over of last season's students. Pure: the same students, offer and options give the same plan, so that
 * preview and confirmation can be compared. Ordered by new class, section and old roll no; school leavers come last.
 */
export function planCarryOver(
  last: readonly LastStudent[],
  present: readonly CurrentStudent[],
  offer: CarryOffer,
  options: CarryOptions,
): PlannedRow[] {
  const edits = new Map(options.rows.map((row) => [row.studentId, row]))
  const staying: Candidate[] = []
  const leaving: LastStudent[] = []
  for (const student of last) {
    const classId = nextClass(student.classId)
    if (classId === undefined) {
      if (student.active) leaving.push(student)
      continue
    }
    const mapped = options.sections.find((item) => item.classId === classId && item.from === student.section)
    const edit = edits.get(student.id)
    const section = edit?.section ?? mapped?.to ?? student.section
    staying.push({ student, classId, section: section.trim().toUpperCase(), typedRoll: edit?.rollno })
  }
  staying.sort(
    (a, b) =>
      (order.get(a.classId) ?? 0) - (order.get(b.classId) ?? 0) ||
      compare(a.section, b.section) ||
      a.student.rollNo - b.student.rollNo ||
      a.student.id - b.student.id,
  )
  const found = match(staying, present)
  const coming = staying.filter((item) => found.get(item)?.sure !== true)
  const rolls = assignRolls(coming, present, (item) => item.student.active && found.get(item) === undefined)
  const rows = staying.map((item): PlannedRow => {
    const { student, classId, section } = item
    const known = found.get(item)
    const row: PlannedRow = {
      last: student,
      state: 'new',
      classId,
      section,
      rollNo: rolls.get(item)?.rollNo ?? student.rollNo,
      proposed: student.active && known === undefined,
      warnings: [],
      issues: [],
      other: known?.present,
      fields: undefined,
      priced: undefined,
    }
    if (known?.sure) return { ...row, state: 'there' }
    if (!student.active) row.warnings.push({ kind: 'deleted', with: '' })
    if (known)
      row.warnings.push({ kind: known.present.active ? 'likely' : 'removed', with: known.present.name })
    const roll = rolls.get(item)
    if (roll?.instead) row.warnings.push({ kind: 'roll', with: roll.instead })
    if (roll?.issue) row.issues.push({ path: 'rollno', message: roll.issue })
    fill(row, offer, options, edits.get(student.id)?.subjectName)
    return row
  })
  return [...rows, ...leaving.toSorted(byPlace).map(leaver)]
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const byPlace = (a: LastStudent, b: LastStudent) =>
  compare(a.section, b.section) || a.rollNo - b.rollNo || a.id - b.id

function leaver(last: LastStudent): PlannedRow {
  const { section, rollNo } = last
  const nothing = { warnings: [], issues: [], other: undefined, fields: undefined, priced: undefined }
  return { last, state: 'leaves', classId: 0, section, rollNo, proposed: false, ...nothing }
}

/** Last year's subjects that are open for the new class; notes about the others are added to the row. */
function bringSubjects(row: PlannedRow, offer: CarryOffer, options: CarryOptions): string[] {
  const open = new Set(offer.open(row.classId).map(({ letter }) => letter))
  const names = listed(row.last.subjectNames)
  const letters: string[] = []
  const lost: Record<'subjects' | 'closed', string[]> = { subjects: [], closed: [] }
  for (const [index, letter] of listed(row.last.letters).entries()) {
    if (open.has(letter)) letters.push(letter)
    else lost[offer.closed.has(letter) ? 'closed' : 'subjects'].push(names[index] ?? letter)
  }
  if (options.subjects === 'none') letters.length = 0
  else if (letters.length > 0)
    for (const kind of ['subjects', 'closed'] as const)
      if (lost[kind].length > 0) row.warnings.push({ kind, with: lost[kind].join(', ') })
  return letters
}

function fill(row: PlannedRow, offer: CarryOffer, options: CarryOptions, chosen: string[] | undefined): void {
  const { last, classId } = row
  const carried = bringSubjects(row, offer, options)
  const forClass = options.choose.find((item) => item.classId === classId)?.subjectName ?? []
  const subjects = chosen ?? (carried.length > 0 ? carried : forClass)
  if (chosen === undefined && subjects.length === 0)
    row.warnings.push({ kind: 'choose', with: last.subjectNames })
  const open = offer.open(classId)
  const books = booksOf(last, classId, open, subjects, options)
  const input = {
    classId,
    section: row.section,
    rollno: row.rollNo,
    studentName: last.name,
    parentName: last.parentName,
    parentEmailId: last.parentEmail,
    parentMobileNo: last.parentMobile,
    subjectName: subjects.join(','),
    ...Object.fromEntries(bookKinds.map((kind) => [kind, books[kind].join(',')])),
  }
  let read = readStudentFields(input)
  const parent = read.issues.filter(({ path }) => path.startsWith('parent'))
  if (parent.length > 0) {
    row.warnings.push({ kind: 'parent', with: '' })
    read = readStudentFields({ ...input, ...Object.fromEntries(parent.map(({ path }) => [path, ''])) })
  }
  row.issues.push(...read.issues)
  if (!read.fields) return
  const priced = priceChoice(open, { subjects: read.fields.subjectName, books })
  row.issues.push(...priced.issues)
  row.priced = priced
  if (row.issues.length > 0) return
  row.fields = { ...read.fields, subjectName: priced.registration.map(({ letter }) => letter), ...books }
}

/** Last year's books by letter, if offered to the new class in a chosen subject. */
function booksOf(
  last: LastStudent,
  classId: number,
  open: readonly OfferedSubject[],
  subjects: readonly string[],
  options: CarryOptions,
): Record<BookKind, string[]> {
  const books: Record<BookKind, string[]> = { cb: [], pyqp: [], geneX: [], tb: [], wb: [] }
  if (options.books === 'none') return books
  for (const kind of bookKindsOf(classId)) {
    const wanted = new Set(listed(last[kind]))
    books[kind] = open
      .filter(({ letter, name }) => subjects.includes(letter) || subjects.includes(name))
      .filter(({ name, books: offered }) => wanted.has(name) && offered[kind] !== undefined)
      .map(({ letter }) => letter)
  }
  return books
}
