import { priceChoice, type StudentFee } from '@podium/contract/catalogue/rules-fee'
import { type BookKind, className } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import { paise, rupeesOf } from '@podium/contract/money'
import { foldName } from '@podium/contract/names'
import { formatDay, type Season } from '@podium/contract/season'
import { formatSentence, sentences } from '@podium/contract/sentences'
import { type findStudentsByName, maxStudentsFound, type StudentRow } from '@podium/contract/students/calls'
import { placeText } from '@podium/contract/students/rules-row'
import type { StudentFields } from '@podium/contract/students/schemas'
import { type RawBuilder, sql } from 'kysely'
import {
  cachedCatalogue,
  catalogueForSchool,
  closedLetters,
  hasClosed,
  loadCatalogue,
  type SeasonCatalogue,
} from '#features/catalogue/queries'
import { lettersOf, registrationSent, signedOff, signedOffLetters } from '#features/students/sign-off/queries'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { Refusal, refuseField } from '#platform/errors'
import { allowances, type EarlierPrices, type EntryStatus, reasonAgainst, type SeasonDoors } from './rules.ts'

/** A student's row in the database; amounts in paise. */
export interface StudentColumns {
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
  cancelled: boolean
  subject_names: string
  letters: string
  cb: string
  pyqp: string
  genex: string
  tb: string
  wb: string
  reg_amount: number
  reg_retained: number
  /** Late fees included in reg_amount */
  late_amount: number
  book_amount: number
  book_retained: number
  book_count: number
  version: number
  /** The registration fee is being verified */
  reg_sent: boolean
}

const ownColumns = sql.raw(
  `id class_id section roll_no name parent_name parent_email parent_mobile active paid locked cancelled subject_names letters
   cb pyqp genex tb wb reg_amount reg_retained late_amount book_amount book_retained book_count version`
    .split(/\s+/)
    .map((column) => `st.${column}`)
    .join(', '),
)
const sent = registrationSent('st')

/** SQL: the values of `StudentColumns` for `students st`, in order. */
export const studentValues = sql`${ownColumns}, ${sent}`

/** SQL: the columns of `StudentColumns` for `students st`. */
export const studentColumns = sql`${ownColumns}, ${sent} as reg_sent`

/** What schools can still change in the season; the caller adds the lists this school has signed off. */
export async function seasonDoors(db: Db, season: Season, now: Date): Promise<SeasonDoors> {
  const catalogue = await cachedCatalogue(db, season, now)
  const signedOff = new Set<string>()
  if (!catalogue) return { open: false, closed: new Set(), signedOff }
  return { open: catalogue.open, closed: closedLetters(catalogue, now), signedOff }
}

/** The row as answered by calls. */
export function studentRow(row: StudentColumns, doors: SeasonDoors): StudentRow {
  return {
    id: row.id,
    individualRegId: row.id,
    bookRegId: row.book_count > 0 ? row.id : 0,
    classId: row.class_id,
    className: className(row.class_id),
    studentName: row.name,
    section: row.section,
    rollNo: row.roll_no,
    parentName: row.parent_name,
    parentEmailId: row.parent_email,
    parentMobileNo: row.parent_mobile,
    subjectName: row.subject_names,
    eventLetter: row.letters,
    cb: row.cb,
    pyqp: row.pyqp,
    genex: row.genex,
    tb: row.tb,
    wb: row.wb,
    bookCount: row.book_count,
    currency: 'INR',
    regAmount: rupeesOf(row.reg_amount),
    bookAmount: rupeesOf(row.book_amount),
    school_Expenses: rupeesOf(row.reg_retained),
    book_school_Expenses: rupeesOf(row.book_retained),
    lateFee: rupeesOf(row.late_amount),
    status: row.active,
    paymentStatus: row.paid,
    registrationSent: row.reg_sent,
    version: row.version,
    can: allowances(row, doors),
  }
}

export interface StudentFilter {
  season: Season
  /** 0 for all */
  classId?: number
  section?: string | null | undefined
  /** Prefix of the name or one of its words */
  name?: string | null | undefined
  /** Name or letter of a subject */
  subject?: string | null | undefined
}

/** SQL: condition on `students st` for a filter. */
export function wantedStudents(scope: SchoolScope, filter: StudentFilter): RawBuilder<unknown> {
  const wanted = [sql`st.school_id = ${scope.schoolId} and st.season = ${filter.season}`]
  if (filter.classId) wanted.push(sql`st.class_id = ${filter.classId}`)
  if (filter.section) wanted.push(sql`st.section = ${filter.section.toUpperCase()}`)
  const name = foldName(filter.name ?? '')
  // The folded text has only letters, digits and spaces, so no LIKE wildcards
  if (name) wanted.push(sql`' ' || st.name_key like ${`% ${name}%`}`)
  const subject = filter.subject?.trim()
  if (subject)
    wanted.push(
      sql`(${subject} = any(string_to_array(st.letters, ',')) or ${subject} = any(string_to_array(st.subject_names, ',')))`,
    )
  return sql.join(wanted, sql` and `)
}

/**
 * The school's students of a season including deleted ones, read only from `students`: youngest class first, then section and
 * roll no.
 */
export async function findStudents(db: Db, scope: SchoolScope, now: Date, filter: StudentFilter) {
  const doors = await seasonDoors(db, filter.season, now)
  const { rows } = await sql<StudentColumns & { signed_off: string }>`
    select ${studentColumns}, ${signedOffLetters(scope.schoolId, filter.season)} as signed_off from students st where ${wantedStudents(scope, filter)}
    order by st.class_id, st.section, st.roll_no, st.id`.execute(db)
  const signedOff = lettersOf(rows[0]?.signed_off ?? '')
  return youngestFirst(rows).map((row) => studentRow(row, { ...doors, signedOff }))
}

/** The first active students matching a name, for the palette; none without letters and digits. */
export async function findByName(db: Db, scope: SchoolScope, season: Season, name: string) {
  if (foldName(name) === '') return []
  const { rows } = await sql<
    Omit<AnswerOf<typeof findStudentsByName>['data'][number], 'className'> & { classId: number }
  >`
    select st.id, st.name as "studentName", st.class_id as "classId", st.section, st.roll_no as "rollNo"
    from students st
    where ${wantedStudents(scope, { season, name })} and st.active
    order by st.name_key, st.class_id, st.section, st.roll_no limit ${maxStudentsFound}`.execute(db)
  return rows.map(({ classId, ...row }) => ({ ...row, className: className(classId) }))
}

/** Sorts Nursery, LKG and UKG, whose ids come after 12, before Class 1. Stable within a class. */
export function youngestFirst<Row extends { class_id: number }>(rows: readonly Row[]): Row[] {
  const of = (id: number) => rows.filter((row) => row.class_id === id)
  return [...of(15), ...of(13), ...of(14), ...rows.filter((row) => row.class_id < 13)]
}

interface Row {
  fields: StudentFields
  fee: StudentFee
  /** An existing student being changed, who keeps the share */
  change?: unknown
}

/**
 * Recomputes the shares of rows for the school's number of students including them. Without slabs nothing changes.
 */
export async function withShares<One extends Row>(
  db: Db | Tx,
  scope: SchoolScope,
  { season, catalogue }: { season: Season; catalogue: SeasonCatalogue },
  rows: readonly One[],
): Promise<One[]> {
  if (catalogue.share.kind !== 'slabs') return [...rows]
  const entering = rows.filter(({ change }) => change === undefined)
  const reached = await catalogueForSchool(db, catalogue, scope, season, entering.length)
  return rows.map((row) => {
    if (row.change !== undefined) return row
    const { subjectName: subjects, cb, pyqp, geneX, tb, wb, classId } = row.fields
    const choice = { subjects, books: { cb, pyqp, geneX, tb, wb } }
    return { ...row, fee: priceChoice(reached.offerTo(classId), choice).fee }
  })
}

interface Line {
  studentId: number
  eventId: number
  classId: number
  kind: BookKind | null
  price: number
  retained: number
  late: number
  earlierRule: boolean
}

/** The prices at which students of a school are enrolled, by student. */
export async function loadSavedPrices(
  db: Db | Tx,
  schoolId: number,
  ids: readonly number[],
): Promise<Map<number, EarlierPrices>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Line>`
    select n.student_id as "studentId", n.event_id as "eventId", n.class_id as "classId", null as kind, n.fee as price,
      n.retained, n.late_fee as late, n.created_at < coalesce(s.share_since, '-infinity') as "earlierRule"
    from enrolments n join events e on e.id = n.event_id join seasons s on s.label = e.season
    where n.student_id = any(${ids}::bigint[]) and n.school_id = ${schoolId}
    union all
    select student_id, event_id, class_id, kind, price, retained, 0, false
    from book_choices where student_id = any(${ids}::bigint[]) and school_id = ${schoolId}`.execute(db)
  const prices = new Map<
    number,
    { classId: number; fees: Map<number, SavedFee>; books: Map<number, Partial<Record<BookKind, Price>>> }
  >()
  for (const { studentId, eventId, classId, kind, ...line } of rows) {
    const ofStudent = prices.get(studentId) ?? { classId, fees: new Map(), books: new Map() }
    prices.set(studentId, ofStudent)
    const priced = { price: paise(line.price), retained: paise(line.retained) }
    if (kind === null) {
      ofStudent.fees.set(eventId, { ...priced, late: paise(line.late), earlierRule: line.earlierRule })
    } else ofStudent.books.set(eventId, { ...ofStudent.books.get(eventId), [kind]: priced })
  }
  return prices
}

type SavedFee = EarlierPrices['fees'] extends ReadonlyMap<number, infer One> ? One : never
type Price = Omit<SavedFee, 'late' | 'earlierRule'>

/** A write that its guard refused. */
export interface Attempt {
  want: 'add' | 'change' | 'delete' | 'restore'
  /** 0 for a new student */
  id: number
  version?: number | undefined
  season?: Season
  /** Letters of the chosen subjects */
  letters?: readonly string[]
}

/**
 * Finds the refusal for a save, deletion or restoration that its guard rejected. Only explains: the statement has decided.
 */
export async function explainRefusal(
  db: Db | Tx,
  scope: SchoolScope,
  now: Date,
  attempt: Attempt,
): Promise<Refusal> {
  const student = attempt.id === 0 ? undefined : await entryStatus(db, scope, attempt.id)
  if (attempt.id !== 0 && !student) return new Refusal('not_found')
  if (student && attempt.season !== undefined && student.season !== attempt.season)
    return new Refusal('not_found')
  if (student && attempt.want === 'restore' && student.active) return new Refusal('enrolment.not_deleted')
  if (student && attempt.want === 'restore' && student.cancelled) return new Refusal('enrolment.cancelled')
  if (student && attempt.want !== 'restore' && !student.active) return new Refusal('enrolment.deleted')
  const season = student?.season ?? attempt.season
  const catalogue = season === undefined ? undefined : await loadCatalogue(db, season, now)
  if (!catalogue || season === undefined) return refuseField('FYear', sentences.seasonNotValid)
  const letters = [...new Set([...(student?.letters.split(',') ?? []), ...(attempt.letters ?? [])])]
  const closed = new Set(letters.filter((letter) => hasClosed(catalogue.closesOn.get(letter) ?? '9', now)))
  const before: EntryStatus = student ?? { active: true, paid: false, locked: false, letters: '' }
  const doors = { open: catalogue.open, closed, signedOff: await signedOff(db, scope.schoolId, season) }
  const reason = reasonAgainst({ ...before, letters: letters.join(',') }, doors)
  if (reason === 'enrolment.closed') {
    const [first = ''] = closed
    const day = formatDay(catalogue.closesOn.get(first) ?? '')
    const events = [...closed].map(catalogue.nameOf).join(', ')
    return new Refusal(reason, { message: formatSentence('closedOn', { subjects: events, day }) })
  }
  if (student && !reason && attempt.want === 'restore') {
    const offered = new Set(catalogue.offerTo(student.classId).map(({ letter }) => letter))
    if (letters.some((letter) => !offered.has(letter))) return new Refusal('enrolment.not_offered')
  }
  // No reason remains: the version was outdated, or the catalogue has just changed.
  return new Refusal(reason ?? 'changed_meanwhile')
}

async function entryStatus(db: Db, scope: SchoolScope, id: number) {
  const { rows } = await sql<
    EntryStatus & { cancelled: boolean; season: Season; version: number; classId: number }
  >`
    select season, active, paid, locked, cancelled, letters, version, class_id as "classId" from students
    where id = ${id} and school_id = ${scope.schoolId}`.execute(db)
  return rows[0]
}

/** Whether a write failed because an active student has the same class, section and roll no. */
export function isTakenRoll(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    'code' in thrown &&
    thrown.code === '23505' &&
    'constraint' in thrown &&
    (thrown.constraint === 'students_by_roll' || thrown.constraint === 'students_by_source')
  )
}

/**
 * Whether a write failed because its student was changed while it waited. PostgreSQL would look again at what the change is made
 * from, which includes the family's new link, but runs no write a second time.
 */
export const isChangedBeside = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  'code' in thrown &&
  thrown.code === 'XX000' &&
  'routine' in thrown &&
  thrown.routine === 'ExecModifyTable'

interface Place {
  season: Season
  classId: number
  section: string
  rollNo: number
}

/** The refusal of a duplicate roll no, at the field `rollno`, naming its owner. */
export async function explainTakenRoll(db: Db | Tx, scope: SchoolScope, place: Place): Promise<Refusal> {
  const { rows } = await sql<{ name: string }>`
    select name from students
    where school_id = ${scope.schoolId} and season = ${place.season} and class_id = ${place.classId}
      and section = ${place.section} and roll_no = ${place.rollNo} and active`.execute(db)
  const name = rows[0]?.name ?? sentences.anotherStudent
  const message = formatSentence('rollTaken', { roll: place.rollNo, place: placeText(place), name })
  return new Refusal('enrolment.duplicate', { message, issues: [{ path: 'rollno', message }] })
}
