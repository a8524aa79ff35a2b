import type { OrderLine } from '@podium/contract/books/calls-orders'
import { type BookKind, bookKinds, bookNames, className } from '@podium/contract/classes'
import { paise, rupees } from '@podium/contract/money'
import { istDay, type Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { allowances, mayAdd, stateOf } from './rules.ts'

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
  open: boolean
}

const rupeesOf = (amount: number) => rupees(paise(amount))

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

/** Lines that were taken back are left out. */
async function lines(
  db: Db | Tx,
  scope: SchoolScope,
  now: Date,
  which: RawBuilder<unknown>,
): Promise<OrderLine[]> {
  const { rows } = await sql<Row>`
    select l.id, l.class_id as "classId", sub.letter as "eventLetter", sub.name as "subjectName", l.kind, l.quantity,
      l.price, l.retained, l.payment_id as "paymentId", l.paid, p.receipt_no as "receiptNo",
      l.created_at as "createdAt", l.version, e.closes_on < ${istDay(now)}::date as closed, s.state = 'open' as open
    from library_lines l join events e on e.id = l.event_id join subjects sub on sub.letter = e.letter
      join seasons s on s.label = l.season left join payments p on p.id = l.payment_id
    where l.school_id = ${scope.schoolId} and l.active and ${which}
    order by case l.class_id when 15 then -2 when 13 then -1 when 14 then 0 else l.class_id end,
      sub.position, array_position(${[...bookKinds]}::text[], l.kind), l.id`.execute(db)
  return rows.map(lineOf)
}

/** The library order of a season, the youngest class first, and whether it takes more. */
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

/** One line of the school's, as the list shows it. */
export async function orderLine(
  db: Db | Tx,
  scope: SchoolScope,
  now: Date,
  id: number,
): Promise<OrderLine | undefined> {
  return (await lines(db, scope, now, sql`l.id = ${id}`))[0]
}
