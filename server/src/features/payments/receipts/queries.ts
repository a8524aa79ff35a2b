import type { ParsedQuery } from '@podium/contract/endpoint'
import { rupeesOf } from '@podium/contract/money'
import { foldName } from '@podium/contract/names'
import {
  maxZippedReceipts,
  type officeReceipts,
  type ReceiptRow,
  type ReceiptSort,
} from '@podium/contract/payments/calls-receipts'
import { paymentForOf, purposeOf } from '@podium/contract/payments/rules'
import { type RawBuilder, sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, ReadDb, ReadTx, Tx } from '#platform/db/database'
import { containing, pageOf } from '#platform/db/list-queries'
import { Refusal } from '#platform/errors'
import { joinedSize } from '#platform/files/zip'
import type { Job } from '#platform/jobs/jobs'
import { type ClassLine, classOrder, type PaidCopies, paidCopies } from '../queries.ts'

/** The content of a receipt; amounts in paise. */
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
  /** When it was cancelled, because the bank returned the money; null otherwise */
  reversed_at: Date | null
  /** Why it was cancelled */
  reason: string
  school_id: number
  school: string
  code: string
  address: string
  city: string
  state: string
  pin_code: string
  submitted_by: number | null
  receipt_file_id: string | null
  classes: ClassLine[]
  /** The books of a library order; empty for student fees */
  copies: PaidCopies[]
}

/** A payment that has a receipt, with the receipt's data by class or book; otherwise undefined. */
export async function receiptData(db: Db | Tx, id: number): Promise<ReceiptData | undefined> {
  const { rows } = await sql<Omit<ReceiptData, 'classes' | 'copies'>>`
    select p.id, p.receipt_no, p.season, p.purpose, p.reference, p.gross, p.retained, p.payable, p.paid_on, p.utr,
      (select coalesce(sum(s.late_amount), 0) from payment_lines l join students s on s.id = l.student_id
        where l.payment_id = p.id and p.purpose = 'registration') as late, p.decided_at, p.reversed_at,
      p.reason, p.school_id, o.name as school, o.code, o.address, o.city, o.state, o.pin_code, p.submitted_by,
      p.receipt_file_id
    from payments p join schools o on o.id = p.school_id
    where p.id = ${id} and p.receipt_no is not null`.execute(db)
  const payment = rows[0]
  if (!payment) return undefined
  const classes = await sql<ClassLine>`
    select s.class_id, count(*) as students, sum(l.gross) as gross, sum(l.retained) as retained,
      sum(case l.purpose when 'books' then s.book_count
        else (select count(*) from enrolments e where e.student_id = s.id) end) as items
    from payment_lines l join students s on s.id = l.student_id
    where l.payment_id = ${id}
    group by s.class_id
    order by ${classOrder}`.execute(db)
  return { ...payment, classes: classes.rows, copies: await paidCopies(db, id) }
}

const pageSize = 50

type ReceiptsQuery = Omit<ParsedQuery<typeof officeReceipts>, 'page'>

const orders: Record<ReceiptSort, RawBuilder<unknown>> = {
  newest: sql`p.decided_at desc, p.id desc`,
  oldest: sql`p.decided_at, p.id`,
  amount: sql`p.payable desc, p.id`,
  school: sql`o.name_key, p.decided_at, p.id`,
}

/** SQL: payments whose money was found on a bank statement, or that were paid from credit. */
const found = sql`(
  select payment_id from bank_line_payments union all
  select payment_id from school_credits where kind = 'used' and payment_id is not null)`

const moneyFound = sql`exists (select from ${found} m where m.payment_id = p.id)`

/** SQL: search by school name or code, receipt, reference or UTR. Matching schools are found once, not for each payment. */
function searched(typed: string): RawBuilder<unknown> {
  const name = foldName(typed)
  const byName = name === '' ? sql`false` : sql`o.name_key like ${containing(name)}`
  const text = containing(typed)
  return sql`(p.search_key like ${text} or p.school_id in (
    select o.id from schools o where ${byName} or lower(o.code) like ${text}))`
}

function matching(query: ReceiptsQuery): RawBuilder<unknown> {
  const conditions = [sql`p.receipt_no is not null`, sql`p.season = ${query.FYear}`]
  if (query.search !== '') conditions.push(searched(query.search))
  if (query.paymentFor !== '') conditions.push(sql`p.purpose = ${purposeOf(query.paymentFor)}`)
  if (query.bank === 'cancelled') conditions.push(sql`p.reversed_at is not null`)
  else if (query.bank !== '')
    conditions.push(sql`p.reversed_at is null`, query.bank === 'found' ? moneyFound : sql`not ${moneyFound}`)
  if (query.from !== '') conditions.push(sql`p.decided_at >= ${`${query.from}T00:00:00+05:30`}::timestamptz`)
  if (query.until !== '')
    conditions.push(sql`p.decided_at < ${`${query.until}T00:00:00+05:30`}::timestamptz + interval '1 day'`)
  return sql.join(conditions, sql` and `)
}

interface ReceiptMatches {
  ids: number[]
  total: number
  gross: number
  retained: number
  payable: number
}

/** Counts, totals and sorts the matching receipts in one pass. Cancelled ones count, but their amounts do not. */
async function find(db: ReadDb, query: ReceiptsQuery, limit: RawBuilder<unknown>): Promise<ReceiptMatches> {
  const ofSchool = query.sort === 'school' ? sql`join schools o on o.id = p.school_id` : sql``
  const { rows } = await sql<ReceiptMatches>`
    with fits as materialized (
      select p.id, p.school_id, p.decided_at, p.reversed_at, p.gross, p.retained, p.payable from payments p where ${matching(query)})
    select count(*) as total, coalesce(sum(f.gross) filter (where f.reversed_at is null), 0) as gross,
      coalesce(sum(f.retained) filter (where f.reversed_at is null), 0) as retained,
      coalesce(sum(f.payable) filter (where f.reversed_at is null), 0) as payable,
      array(select p.id from fits p ${ofSchool} order by ${orders[query.sort]} ${limit}) as ids
    from fits f`.execute(db)
  return rows[0] ?? { ids: [], total: 0, gross: 0, retained: 0, payable: 0 }
}

/** Reads the details of these receipts. */
async function read(db: ReadDb, ids: readonly number[], sort: ReceiptSort): Promise<ReceiptRow[]> {
  const { rows } = await sql<Omit<ReceiptRow, 'paymentFor'> & { purpose: string }>`
    select p.id as "paymentId", p.receipt_no as "receiptNo", to_char(p.decided_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD') as day,
      p.school_id as "schoolId", o.code as "schCode", o.name as "schName", p.purpose, p.reference, p.utr, p.gross, p.retained,
      p.payable as "payableAmount", coalesce(s.name, '') as "verifiedBy", ${moneyFound} as found,
      to_char(p.reversed_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD') as "cancelledOn", p.reason
    from payments p join schools o on o.id = p.school_id left join staff s on s.id = p.decided_by
    where p.id = any(${[...ids]}::bigint[]) order by ${orders[sort]}`.execute(db)
  return rows.map(({ purpose, ...row }) => ({
    ...row,
    paymentFor: paymentForOf(purpose),
    gross: rupeesOf(row.gross),
    retained: rupeesOf(row.retained),
    payableAmount: rupeesOf(row.payableAmount),
  }))
}

/** One page of the matching receipts, with their number and total. */
export async function receiptsPage(db: Db, _scope: OfficeScope, query: ReceiptsQuery & { page: number }) {
  const { total, ids, ...sums } = await find(db, query, pageOf(query.page, pageSize))
  const data = await read(db, ids, query.sort)
  return {
    data,
    total,
    pageSize,
    sums: { gross: rupeesOf(sums.gross), retained: rupeesOf(sums.retained), payable: rupeesOf(sums.payable) },
  }
}

/** All matching receipts, in list order. */
export async function allReceipts(
  tx: ReadTx,
  _scope: OfficeScope,
  query: ReceiptsQuery,
): Promise<ReceiptRow[]> {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  const { ids } = await find(tx, query, sql``)
  return read(tx, ids, query.sort)
}

export const receiptsZipKind = 'receipts.zip'

/** The payment ids of the matching receipts, in list order. Refuses if there are none or too many. */
export async function receiptsToZip(tx: Tx, _scope: OfficeScope, query: ReceiptsQuery): Promise<number[]> {
  const { ids, total } = await find(tx, query, sql`limit ${maxZippedReceipts}`)
  if (total === 0) throw new Refusal('receipts.none')
  if (total > maxZippedReceipts) throw new Refusal('receipts.too_many')
  return ids
}

/** A partial archive of a receipts job. */
type ZippedReceipts = { fileId: string; bytes: number }

/** The partial archives of a job; joined on download. */
export const receiptArchives = ({ output }: Pick<Job, 'output'>) =>
  (output as { archives: ZippedReceipts[] } | null)?.archives ?? []

const zipHours = 24

/** A receipts job as shown on its page. */
export function zipAnswer(job: Job | undefined) {
  if (!job) return null
  const { id: jobId, state, done, total, error } = job
  const season = job.season ?? ''
  const until = new Date(job.createdAt.getTime() + zipHours * 3_600_000).toISOString()
  const bytes = joinedSize(receiptArchives(job).map((archive) => archive.bytes))
  const file = state === 'done' ? { name: `Receipts ${season}.zip`, bytes } : null
  return { jobId, season, until, state, done, total, error, file }
}
