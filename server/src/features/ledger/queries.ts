import type { ParsedQuery } from '@podium/contract/endpoint'
import type {
  LedgerSort,
  OfficeLedgerRow,
  OfficeLedgerSums,
  officeLedger,
} from '@podium/contract/ledger/calls'
import type { LedgerRow, SeasonFigures } from '@podium/contract/ledger/calls-statement'
import { rupeesOf } from '@podium/contract/money'
import { type Purpose, paymentForOf, purposes } from '@podium/contract/payments/rules'
import type { Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import type { OfficeScope, SchoolAccess } from '#platform/auth/scope'
import type { Db, ReadDb, ReadTx } from '#platform/db/database'
import { hasWords, pageOf } from '#platform/db/list-queries'

/** One fee of one subject; amounts in paise. */
export interface LedgerLine {
  purpose: Purpose
  letter: string
  subject: string
  /** Late fees, from which the school keeps no share */
  late: boolean
  heads: number
  paid: number
  share_from: number
  share_to: number
  gross: number
  retained: number
}

/** SQL: fees already paid stay charged when a student is cancelled; the account has a credit against them. */
export const stillCharged = (purpose: Purpose) => sql`exists (
  select from payment_lines l where l.student_id = s.id and l.purpose = ${purpose} and l.live)`

/**
 * SQL: everything charged, as rows `purpose, event_id, season, heads, paid, fee, retained, late`: entries, late fees, books
 * and library copies. A new kind of fee is one more of these.
 */
const charged = (scope: SchoolAccess): RawBuilder<unknown> => sql`(
  select 'registration' as purpose, e.event_id, s.season, 1 as heads, s.paid, e.fee - e.late_fee as fee, e.retained, false as late
  from enrolments e join students s on s.id = e.student_id
  where s.school_id = ${scope.schoolId} and (s.active or ${stillCharged('registration')})
  union all
  select 'registration', e.event_id, s.season, 1, s.paid, e.late_fee, 0, true
  from enrolments e join students s on s.id = e.student_id
  where s.school_id = ${scope.schoolId} and e.late_fee > 0 and (s.active or ${stillCharged('registration')})
  union all
  select 'books', b.event_id, s.season, 1, exists (
    select from payment_lines l join payments p on p.id = l.payment_id
    where l.student_id = s.id and l.purpose = 'books' and l.live and p.state = 'verified'), b.price, b.retained, false
  from book_choices b join students s on s.id = b.student_id
  where s.school_id = ${scope.schoolId} and (s.active or ${stillCharged('books')})
  union all
  select 'library', l.event_id, l.season, l.quantity, l.paid, l.price, l.retained, false
  from library_lines l where l.school_id = ${scope.schoolId} and l.active)`

/** What the school collects, keeps and owes in a season, by fee and subject, in catalogue order. */
export async function ledgerLines(db: Db, scope: SchoolAccess, season: Season): Promise<LedgerLine[]> {
  const { rows } = await sql<LedgerLine>`
    select c.purpose, sub.letter, sub.name as subject, c.late, sum(c.heads) as heads,
      coalesce(sum(c.heads) filter (where c.paid), 0) as paid, min(c.retained) as share_from,
      max(c.retained) as share_to, sum(c.heads * c.fee) as gross, sum(c.heads * c.retained) as retained
    from ${charged(scope)} c join events ev on ev.id = c.event_id join subjects sub on sub.letter = ev.letter
    where c.season = ${season}
    group by c.purpose, c.late, sub.letter, sub.name, sub.position
    order by array_position(${purposes as readonly string[]}::text[], c.purpose),
      c.late, sub.position`.execute(db)
  return rows
}

interface SeasonLine {
  season: string
  gross: number
  retained: number
}

/** The same by season, newest first. */
async function seasonLines(db: Db, scope: SchoolAccess): Promise<SeasonLine[]> {
  const { rows } = await sql<SeasonLine>`
    select c.season, sum(c.heads * c.fee) as gross, sum(c.heads * c.retained) as retained
    from ${charged(scope)} c group by c.season order by c.season desc`.execute(db)
  return rows
}

const figuresOf = ({ gross, retained }: { gross: number; retained: number }) => ({
  gross: rupeesOf(gross),
  retained: rupeesOf(retained),
  payable: rupeesOf(gross - retained),
})

/** The ledger as answered by the call, in rupees. */
export async function ledgerAnswer(db: Db, scope: SchoolAccess, season: Season) {
  const lines = await ledgerLines(db, scope, season)
  const data: LedgerRow[] = lines.map((line) => ({
    paymentFor: paymentForOf(line.purpose),
    eventLetter: line.letter,
    subjectName: line.subject,
    late: line.late,
    heads: line.heads,
    paidHeads: line.paid,
    shareFrom: rupeesOf(line.share_from),
    shareTo: rupeesOf(line.share_to),
    ...figuresOf(line),
  }))
  const sum = (of: (line: LedgerLine) => number) => lines.reduce((total, line) => total + of(line), 0)
  const totals = figuresOf({ gross: sum((line) => line.gross), retained: sum((line) => line.retained) })
  const seasons: SeasonFigures[] = (await seasonLines(db, scope)).map((line) => ({
    season: line.season,
    ...figuresOf(line),
  }))
  return { data, totals, seasons }
}

export const pageSize = 50

export type LedgersQuery = Omit<ParsedQuery<typeof officeLedger>, 'page'>

const statusConditions: Record<LedgersQuery['status'], RawBuilder<unknown>> = {
  '': sql`true`,
  owes: sql`l.balance > 0`,
  verifying: sql`l.verifying > 0`,
  even: sql`l.balance = 0`,
  credit: sql`l.balance < 0`,
}

const orders: Record<LedgerSort, RawBuilder<unknown>> = {
  name: sql`o.name_key, o.id`,
  code: sql`o.code`,
  gross: sql`l.gross desc, o.name_key, o.id`,
  retained: sql`l.retained desc, o.name_key, o.id`,
  paid: sql`l.paid desc, o.name_key, o.id`,
  balance: sql`l.balance desc, o.name_key, o.id`,
}

/** SQL: schools with any figure in the season. */
const hasFigures = sql`(l.students, l.gross, l.paid, l.verifying, l.waived, l.moved, l.credit) <> (0, 0, 0, 0, 0, 0, 0)`

function matching({ FYear, search, state, status }: Omit<LedgersQuery, 'sort'>): RawBuilder<unknown> {
  const conditions = [sql`l.season = ${FYear}`, hasFigures, statusConditions[status]]
  if (state !== '') conditions.push(sql`o.state = ${state}`)
  if (search !== '') conditions.push(hasWords(search, sql`o.search_key`))
  return sql.join(conditions, sql` and `)
}

const amountNames = [
  'gross',
  'retained',
  'paid',
  'verifying',
  'waived',
  'moved',
  'credit',
  'balance',
] as const
type Amounts = Record<(typeof amountNames)[number], number>

/** Converts amounts from paise for the answer. */
function shown(row: Amounts): Omit<OfficeLedgerSums, 'students'> {
  const show = (amount: number) => rupeesOf(amount)
  return {
    gross: show(row.gross),
    retained: show(row.retained),
    payable: show(row.gross - row.retained),
    paid: show(row.paid),
    verifying: show(row.verifying),
    waived: show(row.waived),
    moved: show(row.moved),
    credit: show(row.credit),
    balance: show(row.balance),
  }
}

/** SQL: ids of the schools that match the filters. */
export const ledgerSchools = (query: Omit<LedgersQuery, 'sort'>): RawBuilder<unknown> => sql`
  select l.school_id from school_ledgers l join schools o on o.id = l.school_id where ${matching(query)}`

async function read(db: ReadDb, query: LedgersQuery, limit: RawBuilder<unknown>): Promise<OfficeLedgerRow[]> {
  const { rows } = await sql<Omit<OfficeLedgerRow, keyof OfficeLedgerSums> & Amounts & { students: number }>`
    select o.id as "schoolId", o.code as "schCode", o.name as "schName", o.city, o.state, l.students, l.gross,
      l.retained, l.paid, l.verifying, l.waived, l.moved, l.credit, l.balance
    from school_ledgers l join schools o on o.id = l.school_id
    where ${matching(query)} order by ${orders[query.sort]} ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, ...shown(row) }))
}

const summed = sql.join(
  ['students', ...amountNames].map(
    (name) => sql`coalesce(sum(l.${sql.ref(name)}), 0)::bigint as ${sql.ref(name)}`,
  ),
)

/** One page of the ledger of all schools, the number that match the filters, and their totals. */
export async function ledgersPage(db: Db, _scope: OfficeScope, query: LedgersQuery & { page: number }) {
  const data = await read(db, query, pageOf(query.page, pageSize))
  const { rows } = await sql<Amounts & { total: number; students: number }>`
    select count(*) as total, ${summed} from school_ledgers l join schools o on o.id = l.school_id
    where ${matching(query)}`.execute(db)
  const [found] = rows
  if (!found) throw new Error('sums always have a row')
  return { data, total: found.total, pageSize, sums: { students: found.students, ...shown(found) } }
}

/** All rows that match the filters, in list order. */
export async function allLedgers(
  tx: ReadTx,
  _scope: OfficeScope,
  query: LedgersQuery,
): Promise<OfficeLedgerRow[]> {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  return read(tx, query, sql``)
}
