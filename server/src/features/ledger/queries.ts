import type { LedgerSort, OfficeLedgerRow, OfficeLedgerSums } from '@podium/contract/ledger/calls'
import { paise, rupees } from '@podium/contract/money'
import type { Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, ReadDb, ReadTx } from '#platform/db/database'
import { searchWords } from '#platform/db/search-words'

export const pageSize = 50

export interface LedgersQuery {
  FYear: Season
  search: string
  state: string
  standing: '' | 'owes' | 'verifying' | 'even' | 'credit'
  sort: LedgerSort
}

const standings: Record<LedgersQuery['standing'], RawBuilder<unknown>> = {
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

/** Schools of which anything is to be told in the season. */
const told = sql`(l.students, l.gross, l.paid, l.verifying, l.waived, l.moved, l.credit) <> (0, 0, 0, 0, 0, 0, 0)`

function wanted({ FYear, search, state, standing }: Omit<LedgersQuery, 'sort'>): RawBuilder<unknown> {
  const conditions = [sql`l.season = ${FYear}`, told, standings[standing]]
  if (state !== '') conditions.push(sql`o.state = ${state}`)
  if (search !== '') {
    const words = searchWords(search)
    if (words.length === 0) conditions.push(sql`false`)
    // Folded words have no character that LIKE would take for a pattern.
    for (const word of words) conditions.push(sql`o.search_key like ${`%${word}%`}`)
  }
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

/** Amounts in paise as the call answers them. */
function shown(row: Amounts): Omit<OfficeLedgerSums, 'students'> {
  const show = (amount: number) => rupees(paise(amount))
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

/** The ids of the schools that the filters leave. */
export const ledgerSchools = (query: Omit<LedgersQuery, 'sort'>): RawBuilder<unknown> => sql`
  select l.school_id from school_ledgers l join schools o on o.id = l.school_id where ${wanted(query)}`

interface Row extends Amounts {
  id: number
  code: string
  name: string
  city: string
  state: string
  students: number
}

async function read(db: ReadDb, query: LedgersQuery, limit: RawBuilder<unknown>): Promise<OfficeLedgerRow[]> {
  const { rows } = await sql<Row>`
    select o.id, o.code, o.name, o.city, o.state, l.students, l.gross, l.retained, l.paid, l.verifying, l.waived,
      l.moved, l.credit, l.balance
    from school_ledgers l join schools o on o.id = l.school_id
    where ${wanted(query)} order by ${orders[query.sort]} ${limit}`.execute(db)
  return rows.map((row) => ({
    schoolId: row.id,
    schCode: row.code,
    schName: row.name,
    city: row.city,
    state: row.state,
    students: row.students,
    ...shown(row),
  }))
}

const summed = sql.join(
  ['students', ...amountNames].map(
    (name) => sql`coalesce(sum(l.${sql.ref(name)}), 0)::bigint as ${sql.ref(name)}`,
  ),
)

/** One page of the ledger over all schools, how many the filters leave, and what all of those add up to. */
export async function ledgersPage(db: Db, _scope: OfficeScope, query: LedgersQuery & { page: number }) {
  const offset = (Math.max(1, query.page) - 1) * pageSize
  const data = await read(db, query, sql`limit ${pageSize} offset ${offset}`)
  const { rows } = await sql<Amounts & { total: number; students: number }>`
    select count(*) as total, ${summed} from school_ledgers l join schools o on o.id = l.school_id
    where ${wanted(query)}`.execute(db)
  const [found] = rows
  if (!found) throw new Error('sums always have a row')
  return { data, total: found.total, pageSize, sums: { students: found.students, ...shown(found) } }
}

/** All that the filters leave, in the order of the list. */
export async function allLedgers(
  tx: ReadTx,
  _scope: OfficeScope,
  query: LedgersQuery,
): Promise<OfficeLedgerRow[]> {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  return read(tx, query, sql``)
}
