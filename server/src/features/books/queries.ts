import {
  type BookDetail,
  type BookSubject,
  maxUnpaid,
  type OrderLine,
  type OrderState,
} from '@podium/contract/books/calls'
import { type BookKind, bookKinds, bookNames, classCode, className } from '@podium/contract/classes'
import type { ErrorCode } from '@podium/contract/errors'
import { rupeesOf } from '@podium/contract/money'
import { istDay, type Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { sentUnpaidBooks } from '#features/shipping/orders/queries'
import { youngestFirst } from '#features/students/entry/queries'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { booksPaid } from '#platform/paid-students'

interface Count {
  letter: string
  subjectName: string
  class_id: number
  kind: BookKind
  count: number
}

/**
 * Counts the books of the school's active students by subject, class and kind. Deleted students keep their choices so that
 * they can be restored, so the student's status decides.
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
    order by sub.position, sub.letter, n.class_id,
      array_position(${[...bookKinds]}::text[], n.kind)`.execute(db)
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

interface BookQuery {
  season: Season
  classId: number
  kind: BookKind
  /** Letter or name */
  subject: string
}

type DetailRow = Omit<BookDetail, 'className' | 'currency'>

/** The active students with one kind of book in one subject and class, and whether their books are paid. */
export async function findBookDetails(db: Db, scope: SchoolScope, wanted: BookQuery): Promise<BookDetail[]> {
  const { season, classId, kind, subject } = wanted
  const { rows } = await sql<DetailRow>`
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
    regAmount: rupeesOf(row.regAmount),
    bookAmount: rupeesOf(row.bookAmount),
  }))
}

/** The facts that decide whether a line of the library order can still change. */
export interface LineStatus {
  paymentId: number | null
  paid: boolean
  /** The last day for the subject has passed */
  closed: boolean
  /** Its copies were sent before the bank returned their money */
  held: boolean
}

/**
 * SQL: whether the school has the copies of line `l` without having paid for them: the bank returned their money, and more of the
 * book has been sent than is paid.
 */
export const isHeld = sql<boolean>`(l.payment_id is null and exists (
    select from payment_library_lines y join payments q on q.id = y.payment_id
    where y.line_id = l.id and q.reversed_at is not null)
  and exists (
    with places as (select l.school_id, l.season)
    select from (${sentUnpaidBooks}) u where (u.event_id, u.class_id, u.kind) = (l.event_id, l.class_id, l.kind)))`

type Reason = Extract<ErrorCode, `books.${string}`>

function stateOf({ paid, paymentId }: Pick<LineStatus, 'paid' | 'paymentId'>): OrderState {
  if (paid) return 'paid'
  return paymentId === null ? 'unpaid' : 'sent'
}

/** Why a line can't be deleted, or undefined. An unpaid line can be deleted even after the last day. */
export function reasonAgainstDelete(line: Omit<LineStatus, 'closed'>): Reason | undefined {
  const state = stateOf(line)
  if (state === 'paid') return 'books.paid'
  if (state === 'sent') return 'books.sent'
  return line.held ? 'books.held' : undefined
}

/** Why a line can't be changed (paid, being verified, received unpaid or closed), or undefined. */
export function reasonAgainstEdit(line: LineStatus, seasonOpen: boolean): Reason | undefined {
  const fixed = reasonAgainstDelete(line)
  if (fixed) return fixed
  if (!seasonOpen) return 'books.season_closed'
  return line.closed ? 'books.closed' : undefined
}

/** What a school may do with a line: true, or the error code of the reason why not. */
function allowances(line: LineStatus, seasonOpen: boolean) {
  return {
    edit: reasonAgainstEdit(line, seasonOpen) ?? (true as const),
    delete: reasonAgainstDelete(line) ?? (true as const),
  }
}

/** Whether a line can be added: the season must be open, with at least one subject open for orders. */
function mayAdd(seasonOpen: boolean, subjectsOpen: number): true | Reason {
  if (!seasonOpen) return 'books.season_closed'
  return subjectsOpen === 0 ? 'books.closed' : true
}

/** Whether the unpaid copies would exceed what one payment can cover. `others` counts the copies of the other lines. */
export function tooMany(others: number, quantity: number): boolean {
  return others + quantity > maxUnpaid
}

interface Row {
  id: number
  classId: number
  eventLetter: string
  subjectName: string
  kind: BookKind
  quantity: number
  price: number
  retained: number
  paymentId: number | null
  paid: boolean
  receiptNo: string | null
  createdAt: Date
  version: number
  closed: boolean
  held: boolean
  open: boolean
}

function lineOf(row: Row): OrderLine {
  const { quantity, price, retained, kind } = row
  return {
    id: row.id,
    classId: row.classId,
    className: className(row.classId),
    eventLetter: row.eventLetter,
    subjectName: row.subjectName,
    kind,
    bookCategory: bookNames[kind],
    quantity,
    price: rupeesOf(price),
    retainFee: rupeesOf(retained),
    bookAmount: rupeesOf(quantity * price),
    book_school_Expenses: rupeesOf(quantity * retained),
    payableAmount: rupeesOf(quantity * (price - retained)),
    status: stateOf(row),
    paymentId: row.paymentId,
    receiptNo: row.receiptNo ?? '',
    creationDate: row.createdAt.toISOString(),
    version: row.version,
    can: allowances(row, row.open),
  }
}

/** Reads order lines, without deleted ones. */
async function lines(
  db: Db | Tx,
  scope: SchoolScope,
  now: Date,
  which: RawBuilder<unknown>,
): Promise<OrderLine[]> {
  const { rows } = await sql<Row>`
    select l.id, l.class_id as "classId", sub.letter as "eventLetter", sub.name as "subjectName", l.kind, l.quantity,
      l.price, l.retained, l.payment_id as "paymentId", l.paid, p.receipt_no as "receiptNo",
      l.created_at as "createdAt", l.version, ${isHeld} as held, e.closes_on < ${istDay(now)}::date as closed, s.state = 'open' as open
    from library_lines l join events e on e.id = l.event_id join subjects sub on sub.letter = e.letter
      join seasons s on s.label = l.season left join payments p on p.id = l.payment_id
    where l.school_id = ${scope.schoolId} and l.active and ${which}
    order by case l.class_id when 15 then -2 when 13 then -1 when 14 then 0 else l.class_id end,
      sub.position, array_position(${[...bookKinds]}::text[], l.kind), l.id`.execute(db)
  return rows.map(lineOf)
}

/** The library order of a season, youngest class first, and whether lines can be added. */
export async function findOrder(db: Db, scope: SchoolScope, season: Season, now: Date) {
  const { rows } = await sql<{ open: boolean; subjects: number }>`
    select s.state = 'open' as open,
      (select count(*) from events e where e.season = s.label and e.level = 1 and e.closes_on >= ${istDay(now)}::date) as subjects
    from seasons s where s.label = ${season}`.execute(db)
  const [doors] = rows
  return {
    data: await lines(db, scope, now, sql`l.season = ${season}`),
    can: { add: mayAdd(doors?.open ?? false, doors?.subjects ?? 0) },
  }
}

/** One line of the school's order, as in the list. */
export async function orderLine(
  db: Db | Tx,
  scope: SchoolScope,
  now: Date,
  id: number,
): Promise<OrderLine | undefined> {
  return (await lines(db, scope, now, sql`l.id = ${id}`))[0]
}
