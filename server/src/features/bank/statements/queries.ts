import {
  type BankCounts,
  type BankLineRow,
  type BankView,
  type bankLines,
  bankViews,
  type MatchReason,
  type MatchState,
} from '@podium/contract/bank/calls'
import type { ParsedQuery } from '@podium/contract/endpoint'
import { type Paise, paise, rupeesOf, rupeesOrNull } from '@podium/contract/money'
import { type Season, seasonYear } from '@podium/contract/season'
import type { Assignee } from '@podium/contract/staff/calls-assignments'
import { type RawBuilder, sql } from 'kysely'
import { assigneeOf, isAssigned, isReturnUndecided, returnedBy } from '#features/staff/queries'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, ReadTx, Tx } from '#platform/db/database'
import { containing, instant, pageOf } from '#platform/db/list-queries'
import type { Match } from '../matching/rules-candidates.ts'

const pageSize = 50

type LinesQuery = ParsedQuery<typeof bankLines>

/** A line with its amount in paise. */
export interface LineRow extends Omit<BankLineRow, 'state' | 'reasons'> {
  state: 'open' | 'booked' | 'discarded'
  guess: BankView | null
  proposal: Omit<Match, 'state' | 'schoolId'> | null
}

/** SQL: the day on which the money of `bank_lines l` was returned. */
export const bouncedOn = sql<string | null>`(select min(d.day) from bank_debits d where ${returnedBy})`

/** SQL: columns of the list, from `bank_lines l left join schools o on o.id = l.guess_school_id`. */
export const lineColumns = sql`
  l.id, l.day, l.amount, l.utr, l.narration, l.state, l.guess, l.proposal, coalesce(o.code, '') as "schCode",
  coalesce(o.name, '') as "schName", l.version, ${bouncedOn} as "bouncedOn", ${instant('l.books_at')} as "booksAt",
  coalesce((select b.name from staff b where b.id = l.booking_by), '') as "bookingBy", ${assigneeOf('bank-line', 'l.id')} as assignee`

const inRupees = (reason: MatchReason): MatchReason =>
  reason.amount === undefined ? reason : { ...reason, amount: rupeesOf(reason.amount) }

export function lineRowOf<T extends LineRow>({ guess, proposal, ...row }: T) {
  const open = row.state === 'open'
  const state: BankView = row.state === 'open' ? (guess ?? 'unknown') : row.state
  const reasons = open ? (proposal?.reasons ?? []).map(inRupees) : []
  return { ...row, amount: rupeesOf(row.amount), state, reasons }
}

/** SQL: the lines of a season's days, or of one statement. */
function within({
  FYear,
  statement,
}: {
  FYear: Season
  statement?: number | undefined
}): RawBuilder<unknown> {
  if (statement !== undefined) return sql`l.statement_id = ${statement}`
  const year = seasonYear(FYear)
  return sql`l.day between ${`${year}-04-01`} and ${`${year + 1}-03-31`}`
}

function inView(view: BankView): RawBuilder<unknown> {
  if (view === 'booked' || view === 'discarded') return sql`l.state = ${view}`
  if (view === 'unknown') return sql`l.state = 'open' and coalesce(l.guess, 'unknown') = 'unknown'`
  if (view === 'bounced') return sql`(l.state = 'open' and l.guess = 'bounced' or ${isReturnUndecided})`
  return sql`l.state = 'open' and l.guess = ${view}`
}

/** SQL order: decided lines by decision, latest first; open ones by day. */
const orderOf = (view: BankView): RawBuilder<unknown> =>
  view === 'booked' || view === 'discarded' ? sql`l.decided_at desc, l.id desc` : sql`l.day, l.id`

/** A search read as an amount, in paise; −1 if it is none. */
export function amountSearched(search: string): number {
  const amount = Number(search.replace(/[,₹\s]/g, ''))
  return Number.isFinite(amount) && amount > 0 && amount < 1e9 ? Math.round(amount * 100) : -1
}

/** SQL: search by narration, UTR, school code or name, or exact amount. */
function searched(search: string): RawBuilder<unknown> {
  if (search === '') return sql`true`
  const text = containing(search)
  return sql`(l.search_key like ${text} or l.amount = ${amountSearched(search)} or l.guess_school_id in (
    select o.id from schools o where lower(o.code) like ${text} or lower(o.name) like ${text}))`
}

/** One page of bank lines, with counts and totals for each status. */
export async function bankLinesOf(db: Db, scope: OfficeScope, filters: LinesQuery) {
  // Read before the figures: if the job ends in between, the figures are already final.
  const job = await runningJob(db)
  const figures = await figuresOf(db, scope, filters)
  const state = filters.state ?? bankViews.find((view) => figures.counts[view].lines > 0) ?? 'exact'
  const query = { ...filters, state }
  const order = orderOf(state)
  // Matches are found in one pass; details are read only for the page.
  const found = await sql<{ total: number; ids: number[] }>`
    with fits as materialized (
      select l.id, l.day, l.decided_at from bank_lines l
      where ${within(query)} and ${inView(query.state)} and ${searched(query.search)}
        and ${isAssigned(scope, 'bank-line', 'l.id', query.assigned)})
    select (select count(*) from fits) as total, array(
      select l.id from fits l order by ${order}
      ${pageOf(query.page, pageSize)}) as ids`.execute(db)
  const { total, ids } = found.rows[0] ?? { total: 0, ids: [] }
  const { rows } = await sql<LineRow>`
    select ${lineColumns} from bank_lines l left join schools o on o.id = l.guess_school_id
    where l.id = any(${ids}::bigint[]) order by ${order}`.execute(db)
  const bookings = await sql<LineRow>`
    select ${lineColumns} from bank_lines l left join schools o on o.id = l.guess_school_id
    where l.books_at is not null order by l.books_at, l.id limit 20`.execute(db)
  return {
    data: rows.map(lineRowOf),
    total,
    pageSize,
    state,
    ...figures,
    job,
    bookings: bookings.rows.map(lineRowOf),
    can: { decide: mayDo(scope.role, 'payments.decide') || 'access.denied' },
  }
}

interface FigureRow {
  /** `returned`: booked, and somebody has to decide again */
  view: BankView | 'returned'
  lines: number
  amount: number
  /** Count under the assignment filter */
  shown: number
  shown_amount: number
  booked: number
  credited: number
}

/** Count and total for each status: all = booked + credited + discarded + open. */
async function figuresOf(
  db: Db,
  scope: OfficeScope,
  query: Pick<LinesQuery, 'FYear' | 'statement' | 'assigned'>,
) {
  const shown = isAssigned(scope, 'bank-line', 'l.id', query.assigned)
  const { rows } = await sql<FigureRow>`
    select case when l.state = 'open' then coalesce(l.guess, 'unknown') when ${isReturnUndecided} then 'returned' else l.state end as view, count(*) as lines,
      sum(l.amount) as amount, count(*) filter (where ${shown}) as shown,
      coalesce(sum(l.amount) filter (where ${shown}), 0) as shown_amount, sum(l.to_payments) as booked, sum(l.to_credit) as credited
    from bank_lines l where ${within(query)} group by view`.execute(db)
  const of = (...views: FigureRow['view'][]) => {
    const found = rows.filter(({ view }) => views.includes(view))
    const amount = found.reduce((total, row) => total + row.shown_amount, 0)
    return { lines: found.reduce((total, { shown }) => total + shown, 0), amount: rupeesOf(amount) }
  }
  const sum = (figure: (row: FigureRow) => number) =>
    rupeesOf(rows.reduce((total, row) => total + figure(row), 0))
  const open = (row: FigureRow) => !['booked', 'returned', 'discarded'].includes(row.view)
  const counts: BankCounts = {
    exact: of('exact'),
    likely: of('likely'),
    unknown: of('unknown'),
    already: of('already'),
    duplicate: of('duplicate'),
    bounced: of('bounced', 'returned'),
    booked: of('booked', 'returned'),
    discarded: of('discarded'),
    all: { lines: rows.reduce((total, { lines }) => total + lines, 0), amount: sum(({ amount }) => amount) },
  }
  return {
    counts,
    waiting: rows
      .filter((row) => open(row) || row.view === 'returned')
      .reduce((total, { lines }) => total + lines, 0),
    sums: {
      booked: sum(({ booked }) => booked),
      credited: sum(({ credited }) => credited),
      discarded: sum((row) => (row.view === 'discarded' ? row.amount : 0)),
      open: sum((row) => (open(row) ? row.amount : 0)),
      all: counts.all.amount,
    },
  }
}

/** The pending or running job that matches or books, booking first. */
export async function runningJob(db: Db | Tx) {
  const job = await db
    .selectFrom('jobs')
    .select(['id', 'kind', 'done', 'total'])
    .where('kind', 'in', ['bank-match', 'bank-book'])
    .where('state', 'in', ['waiting', 'running'])
    .orderBy('kind')
    .orderBy('created_at')
    .executeTakeFirst()
  return job
    ? { ...job, kind: job.kind === 'bank-book' ? ('bank-book' as const) : ('bank-match' as const) }
    : null
}

/** All open or ignored lines of a list, at most ten thousand, with their total. */
export async function exactLinesOf(
  db: Db,
  scope: OfficeScope,
  query: Omit<LinesQuery, 'page' | 'state'> & { state: MatchState | 'discarded' },
) {
  const { rows } = await sql<{ id: number; version: number; amount: number; school: number | null }>`
    select l.id, l.version, l.amount, l.guess_school_id as school from bank_lines l
    where ${within(query)} and ${inView(query.state)} and ${searched(query.search)}
      and ${isAssigned(scope, 'bank-line', 'l.id', query.assigned)} and l.books_at is null
    order by l.day, l.id limit 10000`.execute(db)
  return {
    lines: rows.map(({ id, version }) => ({ id, version })),
    amount: rupeesOf(rows.reduce((sum, { amount }) => sum + amount, 0)),
    schools: new Set(rows.map(({ school }) => school)).size,
  }
}

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
  assignee: Assignee
}

/** All matching bank lines in list order, with their outcome. */
export async function allBankLines(
  tx: ReadTx,
  scope: OfficeScope,
  query: Omit<LinesQuery, 'page'> & { state: BankView },
): Promise<BookedLine[]> {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  const { rows } = await sql<BookedLine>`
    select l.day, l.account_no as account, l.amount, l.utr, l.narration, coalesce(o.code, '') as code,
      coalesce(o.name, '') as school, l.to_payments as "toPayments", l.to_credit as "toCredit", l.reason,
      coalesce(d.name, '') as "decidedBy", l.decided_at as "decidedAt",
      coalesce((
        select string_agg(p.receipt_no, ', ' order by p.id)
        from bank_line_payments b join payments p on p.id = b.payment_id where b.line_id = l.id), '') as receipts,
      ${assigneeOf('bank-line', 'l.id')} as assignee
    from bank_lines l left join schools o on o.id = l.guess_school_id left join staff d on d.id = l.decided_by
    where ${within(query)} and ${inView(query.state)} and ${searched(query.search)}
      and ${isAssigned(scope, 'bank-line', 'l.id', query.assigned)}
    order by ${orderOf(query.state)}`.execute(tx)
  return rows.map((row) => ({
    ...row,
    amount: paise(row.amount),
    toPayments: paise(row.toPayments),
    toCredit: paise(row.toCredit),
  }))
}

/** Current and former bank accounts for schools' payments. */
async function bankAccounts(db: Db | Tx) {
  const rows = await db
    .selectFrom('bank_accounts')
    .select(['account_no as accountNo', 'bank_name as bankName'])
    .where('stopped_at', 'is', null)
    .orderBy('id')
    .execute()
  // One account may serve both fees and books.
  const accounts = new Map(rows.map((account) => [account.accountNo, account]))
  return [...accounts.values()]
}

export async function accountNumbers(db: Db | Tx): Promise<string[]> {
  return (await bankAccounts(db)).map(({ accountNo }) => accountNo)
}

/** The last fifty imported statements, newest first, and the possible accounts. */
export async function statementsOf(db: Db, scope: OfficeScope) {
  const rows = await db
    .selectFrom('bank_statements as s')
    .innerJoin('staff as o', 'o.id', 's.imported_by')
    .leftJoin('staff as r', 'r.id', 's.reconciled_by')
    .select(['s.id', 's.account_no as accountNo', 's.file_name as fileName', 's.first_day as firstDay'])
    .select(['s.last_day as lastDay', 's.lines', 's.fresh', 's.amount', 's.outgoing', 's.incoming'])
    .select([
      's.outgoing_amount as outgoingAmount',
      's.opening',
      's.closing',
      's.balances_read as balancesRead',
    ])
    .select(['o.name as importedBy', 's.imported_at', 'r.name as reconciler', 's.reconciled_at'])
    .select(
      sql<number>`(select count(*) from bank_lines l where l.statement_id = s.id and l.state = 'open')`.as(
        'waiting',
      ),
    )
    .orderBy('s.id', 'desc')
    .limit(50)
    .execute()
  return {
    data: rows.map(({ imported_at, reconciler, reconciled_at, ...row }) => ({
      ...row,
      amount: rupeesOf(row.amount),
      importedAt: imported_at.toISOString(),
      incoming: rupeesOrNull(row.incoming),
      outgoingAmount: rupeesOrNull(row.outgoingAmount),
      opening: rupeesOrNull(row.opening),
      closing: rupeesOrNull(row.closing),
      reconciledBy: reconciler ?? '',
      reconciledAt: reconciled_at?.toISOString() ?? null,
    })),
    accounts: await bankAccounts(db),
    can: {
      import: mayDo(scope.role, 'payments.decide') || 'access.denied',
      reopen: mayDo(scope.role, 'payments.reopen') || 'access.denied',
    },
  }
}
