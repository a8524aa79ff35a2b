import type { BookKind } from '@podium/contract/classes'
import type { Purpose } from '@podium/contract/payments/rules'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { SchoolReach } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'

/** Which students owe something of a kind, and what: amounts in paise. */
export interface DueItem {
  purpose: Purpose
  /** Of students; of lines for a library order */
  ids: number[]
  gross: number
  retained: number
  books: number
}

/** What is due of a kind in one class; `items` are entries or books. For a library order nobody is counted. */
export interface DueClass {
  purpose: Purpose
  class_id: number
  students: number
  items: number
  gross: number
  retained: number
}

/** Whether `library_lines l` is to be paid: neither taken back nor covered by a payment. */
export const dueLibraryLine = sql`(l.active and l.payment_id is null)`

/** Nursery, LKG, UKG, then Class 1 to 12, of `l.class_id`. */
const classOrder = sql`case l.class_id when 15 then -2 when 13 then -1 when 14 then 0 else l.class_id end`

/** What the school owes for its library order, class by class; `items` are copies, and there are no students. */
export async function dueLibraryClasses(
  db: Db | Tx,
  scope: SchoolReach,
  season: Season,
): Promise<DueClass[]> {
  const { rows } = await sql<DueClass>`
    select 'library' as purpose, l.class_id, 0 as students, sum(l.quantity) as items,
      sum(l.quantity * l.price) as gross, sum(l.quantity * l.retained) as retained
    from library_lines l
    where l.school_id = ${scope.schoolId} and l.season = ${season} and ${dueLibraryLine}
    group by l.class_id
    order by ${classOrder}`.execute(db)
  return rows
}

/** Copies of one book that a payment covers; amounts in paise. */
export interface PaidCopies {
  id: number
  class_id: number
  subject: string
  kind: BookKind
  quantity: number
  gross: number
  retained: number
}

/** What a payment for a library order covers, as it was sent, by class and subject. */
export async function paidCopies(db: Db | Tx, paymentId: number): Promise<PaidCopies[]> {
  const { rows } = await sql<PaidCopies>`
    select l.line_id as id, l.class_id, sub.name as subject, l.kind, l.quantity, l.gross, l.retained
    from payment_library_lines l join events e on e.id = l.event_id join subjects sub on sub.letter = e.letter
    where l.payment_id = ${paymentId}
    order by ${classOrder}, sub.position, l.line_id`.execute(db)
  return rows
}
