import { className } from '@podium/contract/classes'
import { paise, rupees } from '@podium/contract/money'
import { foldName } from '@podium/contract/names'
import type { Season } from '@podium/contract/season'
import { mostStudentsFound, type StudentRow } from '@podium/contract/students/calls'
import { type RawBuilder, sql } from 'kysely'
import { closedLetters, keptCatalogue } from '#features/catalogue/queries'
import { lettersOf, registrationSent, signedOffLetters } from '#features/students/sign-off/queries'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { allowances, type SeasonDoors } from './rules.ts'

/** A student's row as the database holds it; amounts in paise. */
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
  /** The part of reg_amount that is late fees */
  late_amount: number
  book_amount: number
  book_retained: number
  book_count: number
  version: number
  /** The registration fee is with the foundation, to be verified */
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

/** The values of `StudentColumns` of `students st`, in their order. */
export const studentValues = sql`${ownColumns}, ${sent}`

/** The columns of `StudentColumns` of `students st`. */
export const studentColumns = sql`${ownColumns}, ${sent} as reg_sent`

/** What the season still lets schools change; what this one has signed off is the caller's to add. */
export async function seasonDoors(db: Db, season: Season, now: Date): Promise<SeasonDoors> {
  const catalogue = await keptCatalogue(db, season, now)
  const signedOff = new Set<string>()
  if (!catalogue) return { open: false, closed: new Set(), signedOff }
  return { open: catalogue.open, closed: closedLetters(catalogue, now), signedOff }
}

/** The row as the calls carry it. */
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
    regAmount: rupees(paise(row.reg_amount)),
    bookAmount: rupees(paise(row.book_amount)),
    school_Expenses: rupees(paise(row.reg_retained)),
    book_school_Expenses: rupees(paise(row.book_retained)),
    lateFee: rupees(paise(row.late_amount)),
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
  /** The beginning of the name or of a word of it */
  name?: string | null | undefined
  /** Name or letter of a subject */
  subject?: string | null | undefined
}

/** Which rows of `students st` a filter leaves. */
export function wantedStudents(scope: SchoolScope, filter: StudentFilter): RawBuilder<unknown> {
  const wanted = [sql`st.school_id = ${scope.schoolId} and st.season = ${filter.season}`]
  if (filter.classId) wanted.push(sql`st.class_id = ${filter.classId}`)
  if (filter.section) wanted.push(sql`st.section = ${filter.section.toUpperCase()}`)
  const name = foldName(filter.name ?? '')
  // Folded, it holds letters, digits and spaces: nothing that `like` takes for a pattern
  if (name) wanted.push(sql`' ' || st.name_key like ${`% ${name}%`}`)
  const subject = filter.subject?.trim()
  if (subject)
    wanted.push(
      sql`(${subject} = any(string_to_array(st.letters, ',')) or ${subject} = any(string_to_array(st.subject_names, ',')))`,
    )
  return sql.join(wanted, sql` and `)
}

/**
 * The school's students of a season, deleted ones included, from their wide rows alone: youngest class first, then
 * section and roll no.
 */
export async function findStudents(db: Db, scope: SchoolScope, now: Date, filter: StudentFilter) {
  const doors = await seasonDoors(db, filter.season, now)
  const { rows } = await sql<StudentColumns & { signed_off: string }>`
    select ${studentColumns}, ${signedOffLetters(scope.schoolId, filter.season)} as signed_off from students st where ${wantedStudents(scope, filter)}
    order by st.class_id, st.section, st.roll_no, st.id`.execute(db)
  const signedOff = lettersOf(rows[0]?.signed_off ?? '')
  return youngestFirst(rows).map((row) => studentRow(row, { ...doors, signedOff }))
}

/** The first active students of a name, for the palette; none for a text without letters and digits. */
export async function findByName(db: Db, scope: SchoolScope, season: Season, name: string) {
  if (foldName(name) === '') return []
  const { rows } = await sql<{
    id: number
    name: string
    class_id: number
    section: string
    roll_no: number
  }>`
    select st.id, st.name, st.class_id, st.section, st.roll_no from students st
    where ${wantedStudents(scope, { season, name })} and st.active
    order by st.name_key, st.class_id, st.section, st.roll_no limit ${mostStudentsFound}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    studentName: row.name,
    className: className(row.class_id),
    section: row.section,
    rollNo: row.roll_no,
  }))
}

/** Nursery, LKG, UKG come before Class 1, though their ids come after 12; within a class the order stays. */
export function youngestFirst<Row extends { class_id: number }>(rows: readonly Row[]): Row[] {
  const of = (id: number) => rows.filter((row) => row.class_id === id)
  return [...of(15), ...of(13), ...of(14), ...rows.filter((row) => row.class_id < 13)]
}
