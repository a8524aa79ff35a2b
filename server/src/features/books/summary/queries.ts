import type { BookDetail, BookSubject } from '@podium/contract/books/calls'
import { type BookKind, bookKinds, bookNames, classCode, className } from '@podium/contract/classes'
import { paise, rupees } from '@podium/contract/money'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import { youngestFirst } from '#features/students/entry/queries'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { booksPaid } from '#platform/paid-students'

interface Count {
  letter: string
  subjectName: string
  class_id: number
  kind: BookKind
  count: number
}

/**
 * Books of the school's active students by subject, class and kind. A deleted student keeps the choices, for the way
 * back, so they count through the student alone.
 */
export async function countBooks(db: Db, scope: SchoolScope, season: Season): Promise<BookSubject[]> {
  const { rows } = await sql<Count>`
    select sub.letter, sub.name as "subjectName", n.class_id, n.kind, n.count
    from (
      select e.letter, st.class_id, b.kind, count(*)::int as count
      from students st join book_choices b on b.student_id = st.id join events e on e.id = b.event_id
      where st.school_id = ${scope.schoolId} and st.season = ${season} and st.active
      group by e.letter, st.class_id, b.kind) n
      join subjects sub on sub.letter = n.letter
    order by sub.position, sub.letter, n.class_id, array_position(${[...bookKinds]}::text[], n.kind)`.execute(
    db,
  )
  const bySubject = Map.groupBy(rows, (row) => row.letter)
  return [...bySubject].map(([eventLetter, counts]) => ({
    subjectName: counts[0]?.subjectName ?? '',
    eventLetter,
    totalBooks: counts.reduce((sum, { count }) => sum + count, 0),
    details: youngestFirst(counts).map(({ class_id, kind, count }) => ({
      classCode: classCode(class_id),
      classId: class_id,
      bookCategory: bookNames[kind],
      total: count,
    })),
  }))
}

interface Wanted {
  season: Season
  classId: number
  kind: BookKind
  /** Letter or name */
  subject: string
}

type Row = Omit<BookDetail, 'className' | 'currency'>

/** The active students who take one kind of book in one subject and class; their books are paid once that payment is verified. */
export async function findBookDetails(db: Db, scope: SchoolScope, wanted: Wanted): Promise<BookDetail[]> {
  const { season, classId, kind, subject } = wanted
  const { rows } = await sql<Row>`
    select st.class_id as "classId", st.name as "studentName", st.section, st.roll_no as "rollNo",
      st.cb, st.pyqp, st.genex, st.tb, st.wb, st.reg_amount as "regAmount", st.book_amount as "bookAmount",
      ${booksPaid('st')} as status,
      sub.name as "subjectName"
    from students st join book_choices b on b.student_id = st.id and b.kind = ${kind}
      join events e on e.id = b.event_id join subjects sub on sub.letter = e.letter
    where st.school_id = ${scope.schoolId} and st.season = ${season} and st.active and st.class_id = ${classId}
      and (sub.letter = ${subject} or sub.name = ${subject})
    order by st.section, st.roll_no, st.id`.execute(db)
  return rows.map((row) => ({
    ...row,
    className: className(row.classId),
    currency: 'INR',
    regAmount: rupees(paise(row.regAmount)),
    bookAmount: rupees(paise(row.bookAmount)),
  }))
}
