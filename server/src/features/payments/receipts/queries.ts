import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { type PaidCopies, paidCopies } from '../library/queries.ts'
import { classOrder } from '../queries.ts'

/** What a receipt says; amounts in paise. */
export interface ReceiptData {
  id: number
  receipt_no: string
  season: string
  purpose: string
  reference: string
  gross: number
  retained: number
  payable: number
  /** The part of gross that is late fees */
  late: number
  paid_on: string
  utr: string
  decided_at: Date
  school_id: number
  school: string
  code: string
  address: string
  city: string
  state: string
  pin_code: string
  submitted_by: number | null
  receipt_file_id: string | null
  classes: ReceiptClass[]
  /** Of a library order what it lists, book by book; empty for students' fees */
  copies: PaidCopies[]
}

export interface ReceiptClass {
  class_id: number
  students: number
  items: number
  gross: number
  retained: number
}

/** A verified payment as its receipt shows it, class by class or book by book; undefined for any other. */
export async function receiptData(db: Db | Tx, id: number): Promise<ReceiptData | undefined> {
  const { rows } = await sql<Omit<ReceiptData, 'classes' | 'copies'>>`
    select p.id, p.receipt_no, p.season, p.purpose, p.reference, p.gross, p.retained, p.payable, p.paid_on, p.utr,
      (select coalesce(sum(s.late_amount), 0) from payment_lines l join students s on s.id = l.student_id
        where l.payment_id = p.id and p.purpose = 'registration') as late, p.decided_at, p.school_id, o.name as school, o.code, o.address, o.city, o.state, o.pin_code, p.submitted_by,
      p.receipt_file_id
    from payments p join schools o on o.id = p.school_id
    where p.id = ${id} and p.state = 'verified'`.execute(db)
  const payment = rows[0]
  if (!payment) return undefined
  const classes = await sql<ReceiptClass>`
    select s.class_id, count(*) as students, sum(l.gross) as gross, sum(l.retained) as retained,
      sum(case l.purpose when 'books' then s.book_count
        else (select count(*) from enrolments e where e.student_id = s.id) end) as items
    from payment_lines l join students s on s.id = l.student_id
    where l.payment_id = ${id}
    group by s.class_id
    order by ${classOrder}`.execute(db)
  return { ...payment, classes: classes.rows, copies: await paidCopies(db, id) }
}
