import type { ParsedQuery } from '@podium/contract/endpoint'
import { rupeesOf } from '@podium/contract/money'
import { foldName } from '@podium/contract/names'
import type { PaymentState } from '@podium/contract/payments/calls'
import type {
  DoubtKind,
  OfficePaymentRow,
  officePayments,
} from '@podium/contract/payments/calls-verification'
import { paymentForOf } from '@podium/contract/payments/rules'
import type { Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { assigneeOf, isAssigned } from '#features/staff/queries'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { containing, instant, pageOf } from '#platform/db/list-queries'
import { isWithdrawn } from '../queries.ts'

export const pageSize = 50

type QueueFilters = Omit<ParsedQuery<typeof officePayments>, 'page'>

type QueueQuery = QueueFilters & { page: number }

/** A payment with its amount in paise. */
interface Row extends Omit<OfficePaymentRow, 'paymentFor' | 'doubts'> {
  purpose: string
  proofUsed: boolean
  utrUsed: boolean
  wasRejected: boolean
  amountDiffers: boolean
}

const orders: Record<QueueFilters['sort'], RawBuilder<unknown>> = {
  oldest: sql`p.submitted_at, p.id`,
  newest: sql`p.submitted_at desc, p.id desc`,
  amount: sql`p.payable desc, p.id`,
}

/** SQL: the current total of the covered fees (or library lines), in paise; differs from the payment only through a bug. */
export const recomputed = sql`(case p.purpose when 'library' then (
    select coalesce(sum(l.quantity * (l.price - l.retained)), 0) from library_lines l where l.payment_id = p.id)
  else (
    select coalesce(sum(case p.purpose when 'books' then s.book_amount - s.book_retained
      else s.reg_amount - s.reg_retained end), 0)
    from payment_lines l join students s on s.id = l.student_id where l.payment_id = p.id) end)`

/** SQL: payments suggested for open bank lines: `payment_id`, `line_id` and the best match state. */
export const bankSigned = sql`(
  select distinct on (1) substr(part->>'key', 2)::bigint as payment_id, l.id as line_id,
    case when l.booking is not null then 'booking'
      when l.guess = 'exact' and not jsonb_path_exists(l.proposal, '$.parts[*] ? (!(@.key starts with "p"))') then 'exact'
      else 'suggested' end as sign
  from bank_lines l, jsonb_array_elements(coalesce(l.booking, l.proposal)->'parts') part
  where l.state = 'open' and (l.guess in ('exact', 'likely') or l.booking is not null) and part->>'key' like 'p%'
  order by 1, 3, 2)`

/** SQL: whether payment `q` was withdrawn by this school, which may send its proof and UTR again. */
export const isOwnWithdrawal = (schoolId: number | RawBuilder<unknown>) =>
  sql<boolean>`(q.school_id = ${schoolId} and q.state = 'rejected' and q.decided_by is null)`

/** SQL: whether payment `p` has the proof or the UTR of another one, not counting those decided `together` with it. */
function isUsedTwice(column: 'proof_sha256' | 'utr', together: readonly number[] = []) {
  const [own, other] = [sql.ref(`p.${column}`), sql.ref(`q.${column}`)]
  return sql<boolean>`(${own} <> '' and exists (
    select from payments q where ${other} = ${own} and ${other} <> '' and q.id <> p.id
      and not (q.id = any(${together}::bigint[])) and not ${isOwnWithdrawal(sql`p.school_id`)}))`
}

/** SQL: whether payment `q` is an earlier one for what pending payment `p` pays, which an officer rejected. */
export const isRejectedBefore = sql<boolean>`(p.state = 'pending' and q.school_id = p.school_id and q.reference = p.reference
  and q.state = 'rejected' and q.decided_by is not null and q.id < p.id)`

/** SQL: columns of the queue, from `payments p join schools o left join bankSigned b`. */
export const rowColumns = sql`
  p.id, p.school_id as "schoolId", o.code as "schCode", o.name as "schName", o.city as "cityName", o.state as "stateName",
  p.season as "FYear", p.purpose, p.payable as "payableAmount", p.paid_on as "paymentDate",
  ${instant('p.submitted_at')} as "creationDate", p.state, ${isWithdrawn} as withdrawn,
  coalesce(p.receipt_no, '') as "receiptNo", p.version,
  (select count(*) from payment_lines l where l.payment_id = p.id) as students,
  ${isUsedTwice('proof_sha256')} as "proofUsed", ${isUsedTwice('utr')} as "utrUsed",
  exists (select from payments q where ${isRejectedBefore}) as "wasRejected",
  p.state = 'pending' and p.payable <> ${recomputed} as "amountDiffers",
  case when p.state = 'pending' then coalesce(b.sign, 'none') end as "onBank", ${assigneeOf('payment', 'p.id')} as assignee`

export function rowOf<T extends Row>({ purpose, proofUsed, utrUsed, wasRejected, amountDiffers, ...row }: T) {
  const doubts: DoubtKind[] = []
  if (proofUsed && !row.withdrawn) doubts.push('proof')
  if (utrUsed && !row.withdrawn) doubts.push('utr')
  if (wasRejected) doubts.push('rejected')
  if (amountDiffers) doubts.push('amount')
  return { ...row, paymentFor: paymentForOf(purpose), payableAmount: rupeesOf(row.payableAmount), doubts }
}

export type { Row as QueueRow }

interface PaymentMatches {
  total: number
  ids: number[]
}

/** Search by school name or code, UTR, reference or receipt number; matches are counted and sorted in one pass. */
async function searched(
  db: Db | Tx,
  scope: OfficeScope,
  query: QueueFilters,
  typed: string,
  limit: RawBuilder<unknown>,
): Promise<PaymentMatches> {
  const name = foldName(typed)
  const { bank } = query
  const signed =
    bank === undefined
      ? sql`true`
      : bank === 'none'
        ? sql`not exists (select from signs b where b.payment_id = p.id)`
        : sql`exists (select from signs b where b.payment_id = p.id and b.sign = ${bank})`
  const byName = name === '' ? sql`false` : sql`o.name_key like ${containing(name)}`
  const { rows } = await sql<PaymentMatches>`
    with signs as materialized (select * from ${bankSigned} b where ${bank !== undefined}), near as materialized (
      select o.id from schools o where ${byName} or lower(o.code) like ${containing(typed)}),
    fits as materialized (
      select p.id, p.submitted_at, p.payable from payments p
      where p.season = ${query.FYear} and p.state = ${query.state}
        and ${signed} and ${isAssigned(scope, 'payment', 'p.id', query.assigned)}
        and (${typed === ''} or p.school_id in (select id from near) or p.search_key like ${containing(typed)}))
    select (select count(*) from fits) as total,
      array(select p.id from fits p order by ${orders[query.sort]} ${limit}) as ids`.execute(db)
  return rows[0] ?? { total: 0, ids: [] }
}

/** All payments with this status, directly from the sort index. */
async function inOrder(db: Db | Tx, query: QueueFilters, limit: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from payments p where p.season = ${query.FYear} and p.state = ${query.state}
    order by ${orders[query.sort]} ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** One page of the office's payments with this status, and the count for each status in the season. */
export async function paymentQueue(db: Db, scope: OfficeScope, query: QueueQuery) {
  const limit = pageOf(query.page, pageSize)
  const counts = await countsOf(db, query.FYear as Season)
  const found = await find(db, scope, query, limit)
  const total = found.total ?? counts[query.state]
  const rows = await rowsOf(db, query, found.ids)
  const onBank = await bankCountsOf(db, query.FYear as Season, counts.pending)
  return { data: rows, total, pageSize, counts, onBank, bookings: await bookingsOf(db) }
}

/** All matching payments, for export. */
export async function allPayments(
  tx: Tx,
  scope: OfficeScope,
  query: QueueFilters,
): Promise<OfficePaymentRow[]> {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  const { ids } = await find(tx, scope, query, sql``)
  return rowsOf(tx, query, ids)
}

/** Without a search, the total is known from the counts. */
async function find(
  db: Db | Tx,
  scope: OfficeScope,
  query: QueueFilters,
  limit: RawBuilder<unknown>,
): Promise<{ total?: number; ids: number[] }> {
  const typed = query.search.trim()
  if (typed === '' && query.bank === undefined && query.assigned === undefined)
    return { ids: await inOrder(db, query, limit) }
  return searched(db, scope, query, typed, limit)
}

/** Reads details only for the payments shown. */
async function rowsOf(
  db: Db | Tx,
  { sort }: QueueFilters,
  ids: readonly number[],
): Promise<OfficePaymentRow[]> {
  const { rows } = await sql<Row>`
    select ${rowColumns} from payments p join schools o on o.id = p.school_id
    left join ${bankSigned} b on b.payment_id = p.id where p.id = any(${ids}::bigint[])
    order by ${orders[sort]}`.execute(db)
  return rows.map(rowOf)
}

async function bankCountsOf(db: Db, season: Season, pending: number) {
  const { rows } = await sql<{ exact: number; suggested: number; all: number }>`
    select count(*) filter (where b.sign = 'exact') as exact, count(*) filter (where b.sign = 'suggested') as suggested,
      count(*) as all
    from ${bankSigned} b join payments p on p.id = b.payment_id
    where p.season = ${season} and p.state = 'pending'`.execute(db)
  const { exact, suggested, all } = rows[0] ?? { exact: 0, suggested: 0, all: 0 }
  return { exact, suggested, none: pending - all }
}

/** Bank lines for payments whose booking can still be undone, next one first. */
async function bookingsOf(db: Db) {
  const { rows } = await sql<{
    id: number
    version: number
    amount: number
    payments: number
    books_at: Date
  }>`
    select l.id, l.version, l.amount, l.books_at,
      (select count(*) from jsonb_array_elements(l.booking->'parts') part where part->>'key' like 'p%') as payments
    from bank_lines l where l.books_at is not null and l.booking is not null
    order by l.books_at, l.id limit 100`.execute(db)
  return rows
    .filter(({ payments }) => payments > 0)
    .map(({ books_at, amount, ...row }) => ({
      ...row,
      amount: rupeesOf(amount),
      booksAt: books_at.toISOString(),
    }))
}

/** Whether a payment has a warning that needs a person; duplicates among `together` do not count. */
export async function isDoubtful(tx: Tx, id: number, together: readonly number[] = []): Promise<boolean> {
  const { rows } = await sql`
    select from payments p where p.id = ${id} and (
      ${isUsedTwice('proof_sha256', together)} or ${isUsedTwice('utr', together)}
      or exists (select from payments q where ${isRejectedBefore})
      or p.state = 'pending' and p.payable <> ${recomputed})`.execute(tx)
  return rows.length > 0
}

/** Whether an open bank line matches this payment exactly, alone or with others. */
export async function isExact(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from bank_lines l
    where l.state = 'open' and l.booking is null and l.guess = 'exact'
      and l.proposal->'parts' @> ${JSON.stringify([{ key: `p${id}` }])}::jsonb
      and not jsonb_path_exists(l.proposal, '$.parts[*] ? (!(@.key starts with "p"))')
    limit 1`.execute(tx)
  return rows.length > 0
}

async function countsOf(db: Db, season: Season) {
  const { rows } = await sql<{ state: PaymentState; count: number }>`
    select state, count(*) as count from payments where season = ${season} group by state`.execute(db)
  const of = (state: PaymentState) => rows.find((row) => row.state === state)?.count ?? 0
  return { pending: of('pending'), verified: of('verified'), rejected: of('rejected') }
}
