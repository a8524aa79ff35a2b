import type { BookKind } from '@podium/contract/classes'
import { type Paise, paise, rupees } from '@podium/contract/money'
import type { MoneyAnswer } from '@podium/contract/payments/calls'
import type { Purpose } from '@podium/contract/payments/rules'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { SchoolAccess, SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'

/**
 * SQL: what each student owes for each fee, as columns `purpose, wanted, gross, retained, books` beside `students s`.
 * Registration is due until paid; books if any are chosen.
 */
export const charges = sql`lateral (values
  ('registration', not s.paid, s.reg_amount, s.reg_retained, 0),
  ('books', s.book_count > 0, s.book_amount, s.book_retained, s.book_count)
) as c (purpose, wanted, gross, retained, books)`

/** SQL: not covered by a payment that is pending or verified. */
export const notInPayment = sql`not exists (
  select from payment_lines l where l.student_id = s.id and l.purpose = c.purpose and l.live)`

/** SQL order: Nursery, LKG, UKG, then Class 1 to 12, of `students s`. */
export const classOrder = sql`case s.class_id when 15 then -2 when 13 then -1 when 14 then 0 else s.class_id end`

/** What a school owes in a season; amounts in paise. */
export interface SchoolMoney {
  /** Fees with something due, the library order last */
  due: Array<
    DueItem & { /** A payment of the same fee is pending, so no more of it can be sent */ pending: boolean }
  >
  /** Due, and can be sent now */
  payNow: Paise
  /** Due, and can be sent once the pending payment of the same fee is decided */
  payLater: Paise
  /** Sent and pending */
  beingVerified: Paise
  /** Sum of the three */
  total: Paise
  /** The season's credits; the account's balance is the total minus this */
  credit: Paise
}

interface MoneyRow extends DueItem {
  verifying: number | null
  credit: number
}

/**
 * What a school owes in a season, including its library order, in one statement. Dashboard, payments page and account all
 * show these amounts.
 */
export async function schoolMoney(db: Db | Tx, scope: SchoolAccess, season: Season): Promise<SchoolMoney> {
  const school = scope.schoolId
  const { rows } = await sql<{ [K in keyof MoneyRow]: MoneyRow[K] | null }>`
    with due as (
      select c.purpose, array_agg(s.id order by s.class_id, s.section, s.roll_no, s.id) as ids,
        sum(c.gross) as gross, sum(c.retained) as retained, sum(c.books) as books
      from students s cross join ${charges}
      where s.school_id = ${school} and s.season = ${season} and s.active and c.wanted and ${notInPayment}
      group by c.purpose
      union all
      select 'library', array_agg(l.id order by l.id), sum(l.quantity * l.price), sum(l.quantity * l.retained),
        sum(l.quantity)
      from library_lines l
      where l.school_id = ${school} and l.season = ${season} and ${dueLibraryLine})
    select k.purpose, d.ids, d.gross, d.retained, d.books, p.payable as verifying,
      (select coalesce(sum(amount), 0) from school_credits where school_id = ${school} and season = ${season}) as credit
    from (values ('registration', 1), ('books', 2), ('library', 3)) as k (purpose, place)
      left join due d on d.purpose = k.purpose and d.gross > d.retained
      left join payments p on p.school_id = ${school} and p.season = ${season} and p.state = 'pending'
        and p.purpose::text = k.purpose
    order by k.place`.execute(db)
  const due = rows.flatMap(({ purpose, ids, gross, retained, books, verifying }) =>
    purpose && ids && gross !== null && retained !== null && books !== null
      ? [{ purpose, ids, gross, retained, books, pending: verifying !== null }]
      : [],
  )
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
  const payable = (pending: boolean) =>
    sum(due.map((item) => (item.pending === pending ? item.gross - item.retained : 0)))
  const [payNow, payLater] = [payable(false), payable(true)]
  const beingVerified = sum(rows.map(({ verifying }) => verifying ?? 0))
  return {
    due,
    payNow: paise(payNow),
    payLater: paise(payLater),
    beingVerified: paise(beingVerified),
    total: paise(payNow + payLater + beingVerified),
    credit: paise(rows[0]?.credit ?? 0),
  }
}

/** The same amounts as answered by calls, in rupees. */
export function moneyAnswer({ payNow, payLater, beingVerified, total, credit }: SchoolMoney): MoneyAnswer {
  return {
    payNow: rupees(payNow),
    payLater: rupees(payLater),
    beingVerified: rupees(beingVerified),
    total: rupees(total),
    credit: rupees(credit),
  }
}

/** One item for each fee owed by active students of the school, and one for its library order. */
export async function dueItems(db: Db | Tx, scope: SchoolAccess, season: Season): Promise<DueItem[]> {
  return (await schoolMoney(db, scope, season)).due
}

/** What is due, in class order. */
export async function dueClasses(db: Db | Tx, scope: SchoolAccess, season: Season): Promise<DueClass[]> {
  const { rows } = await sql<DueClass>`
    select c.purpose, s.class_id, count(*) as students, sum(c.gross) as gross, sum(c.retained) as retained,
      sum(case c.purpose when 'books' then c.books
        else (select count(*) from enrolments e where e.student_id = s.id) end) as items
    from students s cross join ${charges}
    where s.school_id = ${scope.schoolId} and s.season = ${season} and s.active and c.wanted and ${notInPayment}
    group by c.purpose, s.class_id
    order by c.purpose desc, ${classOrder}`.execute(db)
  return [...rows, ...(await dueLibraryClasses(db, scope, season))]
}

/**
 * The number of entries of these students, the price of an entry without late fees (paise; null if they differ), and the late
 * fees.
 */
export async function entriesOf(db: Db | Tx, scope: SchoolScope, ids: number[]) {
  const { rows } = await sql<{ entries: number; fee: number | null; late: number }>`
    select count(*) as entries, coalesce(sum(late_fee), 0) as late,
      case when min(fee - late_fee) = max(fee - late_fee) then min(fee - late_fee) end as fee
    from enrolments where school_id = ${scope.schoolId} and student_id = any(${ids}::bigint[])`.execute(db)
  return rows[0] ?? { entries: 0, fee: null, late: 0 }
}

/** SQL: whether the school has withdrawn payment `p`: it is over, and no officer decided it. */
export const isWithdrawn = sql<boolean>`(p.state = 'rejected' and p.decided_by is null)`

/** A payment as the school sees it; amounts in paise. */
export interface SchoolPayment {
  id: number
  purpose: Purpose
  reference: string
  gross: number
  retained: number
  payable: number
  paid_on: string
  utr: string
  remarks: string
  state: 'pending' | 'verified' | 'rejected'
  reason: string
  withdrawn: boolean
  receipt_no: string | null
  submitted_at: Date
  decided_at: Date | null
  reversed_at: Date | null
  proof_name: string
  proof_type: string
  sent_by: string
  students: number
  books: number
  ids: number[]
}

/** All payments of the school in a season, newest first, with the students (or library order lines) each covers. */
export async function schoolPayments(
  db: Db | Tx,
  scope: SchoolAccess,
  season: Season,
): Promise<SchoolPayment[]> {
  const { rows } = await sql<SchoolPayment>`
    select p.id, p.purpose, p.reference, p.gross, p.retained, p.payable, p.paid_on, p.utr, p.remarks, p.state,
      p.reason, ${isWithdrawn} as withdrawn, p.receipt_no, p.submitted_at, p.decided_at, p.reversed_at, coalesce(f.name, '') as proof_name,
      coalesce(f.media_type, '') as proof_type, coalesce(u.name, '') as sent_by, covered.students, coalesce(library.copies, covered.books) as books,
      coalesce(library.ids, covered.ids) as ids
    from payments p
    left join files f on f.id = p.proof_file_id
    left join users u on u.id = p.submitted_by
    cross join lateral (
      select count(*) as students, coalesce(sum(s.book_count), 0) as books,
        coalesce(array_agg(s.id order by s.class_id, s.section, s.roll_no, s.id), '{}') as ids
      from payment_lines l join students s on s.id = l.student_id where l.payment_id = p.id) covered
    cross join lateral (
      select sum(quantity) as copies, array_agg(line_id order by line_id) as ids
      from payment_library_lines l where l.payment_id = p.id) library
    where p.school_id = ${scope.schoolId} and p.season = ${season}
    order by p.id desc`.execute(db)
  return rows
}

/** The current bank account for a fee; undefined until the office has set it up. All books share one account. */
export async function bankAccount(db: Db | Tx, purpose: Purpose, now: Date) {
  return db
    .selectFrom('bank_accounts')
    .select(['account_name as accountName', 'bank_name as bankName', 'account_no as accountNo', 'ifsc'])
    .select(['upi_id as upiId', 'valid_from as validFrom'])
    .where('purpose', '=', purpose === 'registration' ? purpose : 'books')
    .where('valid_from', '<=', now)
    .where('stopped_at', 'is', null)
    .orderBy('valid_from', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The files of a payment. */
export interface PaymentFiles {
  id: number
  school_id: number
  state: string
  receipt_no: string | null
  /** Null if the money was found on the bank statement before the school reported it */
  proof_file_id: string | null
  receipt_file_id: string | null
}

/** The files of a payment; with a school's scope, only of that school. */
export async function paymentFiles(
  db: Db | Tx,
  id: number,
  scope?: SchoolScope,
): Promise<PaymentFiles | undefined> {
  let query = db
    .selectFrom('payments')
    .select(['id', 'school_id', 'state', 'receipt_no', 'proof_file_id', 'receipt_file_id'])
    .where('id', '=', id)
  if (scope) query = query.where('school_id', '=', scope.schoolId)
  return query.executeTakeFirst()
}

/** SQL: refunds without a contra entry yet: proposed, or approved but not paid. */
export const unpaidRefunds = sql`(
  select r.school_id, r.amount from refunds r
  where r.state in ('proposed', 'approved')
    and not exists (select from school_credits c where c.school_id = r.school_id and c.refund_id = r.id)) promised`

/** Schools' credits not reserved for a refund, in paise; schools without any are left out. */
export async function creditsOf(db: Db | Tx, schoolIds?: readonly number[]): Promise<Map<number, number>> {
  const those = schoolIds === undefined ? sql`` : sql`where school_id = any(${schoolIds}::bigint[])`
  const { rows } = await sql<{ school_id: number; amount: number }>`
    select school_id, sum(amount) as amount from (
      select school_id, amount from school_credits
      union all select school_id, -amount from ${unpaidRefunds}) x ${those}
    group by school_id having sum(amount) > 0`.execute(db)
  return new Map(rows.map(({ school_id, amount }) => [school_id, amount]))
}

/** The students who owe a fee, and the amounts in paise. */
export interface DueItem {
  purpose: Purpose
  /** Ids of students, or of lines of a library order */
  ids: number[]
  gross: number
  retained: number
  books: number
}

/** What is due for a fee in one class; `items` are entries or books. A library order has no students. */
export interface DueClass {
  purpose: Purpose
  class_id: number
  students: number
  items: number
  gross: number
  retained: number
}

/** SQL: whether `library_lines l` is due: neither deleted nor covered by a payment. */
export const dueLibraryLine = sql`(l.active and l.payment_id is null)`

/** SQL order: Nursery, LKG, UKG, then Class 1 to 12, of `l.class_id`. */
const lineClassOrder = sql`case l.class_id when 15 then -2 when 13 then -1 when 14 then 0 else l.class_id end`

/** What the school owes for its library order, by class; `items` are copies, without students. */
async function dueLibraryClasses(db: Db | Tx, scope: SchoolAccess, season: Season): Promise<DueClass[]> {
  const { rows } = await sql<DueClass>`
    select 'library' as purpose, l.class_id, 0 as students, sum(l.quantity) as items,
      sum(l.quantity * l.price) as gross, sum(l.quantity * l.retained) as retained
    from library_lines l
    where l.school_id = ${scope.schoolId} and l.season = ${season} and ${dueLibraryLine}
    group by l.class_id
    order by ${lineClassOrder}`.execute(db)
  return rows
}

/** One class on a receipt or statement; `items` are entries or books, amounts are paise. */
export interface ClassLine {
  class_id: number
  students: number
  items: number
  gross: number
  retained: number
}

/** Copies of one book covered by a payment; amounts in paise. */
export interface PaidCopies {
  id: number
  class_id: number
  subject: string
  kind: BookKind
  quantity: number
  gross: number
  retained: number
}

/** What a payment for a library order covered when it was sent, by class and subject. */
export async function paidCopies(db: Db | Tx, paymentId: number): Promise<PaidCopies[]> {
  const { rows } = await sql<PaidCopies>`
    select l.line_id as id, l.class_id, sub.name as subject, l.kind, l.quantity, l.gross, l.retained
    from payment_library_lines l join events e on e.id = l.event_id join subjects sub on sub.letter = e.letter
    where l.payment_id = ${paymentId}
    order by ${lineClassOrder}, sub.position, l.line_id`.execute(db)
  return rows
}
