import type { ParsedQuery } from '@podium/contract/endpoint'
import { rupeesOf } from '@podium/contract/money'
import type { officeSchools, RegisterRow, SchoolSort } from '@podium/contract/schools/calls-register'
import type { Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { usesCachedSums } from '#features/catalogue/seasons/queries'
import { charges, dueLibraryLine, notInPayment } from '#features/payments/queries'
import { hasFollowUp } from '#features/schools/notes/queries'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, ReadDb, ReadTx, Tx } from '#platform/db/database'
import { hasWords, pageOf } from '#platform/db/list-queries'

const pageSize = 50

export type RegisterQuery = Omit<ParsedQuery<typeof officeSchools>, 'page'>

function searched(typed: string): RawBuilder<unknown>[] {
  if (typed === '') return []
  // Code and name of a merged school find the remaining one.
  return [
    sql`(${hasWords(typed, sql`o.search_key`)} or o.id = any(array(
      select m.merged_into from schools m where m.merged_into is not null and ${hasWords(typed, sql`m.search_key`)})))`,
  ]
}

/** SQL: unpaid student fees of a season not covered by a payment, as rows `school_id, amount`. */
const dueOfStudents = (season: Season | RawBuilder<unknown>) => sql`
  select s.school_id, c.gross - c.retained as amount from students s cross join ${charges}
  where s.season = ${season} and s.active and c.wanted and ${notInPayment}`

/** The same of library orders. */
const dueOfLibrary = (season: Season | RawBuilder<unknown>) => sql`
  select l.school_id, l.quantity * (l.price - l.retained) as amount from library_lines l
  where l.season = ${season} and ${dueLibraryLine}`

/** SQL: what a student owes of one fee, not covered by a payment. Only computed for students who may owe it. */
const childOwes = (
  purpose: 'registration' | 'books',
  wanted: RawBuilder<unknown>,
  amount: RawBuilder<unknown>,
) =>
  sql`case when ${wanted} and not exists (
    select from payment_lines l where l.student_id = s.id and l.purpose = ${purpose} and l.live) then ${amount} else 0 end`

/** SQL: what school `o` owes for its students in a season, not covered by a payment, in paise; equals `dueOfStudents`. */
export const owedForStudents = (season: Season | RawBuilder<unknown>) => sql`
  coalesce((
    select sum(${childOwes('registration', sql`not s.paid`, sql`s.reg_amount - s.reg_retained`)}
      + ${childOwes('books', sql`s.book_count > 0`, sql`s.book_amount - s.book_retained`)})
    from students s
    where s.school_id = o.id and s.season = ${season} and s.active and (not s.paid or s.book_count > 0)), 0)`

/**
 * SQL: what school `o` owes in a season, not covered by a payment, in paise. For the few schools of a page, whose students
 * are read once; equals `dueOfStudents` plus `dueOfLibrary`.
 */
export const owed = (season: Season | RawBuilder<unknown>) => sql`(
  ${owedForStudents(season)} + coalesce((select sum(x.amount) from (${dueOfLibrary(season)} and l.school_id = o.id) x), 0))`

const students = (season: Season) => sql`(
  select count(*) from students t where t.school_id = o.id and t.season = ${season} and t.active)`
const people = sql`(select count(*) from users u where u.school_id = o.id and u.disabled_at is null)`
const waiting = sql`(select count(*) from contacts k where k.school_id = o.id and k.confirmed_at is null and k.active)`

/**
 * SQL: what each school owes in a season, not covered by a payment, in paise, and how much of it for its students:
 * `school_id, due, for_students`.
 */
export const duesBySchool = (season: Season) => sql`(
  select x.school_id, sum(x.amount) as due, sum(x.amount) filter (where x.of_student) as for_students
  from (
    select i.*, true as of_student from (${dueOfStudents(season)}) i
    union all select i.*, false from (${dueOfLibrary(season)}) i) x
  group by x.school_id)`

/** The same for all schools at once, as a join: computing it school by school takes minutes for many. */
const dues = (season: Season) => sql`left join ${duesBySchool(season)} d on d.school_id = o.id`
const heads = (season: Season) => sql`left join (
  select t.school_id, count(*) as students from students t where t.season = ${season} and t.active
  group by t.school_id) h on h.school_id = o.id`

const peopleOfAll = sql`left join (
  select u.school_id, count(*) as people from users u where u.disabled_at is null
  group by u.school_id) p on p.school_id = o.id`
const waitingOfAll = sql`left join (
  select k.school_id, count(*) as waiting from contacts k where k.confirmed_at is null and k.active
  group by k.school_id) w on w.school_id = o.id`

/** SQL: `schools o` with the joins that filters and order need. */
function sources({ due, sort, FYear }: RegisterQuery, cached: boolean): RawBuilder<unknown> {
  const needed: RawBuilder<unknown>[] = [sql`schools o`]
  const figures = (alias: string) =>
    sql`left join school_figures ${sql.ref(alias)} on ${sql.ref(`${alias}.season`)} = ${FYear} and ${sql.ref(`${alias}.school_id`)} = o.id`
  if (due !== '' || sort === 'due') needed.push(cached ? figures('d') : dues(FYear))
  if (sort === 'students') needed.push(cached ? figures('h') : heads(FYear))
  return sql.join(needed, sql` `)
}

function conditionsOf(query: RegisterQuery, now: Date): RawBuilder<unknown>[] {
  const { search, state, district, status, due, staff, contacts, followUp } = query
  const conditions = searched(search)
  if (state !== '') conditions.push(sql`o.state = ${state}`)
  if (district !== '') conditions.push(sql`o.district = ${district}`)
  if (status !== 'all') conditions.push(sql`o.active = ${status === 'active'}`)
  const somebody = sql`exists (select from users u where u.school_id = o.id and u.disabled_at is null)`
  if (staff !== '') conditions.push(staff === 'some' ? somebody : sql`not ${somebody}`)
  if (contacts !== '')
    conditions.push(
      sql`exists (select from contacts k where k.school_id = o.id and k.confirmed_at is null and k.active)`,
    )
  if (followUp !== '') conditions.push(hasFollowUp(followUp, now))
  if (due !== '') conditions.push(sql`d.due > 0`)
  return conditions
}

/** The sort orders: the columns they need, and the `order by`. */
const orders: Record<SchoolSort, { columns: RawBuilder<unknown>; by: RawBuilder<unknown> }> = {
  name: { columns: sql`o.id, o.name_key`, by: sql`f.name_key, f.id` },
  code: { columns: sql`o.id, o.code`, by: sql`f.code` },
  city: { columns: sql`o.id, o.city, o.name_key`, by: sql`f.city, f.name_key, f.id` },
  newest: { columns: sql`o.id`, by: sql`f.id desc` },
  students: {
    columns: sql`o.id, o.name_key, coalesce(h.students, 0) as students`,
    by: sql`f.students desc, f.name_key, f.id`,
  },
  due: { columns: sql`o.id, o.name_key, coalesce(d.due, 0) as due`, by: sql`f.due desc, f.name_key, f.id` },
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

/** A line of the list, with the extra columns of the export. */
export type RegisterLine = Omit<Row, 'owed'> & { due: number | null }

const mayReadMoney = (scope: OfficeScope) => mayDo(scope.role, 'payments.read')

/** Ignores filters and orders by amounts due for roles that may not read payments. */
function allowedQuery(scope: OfficeScope, query: RegisterQuery): RegisterQuery {
  if (mayReadMoney(scope)) return query
  return { ...query, due: '', sort: query.sort === 'due' ? 'name' : query.sort }
}

interface FoundSchool extends Row {
  total: number
}

/** The rows to read: one page, or all. */
type Part = { page: number } | 'whole'

/** SQL for the figures: school by school for a page, or all at once for the whole list. */
function figuresOf({ FYear }: RegisterQuery, part: Part, money: boolean) {
  if (part !== 'whole') {
    const due = money ? owed(FYear) : sql`0`
    return { joins: sql``, people, waiting, students: students(FYear), owed: due }
  }
  return {
    joins: sql`${heads(FYear)} ${peopleOfAll} ${waitingOfAll} ${money ? dues(FYear) : sql``}`,
    people: sql`coalesce(p.people, 0)`,
    waiting: sql`coalesce(w.waiting, 0)`,
    students: sql`coalesce(h.students, 0)`,
    owed: money ? sql`coalesce(d.due, 0)` : sql`0`,
  }
}

/**
 * The schools that match the filters, in order, and their number. With filters, or an order without an index, the ids are
 * found, counted and sorted first, and details are read only for the rows shown; otherwise the order's index gives the page
 * directly. In a large season, filters and orders by amount due or students use the last count; the figures shown are
 * always current.
 */
async function readRows(db: ReadDb, scope: OfficeScope, now: Date, query: RegisterQuery, part: Part) {
  const money = mayReadMoney(scope)
  const conditions = conditionsOf(query, now)
  // Merged schools are found through the remaining one.
  const where = sql.join([sql`o.merged_into is null`, ...conditions], sql` and `)
  const order = orders[query.sort]
  const figures = figuresOf(query, part, money)
  const limit = part === 'whole' ? sql`` : pageOf(part.page, pageSize)
  const sums = query.due !== '' || query.sort === 'due' || query.sort === 'students'
  const counted = sums || conditions.length > 0
  const from = sources(query, sums && (await usesCachedSums(db, query.FYear)))
  const { rows } = await sql<FoundSchool>`
    with found as ${counted ? sql`materialized` : sql`not materialized`} (
      select ${order.columns} from ${from} where ${where})
    select o.id, o.code as "schCode", o.name as "schName", o.city, o.district, o.state, o.country, o.active, o.version,
      o.address, o.pin_code as "pinCode", o.email, o.phone, o.udise_code as "udiseCode",
      o.affiliation_no as "affiliationNo", ${figures.people} as staff, ${figures.students} as students,
      ${figures.waiting} as contacts, ${figures.owed} as owed,
      ${counted ? sql`(select count(*) from found)` : sql`0`} as total
    from (select f.* from found f order by ${order.by} ${limit}) f join schools o on o.id = f.id ${figures.joins}
    order by ${order.by}`.execute(db)
  const counts = counted && (rows.length > 0 || part === 'whole' || part.page <= 1)
  const total = counts ? (rows[0]?.total ?? 0) : await countOf(db, from, where)
  const data = rows.map(
    ({ owed: due, total: _, ...row }): RegisterLine => ({ ...row, due: money ? rupeesOf(due) : null }),
  )
  return { data, total }
}

async function countOf(db: ReadDb, from: RawBuilder<unknown>, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from ${from} where ${where}`.execute(db)
  return rows[0]?.total ?? 0
}

/** One page of the register, and the number of matching schools. */
export async function schoolRegister(
  db: Db,
  scope: OfficeScope,
  now: Date,
  query: RegisterQuery & { page: number },
) {
  const found = await readRows(db, scope, now, allowedQuery(scope, query), { page: query.page })
  return { ...found, pageSize }
}

/**
 * All schools that match the filters, in list order. Slower than a page, so its transaction may take 30 s, without JIT, which
 * would cost more than it saves.
 */
export async function wholeRegister(
  tx: ReadTx,
  scope: OfficeScope,
  now: Date,
  query: RegisterQuery,
): Promise<RegisterLine[]> {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  await sql`set local jit = off`.execute(tx)
  return (await readRows(tx, scope, now, allowedQuery(scope, query), 'whole')).data
}

/** SQL: `from schools o … where …` for the schools that match the filters, unordered. */
export async function schoolsFound(
  db: Db | Tx,
  scope: OfficeScope,
  now: Date,
  filters: Omit<RegisterQuery, 'sort'>,
): Promise<RawBuilder<unknown>> {
  const query = allowedQuery(scope, { ...filters, sort: 'name' })
  const from = sources(query, query.due !== '' && (await usesCachedSums(db, query.FYear)))
  const where = sql.join([sql`o.merged_into is null`, ...conditionsOf(query, now)], sql` and `)
  return sql`from ${from} where ${where}`
}

/** The number of schools by state and district. */
export async function schoolPlaces(db: Db, _scope: OfficeScope) {
  const { rows } = await sql<{ state: string; district: string; schools: number }>`
    select state, district, count(*) as schools from schools where merged_into is null group by state, district
    order by state, district`.execute(db)
  return rows
}
