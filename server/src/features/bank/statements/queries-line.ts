import type { BankItem, BankLine, SchoolCredit } from '@podium/contract/bank/calls'
import { rupees, rupeesOf } from '@podium/contract/money'
import { paymentForOf } from '@podium/contract/payments/rules'
import { sql } from 'kysely'
import { creditsOf } from '#features/payments/queries'
import { isReturnUndecided } from '#features/staff/queries'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { containing, hasWords, instant } from '#platform/db/list-queries'
import { findRows } from '#platform/db/rows'
import { orNotFound } from '#platform/errors'
import { dueItemsOf, payableSeasons, paymentItemsOf } from '../matching/queries-candidates.ts'
import type { Item } from '../matching/rules-candidates.ts'
import { amountSearched, type LineRow, lineColumns, lineRowOf } from './queries.ts'

interface SchoolRow {
  id: number
  code: string
  name: string
}

async function schoolsBy(db: Db, ids: readonly number[]): Promise<Map<number, SchoolRow>> {
  const rows = await findRows(db, 'schools', { id: ids }, ['id', 'code', 'name'])
  return new Map(rows.map((row) => [row.id, row]))
}

const named = (schools: ReadonlyMap<number, SchoolRow>, schoolId: number) => ({
  schoolId,
  schCode: schools.get(schoolId)?.code ?? '',
  schName: schools.get(schoolId)?.name ?? '',
})

async function itemsShown(
  db: Db,
  items: readonly Item[],
  schools: ReadonlyMap<number, SchoolRow>,
): Promise<BankItem[]> {
  const ids = items.flatMap(({ paymentId }) => paymentId ?? [])
  const payments = await findRows(db, 'payments', { id: ids }, ['id', 'remarks', 'proof_file_id'])
  return items.map((item) => {
    const payment = payments.find(({ id }) => id === item.paymentId)
    return {
      key: item.key,
      paymentId: item.paymentId,
      ...named(schools, item.schoolId),
      FYear: item.season,
      paymentFor: paymentForOf(item.purpose),
      reference: item.reference,
      amount: rupees(item.amount),
      utr: item.utr,
      paymentDate: item.day,
      remarks: payment?.remarks ?? '',
      proof: payment?.proof_file_id != null,
      state: item.state === 'open' ? ('open' as const) : ('paid' as const),
      receiptNo: item.receiptNo,
      rejected: item.rejected,
      after: item.after?.key ?? '',
    }
  })
}

/**
 * What these schools owe, have sent, or have paid without the money being found; and their credit. Of a closed season, the
 * payments found are only those `meant`.
 */
async function payableOf(db: Db, schoolIds: readonly number[], meant: readonly (string | null)[]) {
  const schools = await schoolsBy(db, schoolIds)
  const seasons = await payableSeasons(db)
  const payments = await paymentItemsOf(db, schoolIds, seasons)
  const items = [
    ...payments.filter(({ closed, key }) => !closed || meant.includes(key)),
    ...(await dueItemsOf(db, schoolIds, seasons)),
  ]
  const credits = await creditsOf(db, schoolIds)
  const shown: SchoolCredit[] = schoolIds.map((schoolId) => ({
    ...named(schools, schoolId),
    amount: rupeesOf(credits.get(schoolId) ?? 0),
  }))
  return { items: await itemsShown(db, items, schools), schools: shown }
}

interface LineDetail extends LineRow {
  fileName: string
  rowNo: number
  accountNo: string
  reason: string
  decidedBy: string
  decidedAt: string | null
  bookingRefused: string
  hint: number | null
  returnWaits: boolean
  closed: boolean
  dayClosed: boolean
}

async function bookedOf(db: Db, lineId: number) {
  const payments = await sql<Omit<BankLine['booked'][number], 'paymentFor'> & { purpose: string }>`
    select p.id as "paymentId", p.receipt_no as "receiptNo", o.code as "schCode", o.name as "schName", p.purpose, b.amount
    from bank_line_payments b join payments p on p.id = b.payment_id join schools o on o.id = p.school_id
    where b.line_id = ${lineId} order by p.receipt_no`.execute(db)
  const credits = await sql<{ school_id: number; amount: number }>`
    select school_id, sum(amount) as amount from school_credits where line_id = ${lineId} and kind = 'received'
    group by school_id`.execute(db)
  const schools = await schoolsBy(
    db,
    credits.rows.map(({ school_id }) => school_id),
  )
  return {
    booked: payments.rows.map(({ purpose, ...row }) => ({
      ...row,
      paymentFor: paymentForOf(purpose),
      amount: rupeesOf(row.amount),
    })),
    credited: credits.rows.map((row) => ({ ...named(schools, row.school_id), amount: rupeesOf(row.amount) })),
  }
}

/** The suggestion if all of it is still valid, to the paisa; otherwise empty. */
function proposalOf(row: LineDetail, items: readonly BankItem[], schools: readonly SchoolCredit[]) {
  const nothing: BankLine['proposal'] = { parts: [], credits: [], used: [] }
  if (row.state !== 'open' || !row.proposal || row.guess === 'unknown') return nothing
  const { parts, credit, creditUsed } = row.proposal
  const shown = parts.map(({ key, amount }) => ({ key, amount: rupeesOf(amount) }))
  const school = schools.find(({ schoolId }) => schoolId === row.hint)
  const stillValid = shown.every(({ key, amount }) =>
    items.some((item) => item.key === key && item.amount === amount),
  )
  const used = rupeesOf(creditUsed)
  if (!stillValid || (used > 0 && (school?.amount ?? 0) < used)) return nothing
  const share = (amount: number) => (amount > 0 && school ? [{ ...school, amount: rupeesOf(amount) }] : [])
  return { parts: shown, credits: share(credit), used: share(creditUsed) }
}

/** One line with everything needed to decide. */
export async function bankLineOf(db: Db, scope: OfficeScope, id: number): Promise<BankLine> {
  const { rows } = await sql<LineDetail>`
    select ${lineColumns}, s.file_name as "fileName", l.row_no as "rowNo", l.account_no as "accountNo", l.reason,
      coalesce(d.name, '') as "decidedBy", ${instant('l.decided_at')} as "decidedAt", l.booking_refused as "bookingRefused",
      l.guess_school_id as hint, s.reconciled_at is not null as closed, ${isReturnUndecided} as "returnWaits",
      exists (select from day_closings c where c.day = (l.decided_at at time zone 'Asia/Kolkata')::date) as "dayClosed"
    from bank_lines l join bank_statements s on s.id = l.statement_id
    left join schools o on o.id = l.guess_school_id left join staff d on d.id = l.decided_by
    where l.id = ${id}`.execute(db)
  const row = orNotFound(rows[0])
  const open = row.state === 'open'
  const { items, schools } = open
    ? await payableOf(db, await schoolsInQuestion(db, row), keysOf(row))
    : { items: [], schools: [] }
  const may = mayDo(scope.role, 'payments.decide') || 'access.denied'
  return {
    ...lineRowOf(row),
    proposal: proposalOf(row, items, schools),
    items,
    schools,
    ...(await bookedOf(db, id)),
    can: {
      decide: open ? may : 'bank.decided',
      reopen: reopenOf(row, may),
      returned: row.returnWaits ? may : 'bank.not_returned',
    },
  }
}

/** Whether an ignored line can be reopened: not once its statement or the day of the decision is closed. */
function reopenOf(row: LineDetail, may: true | string): true | string {
  if (row.state !== 'discarded') return 'bank.decided'
  if (row.closed) return 'bank.reconciled'
  return row.dayClosed ? 'bank.day_closed' : may
}

const keysOf = ({ proposal }: LineDetail): string[] => proposal?.parts.map(({ key }) => key) ?? []

/** The suggested school, and those of the suggested items. */
async function schoolsInQuestion(db: Db, row: LineDetail): Promise<number[]> {
  const keys = keysOf(row)
  const payments = keys.flatMap((key) => (key.startsWith('p') ? [Number(key.slice(1))] : []))
  const of = await findRows(db, 'payments', { id: payments }, ['school_id'])
  const due = keys.flatMap((key) => (key.startsWith('d') ? [Number(key.slice(1).split('-')[0])] : []))
  const ids = [...(row.hint === null ? [] : [row.hint]), ...of.map(({ school_id }) => school_id), ...due]
  return [...new Set(ids)]
}

/** Manual search for dues and payments by school name, code, UTR, reference, receipt or amount. */
export async function searchItems(db: Db, _scope: OfficeScope, search: string) {
  const { rows } = await sql<{ id: number; payments: (string | null)[] }>`
    select id, array_agg('p' || payment) as payments from (
      select p.school_id as id, p.id as payment, 0 as place from payments p
      where p.state in ('pending', 'verified')
        and (p.search_key like ${containing(search)} or p.payable = ${amountSearched(search)})
      union all
      (select o.id, null, 1 from schools o where ${hasWords(search, sql`o.search_key`)} order by o.name_key, o.id limit 10)) x
    group by id order by min(place), id limit 10`.execute(db)
  return payableOf(
    db,
    rows.map(({ id }) => id),
    rows.flatMap(({ payments }) => payments),
  )
}
