import { classCode } from '@podium/contract/classes'
import type { Season } from '@podium/contract/season'
import { type StudentRow, studentState } from '@podium/contract/students/calls'
import { sql } from 'kysely'
import type { AccountScope, SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { findRow } from '#platform/db/rows'
import { youngestFirst } from '../entry/queries.ts'

/** The kind of job that creates a PDF of students. */
export const printJob = 'students.print'

export interface Group {
  classId: number
  className: string
  /** '-' if the class has none */
  section: string
  students: readonly StudentRow[]
}

/** Students grouped by class and section, keeping their order. */
export function groupsOf(students: readonly StudentRow[]): Group[] {
  const groups = Map.groupBy(students, ({ classId, section }) => `${classId} ${section}`)
  return [...groups.values()].flatMap((students) => {
    const [first] = students
    if (!first) return []
    const { classId, className, section } = first
    return { classId, className, section, students }
  })
}

export const groupName = ({ className, section }: Pick<Group, 'className' | 'section'>) =>
  section === '-' ? className : `${className} ${section}`

export const grossOf = (row: StudentRow) => row.regAmount + row.bookAmount
export const schoolShareOf = (row: StudentRow) => row.school_Expenses + row.book_school_Expenses

/**
 * Totals in rupees, added up in paise so that no fraction is lost: what families pay, the school's share, what goes to the
 * foundation, and how much is paid.
 */
export function sumsOf(students: readonly StudentRow[]) {
  const sum = (of: (row: StudentRow) => number) =>
    students.reduce((total, row) => total + Math.round(of(row) * 100), 0) / 100
  const gross = sum(grossOf)
  const schoolShare = sum(schoolShareOf)
  const paid = sum((row) => (row.paymentStatus ? grossOf(row) : 0))
  return { gross, schoolShare, payable: Math.round((gross - schoolShare) * 100) / 100, paid }
}

const words = { paid: 'Paid', locked: 'Being verified', unpaid: 'Due', deleted: 'Deleted' }

/** A student's status as a word, because paper has no colours. */
export const statusText = (row: StudentRow): string => words[studentState(row)]

/** The heading of a school's paper. */
export interface PaperSchool {
  /** '' as long as the school is not registered */
  code: string
  name: string
  city: string
}

/** The school on its forms. What is not known before verification is a line to write on, or left out of the footer. */
export function headOf({ name, city, code }: PaperSchool, codeWord: string, toFillIn: boolean): string {
  const line = toFillIn ? '_'.repeat(16) : ''
  const named = [name || line.repeat(2), city].filter(Boolean).join(', ')
  return [named, (code || line) && `${codeWord} ${code || line}`].filter(Boolean).join('. ')
}

export async function readPaperSchool(db: Db, schoolId: number): Promise<PaperSchool> {
  return findRow(db, 'schools', { id: schoolId }, ['code', 'name', 'city'])
}

/** The same; for a user awaiting verification with the name from the application, and without a code. */
export async function readFormSchool(db: Db, scope: AccountScope | SchoolScope): Promise<PaperSchool> {
  if (scope.kind === 'school') return readPaperSchool(db, scope.schoolId)
  const applied = await db
    .selectFrom('applications')
    .select(['school_name as name', 'city'])
    .where('user_id', '=', scope.userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { code: '', name: '', city: '', ...applied }
}

export interface PaperDates {
  letter: string
  /** The subject's Hindi name, '' if the office has not entered one */
  nameHi: string
  online: boolean
  /** `2026-12-03`: the date chosen by the school, otherwise the dates on offer */
  days: string[]
}

/** The known exam dates of the school by subject. */
export async function readPaperDates(
  db: Db,
  schoolId: number | undefined,
  season: Season,
): Promise<PaperDates[]> {
  const { rows } = await sql<PaperDates>`
    select e.letter, sub.name_hi as "nameHi", e.mode = 'Online' as online, coalesce((
        select jsonb_agg(d.held_on::text order by d.ordinal) from exam_dates d
        where d.event_id = e.id and (p.exam_date_id is null or d.id = p.exam_date_id)), '[]') as days
    from events e join subjects sub on sub.letter = e.letter left join participations p on p.event_id = e.id and p.school_id = ${schoolId ?? null}
    where e.season = ${season} and e.level = 1`.execute(db)
  return rows
}

type Subject = [letter: string, name: string]
type Count = [classId: number, letters: string, count: number]

/**
 * Active students of the school by subject and class, counted only from `students`: students of a class with the same subjects
 * are grouped first, which leaves few rows to distribute over subjects.
 */
export async function countParticipation(db: Db, scope: SchoolScope, season: Season) {
  const { rows } = await sql<{ subjects: Subject[] | null; counts: Count[] | null }>`
    select (select json_agg(json_build_array(letter, name) order by position, letter) from subjects) as subjects,
      (select json_agg(json_build_array(class_id, letters, count)) from (
        select st.class_id, st.letters, count(*) as count from students st
        where st.school_id = ${scope.schoolId} and st.season = ${season} and st.active and st.letters <> ''
        group by st.class_id, st.letters) n) as counts`.execute(db)
  const bySubject = new Map<string, Map<number, number>>()
  for (const [classId, letters, count] of rows[0]?.counts ?? [])
    for (const letter of letters.split(',')) {
      const classes = bySubject.get(letter) ?? new Map<number, number>()
      classes.set(classId, (classes.get(classId) ?? 0) + count)
      bySubject.set(letter, classes)
    }
  return (rows[0]?.subjects ?? []).flatMap(([eventLetter, subjectName]) => {
    const classes = bySubject.get(eventLetter)
    if (!classes) return []
    const counts = [...classes].map(([class_id, count]) => ({ class_id, count }))
    return {
      subjectName,
      eventLetter,
      totalStudent: counts.reduce((sum, { count }) => sum + count, 0),
      details: youngestFirst(counts.sort((a, b) => a.class_id - b.class_id)).map(({ class_id, count }) => ({
        classCode: classCode(class_id),
        classId: class_id,
        totalStudent: count,
      })),
    }
  })
}

interface ClassInSubject {
  season: Season
  classId: number
  /** Letter or name */
  subject: string
}

/** The students behind one figure of the summary. */
export async function findByClass(db: Db, scope: SchoolScope, { season, classId, subject }: ClassInSubject) {
  const { rows } = await sql<{ studentName: string; section: string; mobileNo: string; email: string }>`
    select name as "studentName", section, parent_mobile as "mobileNo", parent_email as email from students
    where school_id = ${scope.schoolId} and season = ${season} and class_id = ${classId} and active
      and (${subject} = any(string_to_array(letters, ',')) or ${subject} = any(string_to_array(subject_names, ',')))
    order by section, roll_no, id`.execute(db)
  return rows
}
