import { type Paise, paise } from '@podium/contract/money'
import { sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { ReadTx } from '#platform/db/database'
import { inView, type LinesQuery, orderOf, searched, within } from './queries.ts'

export interface BookedLine {
  day: string
  account: string
  amount: Paise
  utr: string
  narration: string
  code: string
  school: string
  toPayments: Paise
  toCredit: Paise
  receipts: string
  reason: string
  decidedBy: string
  decidedAt: Date | null
}

/** All bank lines that the filters leave, in the order of the list, with what became of each. */
export async function allBankLines(
  tx: ReadTx,
  _scope: OfficeScope,
  query: Omit<LinesQuery, 'page'>,
): Promise<BookedLine[]> {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  const { rows } = await sql<BookedLine>`
    select l.day, l.account_no as account, l.amount, l.utr, l.narration, coalesce(o.code, '') as code,
      coalesce(o.name, '') as school, l.to_payments as "toPayments", l.to_credit as "toCredit", l.reason,
      coalesce(d.name, '') as "decidedBy", l.decided_at as "decidedAt",
      coalesce((
        select string_agg(p.receipt_no, ', ' order by p.id)
        from bank_line_payments b join payments p on p.id = b.payment_id where b.line_id = l.id), '') as receipts
    from bank_lines l left join schools o on o.id = l.guess_school_id left join staff d on d.id = l.decided_by
    where ${within(query)} and ${inView(query.state)} and ${searched(query.search)}
    order by ${orderOf(query.state)}`.execute(tx)
  return rows.map((row) => ({
    ...row,
    amount: paise(row.amount),
    toPayments: paise(row.toPayments),
    toCredit: paise(row.toCredit),
  }))
}
