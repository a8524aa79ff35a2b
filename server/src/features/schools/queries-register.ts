import { bareMobile } from '@podium/contract/fields'
import { paise, rupees } from '@podium/contract/money'
import { foldName } from '@podium/contract/names'
import type { RegisterRow, SchoolSort } from '@podium/contract/schools-register'
import type { Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database'
import { mayDo } from '#platform/policy'
import type { OfficeScope } from '#platform/scope'
import { charges, uncovered } from '../payments/queries.ts'
import { dueLibraryLine } from '../payments/queries-library.ts'

export const pageSize = 50

export interface RegisterQuery {
  FYear: Season
  search: string
  state: string
  district: string
  standing: 'all' | 'active' | 'inactive'
  due: '' | 'open'
  staff: '' | 'some' | 'none'
  contacts: '' | 'waiting'
  sort: SchoolSort
}

/** The words that a school must have: of a number all its digits are one word, however it was written. */
export function searchWords(typed: string): string[] {
  if (/^[+\d\s().-]*\d[+\d\s().-]*$/.test(typed)) return [bareMobile(typed).replace(/\D/g, '')]
  return foldName(typed).split(' ').filter(Boolean)
}

function searched(typed: string): RawBuilder<unknown>[] {
  if (typed === '') return []
  const words = searchWords(typed)
  if (words.length === 0) return [sql`false`]
  // Folded words have no character that LIKE would take for a pattern.
  return words.map((word) => sql`o.search_key like ${`%${word}%`}`)
}

/** What the school owes in a season and has not sent, in paise. This and the following are of `schools o`. */
export const owed = (season: Season | RawBuilder<unknown>) => sql`(
  coalesce((
    select sum(c.gross - c.retained) from students s cross join ${charges}
    where s.school_id = o.id and s.season = ${season} and s.active and c.wanted and ${uncovered}), 0)
  + coalesce((
    select sum(l.quantity * (l.price - l.retained)) from library_lines l
    where l.school_id = o.id and l.season = ${season} and ${dueLibraryLine}), 0))`

const students = (season: Season) => sql`(
  select count(*) from students t where t.school_id = o.id and t.season = ${season} and t.active)`

const people = sql`(select count(*) from users u where u.school_id = o.id and u.disabled_at is null)`
const waiting = sql`(select count(*) from contacts k where k.school_id = o.id and k.confirmed_at is null)`

function wanted(query: RegisterQuery): RawBuilder<unknown> {
  const { search, state, district, standing, due, staff, contacts, FYear } = query
  const conditions = searched(search)
  if (state !== '') conditions.push(sql`o.state = ${state}`)
  if (district !== '') conditions.push(sql`o.district = ${district}`)
  if (standing !== 'all') conditions.push(sql`o.active = ${standing === 'active'}`)
  if (staff !== '') conditions.push(staff === 'some' ? sql`${people} > 0` : sql`${people} = 0`)
  if (contacts !== '') conditions.push(sql`${waiting} > 0`)
  if (due !== '') conditions.push(sql`${owed(FYear)} > 0`)
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

function orderOf({ sort, FYear }: RegisterQuery): RawBuilder<unknown> {
  if (sort === 'code') return sql`o.code`
  if (sort === 'city') return sql`o.city, o.name_key, o.id`
  if (sort === 'newest') return sql`o.id desc`
  if (sort === 'students') return sql`${students(FYear)} desc, o.name_key, o.id`
  return sort === 'due' ? sql`${owed(FYear)} desc, o.name_key, o.id` : sql`o.name_key, o.id`
}

interface Row extends Omit<RegisterRow, 'due'> {
  owed: number
  address: string
  pinCode: string
  email: string
  phone: string
  udiseCode: string
  affiliationNo: string
}

/** What the list shows of a school, and what its file has beside it. */
export type RegisterLine = Omit<Row, 'owed'> & { due: number | null }

const mayReadMoney = (scope: OfficeScope) => mayDo(scope.role, 'payments.read')

/** Who may not read payments can't find out by a filter or an order who owes what. */
function asked(scope: OfficeScope, query: RegisterQuery): RegisterQuery {
  if (mayReadMoney(scope)) return query
  return { ...query, due: '', sort: query.sort === 'due' ? 'name' : query.sort }
}

/** The figures are counted for the rows of the page alone: first the page, then what stands beside it. */
async function readRows(db: Db, scope: OfficeScope, query: RegisterQuery, page: RawBuilder<unknown>) {
  const money = mayReadMoney(scope)
  const order = orderOf(query)
  const { rows } = await sql<Row>`
    select o.id, o.code as "schCode", o.name as "schName", o.city, o.district, o.state, o.country, o.active,
      o.address, o.pin_code as "pinCode", o.email, o.phone, o.udise_code as "udiseCode",
      o.affiliation_no as "affiliationNo", ${people} as staff, ${students(query.FYear)} as students,
      ${waiting} as contacts, ${money ? owed(query.FYear) : sql`0`} as owed
    from (select o.* from schools o where ${wanted(query)} order by ${order} ${page}) o
    order by ${order}`.execute(db)
  return rows.map(
    ({ owed: due, ...row }): RegisterLine => ({ ...row, due: money ? rupees(paise(due)) : null }),
  )
}

/** One page of the register, and how many schools the filters leave. */
export async function schoolRegister(db: Db, scope: OfficeScope, query: RegisterQuery & { page: number }) {
  const own = asked(scope, query)
  const offset = (Math.max(1, query.page) - 1) * pageSize
  const data = await readRows(db, scope, own, sql`limit ${pageSize} offset ${offset}`)
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from schools o where ${wanted(own)}`.execute(db)
  return { data, total: rows[0]?.total ?? 0, pageSize }
}

/** All schools that the filters leave, in the order of the list. */
export function wholeRegister(db: Db, scope: OfficeScope, query: RegisterQuery): Promise<RegisterLine[]> {
  return readRows(db, scope, asked(scope, query), sql``)
}

/** Where there are schools: state, district and how many. */
export async function schoolPlaces(db: Db, _scope: OfficeScope) {
  const { rows } = await sql<{ state: string; district: string; schools: number }>`
    select state, district, count(*) as schools from schools group by state, district
    order by state, district`.execute(db)
  return rows
}
