import { paise, rupees } from '@podium/contract/money'
import { foldName } from '@podium/contract/names'
import { type PaymentKind, paymentForOf, purposeOf } from '@podium/contract/payments'
import type { ReceiptRow, ReceiptSort } from '@podium/contract/payments-receipts'
import type { Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#platform/database'
import type { OfficeScope } from '#platform/scope'

export const pageSize = 50

export interface ReceiptsQuery {
  FYear: Season
  search: string
  paymentFor: '' | PaymentKind
  bank: '' | 'found' | 'missing'
  from: string
  until: string
  sort: ReceiptSort
}

interface Row {
  id: number
  receipt_no: string
  day: string
  school_id: number
  code: string
  name: string
  purpose: string
  reference: string
  utr: string
  gross: number
  retained: number
  payable: number
  by: string | null
  found: boolean
}

const orders: Record<ReceiptSort, RawBuilder<unknown>> = {
  newest: sql`p.decided_at desc, p.id desc`,
  oldest: sql`p.decided_at, p.id`,
  amount: sql`p.payable desc, p.id`,
  school: sql`o.name_key, p.decided_at, p.id`,
}

const moneyFound = sql`(exists (select from bank_line_payments b where b.payment_id = p.id)
  or exists (select from school_credits c where c.payment_id = p.id and c.kind = 'used'))`

function searched(typed: string): RawBuilder<unknown> {
  if (typed === '') return sql`true`
  const text = `%${typed.replace(/[\\%_]/g, '\\$&')}%`
  const name = foldName(typed)
  const byName = name === '' ? sql`false` : sql`o.name_key like ${`%${name}%`}`
  return sql`(${byName} or o.code ilike ${text} or p.receipt_no ilike ${text} or p.reference ilike ${text} or p.utr ilike ${text})`
}

function wanted(query: ReceiptsQuery): RawBuilder<unknown> {
  const conditions = [sql`p.state = 'verified'`, sql`p.season = ${query.FYear}`, searched(query.search)]
  if (query.paymentFor !== '') conditions.push(sql`p.purpose = ${purposeOf(query.paymentFor)}`)
  if (query.bank !== '') conditions.push(query.bank === 'found' ? moneyFound : sql`not ${moneyFound}`)
  if (query.from !== '') conditions.push(sql`p.decided_at >= ${`${query.from}T00:00:00+05:30`}::timestamptz`)
  if (query.until !== '')
    conditions.push(sql`p.decided_at < ${`${query.until}T00:00:00+05:30`}::timestamptz + interval '1 day'`)
  return sql.join(conditions, sql` and `)
}

async function read(db: Db | Tx, query: ReceiptsQuery, limit: RawBuilder<unknown>): Promise<ReceiptRow[]> {
  const { rows } = await sql<Row>`
    select p.id, p.receipt_no, to_char(p.decided_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD') as day, p.school_id,
      o.code, o.name, p.purpose, p.reference, p.utr, p.gross, p.retained, p.payable, s.name as by, ${moneyFound} as found
    from payments p join schools o on o.id = p.school_id left join staff s on s.id = p.decided_by
    where ${wanted(query)} order by ${orders[query.sort]} ${limit}`.execute(db)
  const show = (amount: number) => rupees(paise(amount))
  return rows.map((row) => ({
    paymentId: row.id,
    receiptNo: row.receipt_no,
    day: row.day,
    schoolId: row.school_id,
    schCode: row.code,
    schName: row.name,
    paymentFor: paymentForOf(row.purpose),
    reference: row.reference,
    utr: row.utr,
    gross: show(row.gross),
    retained: show(row.retained),
    payableAmount: show(row.payable),
    verifiedBy: row.by ?? '',
    found: row.found,
  }))
}

/** One page of the receipts that the filters leave, how many there are, and what they add up to. */
export async function receiptsPage(db: Db, _scope: OfficeScope, query: ReceiptsQuery & { page: number }) {
  const offset = (Math.max(1, query.page) - 1) * pageSize
  const data = await read(db, query, sql`limit ${pageSize} offset ${offset}`)
  const { rows } = await sql<{ total: number; gross: number; retained: number; payable: number }>`
    select count(*) as total, coalesce(sum(p.gross), 0) as gross, coalesce(sum(p.retained), 0) as retained,
      coalesce(sum(p.payable), 0) as payable
    from payments p join schools o on o.id = p.school_id where ${wanted(query)}`.execute(db)
  const { total, ...sums } = rows[0] ?? { total: 0, gross: 0, retained: 0, payable: 0 }
  return {
    data,
    total,
    pageSize,
    sums: {
      gross: rupees(paise(sums.gross)),
      retained: rupees(paise(sums.retained)),
      payable: rupees(paise(sums.payable)),
    },
  }
}

/** All receipts that the filters leave, in the order of the list. */
export async function allReceipts(tx: Tx, _scope: OfficeScope, query: ReceiptsQuery): Promise<ReceiptRow[]> {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  return read(tx, query, sql``)
}
