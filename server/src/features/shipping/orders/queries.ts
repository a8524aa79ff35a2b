import { className } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import type { Season } from '@podium/contract/season'
import type {
  DueContents,
  DueItem,
  DueSchool,
  DueSort,
  officeSpares,
} from '@podium/contract/shipping/calls-orders'
import { type RawBuilder, sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, ReadTx, Tx } from '#platform/db/database'
import { hasWords, pageOf } from '#platform/db/list-queries'
import { notFound } from '#platform/errors'
import { booksPaid } from '#platform/paid-students'
import { classPlace, inKindOrder, kindName } from '../packets/rules.ts'
import { awardRights, dueChildren, packedAwards } from '../queries.ts'

export const pageSize = 50

/** Filters lines by subject, class and kind. Empty: all. */
export type LineFilter = { letter: string; classId: string; kind: string }

export type DueQuery = LineFilter & {
  FYear: Season
  contents: DueContents
  search: string
  state: string
  district: string
  show: 'due' | 'all' | 'extra'
  sort: DueSort
}

/** Conditions on `dispatch_needs n` and its `events e`. */
export function lineConditions({ letter, classId, kind }: LineFilter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  if (letter !== '') conditions.push(sql`e.letter = ${letter}`)
  if (classId !== '') conditions.push(sql`n.class_id = ${Number(classId)}`)
  if (kind !== '') conditions.push(sql`n.kind = ${kind}`)
  return conditions
}

/** Conditions on `schools o`: all words of the search, and the place. */
export function schoolConditions(query: { search: string; state: string; district?: string }) {
  const conditions: RawBuilder<unknown>[] = []
  if (query.state !== '') conditions.push(sql`o.state = ${query.state}`)
  if (query.district) conditions.push(sql`o.district = ${query.district}`)
  if (query.search !== '') conditions.push(hasWords(query.search, sql`o.search_key`))
  return conditions
}

export const all = (conditions: readonly RawBuilder<unknown>[]) =>
  conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `)

/** The single filter on lines, as named in dispatch_parts; undefined for none or several. */
function partOf({ letter, classId, kind }: LineFilter): string | undefined {
  const parts = [
    letter === '' ? [] : `letter:${letter}`,
    classId === '' ? [] : `class:${classId}`,
    kind === '' ? [] : `kind:${kind}`,
  ].flat()
  return parts.length === 1 ? parts[0] : undefined
}

const unfiltered = ({ letter, classId, kind }: LineFilter) => letter === '' && classId === '' && kind === ''

/** SQL: one row for each school, from stored sums or, with several filters on lines, from its lines. */
function sumsOf(query: DueQuery): RawBuilder<unknown> {
  const { FYear, contents } = query
  const part = partOf(query)
  const figures = sql`n.school_id, n.wanted, n.packed, n.due, n.spare, n.extra`
  if (unfiltered(query))
    return sql`select ${figures} from dispatch_sums n where n.season = ${FYear} and n.contents = ${contents}`
  if (part !== undefined)
    return sql`select ${figures} from dispatch_parts n
      where n.season = ${FYear} and n.contents = ${contents} and n.part = ${part}`
  return sql`select n.school_id, sum(n.wanted) as wanted, sum(n.packed) as packed, sum(n.due) as due,
      sum(n.spare) as spare, sum(n.extra) as extra
    from dispatch_needs n join events e on e.id = n.event_id
    where n.season = ${FYear} and n.contents = ${contents} and ${all(lineConditions(query))}
    group by n.school_id`
}

/** SQL conditions for the schools or lines to show. */
const shown: Record<DueQuery['show'], RawBuilder<unknown>> = {
  due: sql`n.due > 0`,
  all: sql`n.wanted > 0`,
  extra: sql`n.extra > 0`,
}

const orders: Record<DueSort, RawBuilder<unknown>> = {
  name: sql`o.name_key, o.id`,
  // Names and places are folded or plain text, so sorting by bytes is correct and much faster.
  copies: sql`n.due desc, o.name_key collate "C", o.id`,
  place: sql`o.state collate "C", o.city collate "C", o.name_key collate "C", o.id`,
}

const fromSchools = (query: DueQuery) => sql`
  from (${sumsOf(query)}) n join schools o on o.id = n.school_id
  where ${shown[query.show]} and ${all(schoolConditions(query))}`

interface Sums {
  schools: number
  wanted: number
  packed: number
  due: number
  spare: number
  extra: number
}
const noSums: Sums = { schools: 0, wanted: 0, packed: 0, due: 0, spare: 0, extra: 0 }

async function dueSums(db: Db | Tx, query: DueQuery): Promise<Sums> {
  const { rows } = await sql<Sums>`
    select count(*)::int as schools, coalesce(sum(n.wanted), 0)::int as wanted,
      coalesce(sum(n.packed), 0)::int as packed, coalesce(sum(n.due), 0)::int as due,
      coalesce(sum(n.spare), 0)::int as spare, coalesce(sum(n.extra), 0)::int
      as extra ${fromSchools(query)}`.execute(db)
  return rows[0] ?? noSums
}

/** With more matching schools than this, a page is read along the sort index; with fewer, they are found first and then sorted. */
const few = 5_000

/** One page of schools with something to ship, and the totals of all of them. */
export async function dueSchools(db: Db, _scope: OfficeScope, query: DueQuery & { page: number }) {
  const sums = await dueSums(db, query)
  const foundFirst = sums.schools > few ? sql`not materialized` : sql`materialized`
  const { rows } = await sql<DueSchool>`
    with due as ${foundFirst} (
      select n.school_id, n.wanted, n.packed, n.due, n.spare, n.extra ${fromSchools(query)})
    select o.id as "schoolId", o.code as "schCode", o.name as "schName", o.city, o.state, o.active,
      n.wanted::int as wanted, n.packed::int as packed, n.due::int as due, n.spare::int as spare, n.extra::int as extra
    from due n join schools o on o.id = n.school_id
    order by ${orders[query.sort]} ${pageOf(query.page, pageSize)}`.execute(db)
  return { data: rows, total: sums.schools, pageSize, sums }
}

/** Ids of all active schools that match the filters. */
export async function dueSchoolIds(db: Db, query: DueQuery): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.id ${fromSchools({ ...query, show: 'due' })} and o.active order by ${orders.name}`.execute(db)
  return rows.map((row) => row.id)
}

type ItemRow = Omit<DueItem, 'className' | 'bookCategory'> & { position: number; level: number }

function itemOf({ position: _, level: __, ...row }: ItemRow): DueItem {
  return { ...row, className: className(row.classId), bookCategory: kindName(row.kind) }
}

const inOrder = (a: ItemRow, b: ItemRow) =>
  a.position - b.position ||
  a.level - b.level ||
  classPlace(a.classId) - classPlace(b.classId) ||
  inKindOrder(a.kind, b.kind)

const itemColumns = sql`
  e.id as "eventYearId", e.letter as "eventLetter", u.name as "subjectName", u.position, e.level,
  n.class_id as "classId", n.kind`

const item = sql`n.event_id, n.class_id, n.kind`

/** SQL: totals of all schools by item (`event_id, class_id, kind`), from a log of differences (commands-needs.ts). */
const cachedItems = (query: DueQuery) => {
  const figures =
    query.show === 'due'
      ? sql`sum(n.schools_due) as schools, sum(n.wanted_due) as wanted, sum(n.packed_due) as packed, sum(n.due) as due,
          sum(n.spare_due) as spare, sum(n.extra) as extra`
      : sql`sum(n.schools) as schools, sum(n.wanted) as wanted, sum(n.packed) as packed, sum(n.due) as due,
          sum(n.spare) as spare, sum(n.extra) as extra`
  return sql`
    select ${item}, ${figures} from dispatch_items n join events e on e.id = n.event_id
    where n.season = ${query.FYear} and n.contents = ${query.contents} and ${all(lineConditions(query))}
    group by ${item} having ${query.show === 'due' ? sql`sum(n.due)` : sql`sum(n.wanted)`} > 0`
}

/** The same for the lines of some schools. */
const countedItems = (query: DueQuery, lines: RawBuilder<unknown>, schools: RawBuilder<unknown>) => sql`
  select ${item}, count(*) as schools, sum(n.wanted) as wanted, sum(n.packed) as packed, sum(n.due) as due,
    sum(n.spare) as spare, sum(n.extra) as extra
  from dispatch_needs n join events e on e.id = n.event_id join schools o on o.id = n.school_id
  where n.season = ${query.FYear} and n.contents = ${query.contents} and ${lines}
    and ${all(lineConditions(query))} and ${schools}
  group by ${item}`

/**
 * SQL: totals for a selection of most schools, computed as the totals of all minus those of the others, so that fewer lines
 * are added up. The stored sums also include copies packed but not needed, and excess in hidden lines; these have an index
 * of their own and are subtracted or counted separately.
 */
const itemsWithoutOthers = (query: DueQuery, schools: RawBuilder<unknown>) => {
  const unwanted = query.show === 'due' ? sql`false` : sql`n.wanted = 0`
  const minus = (figure: RawBuilder<unknown>) => sql`n.${figure} - coalesce(x.${figure}, 0)`
  return sql`
    select ${item}, ${minus(sql`schools`)} as schools, ${minus(sql`wanted`)} as wanted,
      ${minus(sql`packed`)} - coalesce(w.packed, 0) as packed, ${minus(sql`due`)} as due, ${minus(sql`spare`)} as spare,
      coalesce(m.extra, 0) as extra
    from (${cachedItems(query)}) n
      left join (${countedItems(query, shown[query.show], sql`not (${schools})`)}) x using (event_id, class_id, kind)
      left join (${countedItems(query, unwanted, sql`true`)}) w using (event_id, class_id, kind)
      left join (${countedItems(query, sql`n.extra > 0 and ${shown[query.show]}`, schools)}) m using (event_id, class_id, kind)
    where n.schools > coalesce(x.schools, 0)`
}

async function isMajority(db: Db, schools: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ majority: boolean }>`
    select 2 * count(*) filter (where ${schools}) > count(*) as majority from schools o`.execute(db)
  return rows[0]?.majority === true
}

/** What must be shipped, by subject, class and kind. */
export async function dueItems(db: Db, _scope: OfficeScope, query: DueQuery) {
  const conditions = schoolConditions(query)
  const schools = all(conditions)
  const cached = query.show !== 'extra'
  const items =
    cached && conditions.length === 0
      ? cachedItems(query)
      : cached && (await isMajority(db, schools))
        ? itemsWithoutOthers(query, schools)
        : countedItems(query, shown[query.show], schools)
  const { rows } = await sql<ItemRow>`
    select ${itemColumns}, n.schools::int as schools, n.wanted::int as wanted, n.packed::int as packed, n.due::int as due,
      n.spare::int as spare, n.extra::int as extra
    from (${items}) n join events e on e.id = n.event_id join subjects u on u.letter = e.letter`.execute(db)
  return { data: rows.toSorted(inOrder).map(itemOf), sums: await dueSums(db, query) }
}

/** What one school must get, by line, and the address for its parcels. */
export async function dueOfSchool(
  db: Db,
  _scope: OfficeScope,
  query: { FYear: Season; contents: DueContents; schoolId: number },
) {
  const school = await db
    .selectFrom('schools')
    .select(['id', 'code', 'name', 'address', 'city', 'state', 'pin_code'])
    .where('id', '=', query.schoolId)
    .executeTakeFirstOrThrow(notFound)
  const { rows } = await sql<ItemRow>`
    select ${itemColumns}, 1 as schools, n.wanted, n.packed, n.due, n.spare, n.extra
    from dispatch_needs n join events e on e.id = n.event_id join subjects u on u.letter = e.letter
    where n.school_id = ${query.schoolId} and n.season = ${query.FYear}
    and n.contents = ${query.contents}`.execute(db)
  const { id: schoolId, code: schCode, name: schName } = school
  const address = `${school.address}, ${school.city}, ${school.state} ${school.pin_code}`
  return {
    school: { schoolId, schCode, schName, address },
    data: rows.toSorted(inOrder).map(itemOf),
    children: query.contents === 'awards' ? await dueChildren(db, schoolId, query.FYear) : [],
  }
}

/** A line of the export: what one school must get of one item. */
export type DueLine = ItemRow &
  Pick<DueSchool, 'schCode' | 'schName' | 'city' | 'state'> & { district: string; pinCode: string }

/** All lines of all schools that match the filters, school by school. Runs in a transaction limited to 30 s. */
export async function everyDueLine(tx: ReadTx, _scope: OfficeScope, query: DueQuery): Promise<DueLine[]> {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  const conditions = [shown[query.show], ...lineConditions(query), ...schoolConditions(query)]
  const { rows } = await sql<DueLine>`
    select ${itemColumns}, o.code as "schCode", o.name as "schName", o.city, o.state, o.district,
      o.pin_code as "pinCode", 1 as schools, n.wanted, n.packed, n.due, n.spare, n.extra
    from dispatch_needs n join events e on e.id = n.event_id join subjects u on u.letter = e.letter
      join schools o on o.id = n.school_id
    where n.season = ${query.FYear} and n.contents = ${query.contents} and ${all(conditions)}
    order by o.state, o.name_key, o.id, u.position, e.level, n.class_id, n.kind`.execute(tx)
  return rows
}

/** The rule for spare papers of a season: its own, the newest earlier season's, or none. */
export async function readSpares(db: Db | Tx, season: Season): Promise<AnswerOf<typeof officeSpares>> {
  const row = await db
    .selectFrom('dispatch_spares')
    .select(['season', 'percent', 'minimum', 'version'])
    .where('season', '<=', season)
    .orderBy('season', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return { rule: { percent: 0, minimum: 0 }, setFor: null, version: 0 }
  const { percent, minimum } = row
  return { rule: { percent, minimum }, setFor: row.season, version: row.season === season ? row.version : 0 }
}

/** SQL: the rule for spare papers of the season of `p`: its own or the newest earlier season's. */
const spareRule = sql`
  left join lateral (
    select r.percent, r.minimum from dispatch_spares r where r.season <= p.season order by r.season desc limit 1) r on true`

const books = sql`
  select s.school_id, s.season, 'books' as contents, b.event_id, b.class_id, b.kind, count(*)::int as wanted, 0 as spare
  from places p join students s on s.school_id = p.school_id and s.season = p.season and s.active
    join book_choices b on b.student_id = s.id
  where ${booksPaid('s')}
  group by s.school_id, s.season, b.event_id, b.class_id, b.kind
  union all
  select l.school_id, l.season, 'books', l.event_id, l.class_id, l.kind, sum(l.quantity)::int, 0
  from places p join library_lines l on l.school_id = p.school_id and l.season = p.season and l.active and l.paid
  group by l.school_id, l.season, l.event_id, l.class_id, l.kind`

const papers = sql`
  select n.school_id, n.season, 'papers', n.event_id, n.class_id, 'paper', n.children + n.spare, n.spare
  from (
    select s.school_id, s.season, n.event_id, n.class_id, count(*)::int as children,
      greatest(ceil(count(*) * coalesce(r.percent, 0) / 100.0), coalesce(r.minimum, 0))::int as spare
    from places p join students s on s.school_id = p.school_id and s.season = p.season and s.active and s.paid
      join enrolments n on n.student_id = s.id join events e on e.id = n.event_id and e.mode = 'Offline'
      ${spareRule}
    group by s.school_id, s.season, n.event_id, n.class_id, r.percent, r.minimum) n`

const packedIn = (parcels: RawBuilder<unknown>) => sql`
  select k.school_id, k.season, k.contents, l.event_id, l.class_id, l.kind, sum(l.quantity)::int as packed
  from places p join packets k on k.school_id = p.school_id and k.season = p.season and k.counts
    join packet_lines l on l.packet_id = k.id
  where k.contents in ('books', 'papers') and ${parcels}
  group by k.school_id, k.season, k.contents, l.event_id, l.class_id, l.kind`
const packed = packedIn(sql`true`)

const unpaidBooks = (packed: RawBuilder<unknown>) => sql`
  select school_id, season, event_id, class_id, kind
  from (select school_id, season, event_id, class_id, kind, wanted, 0 as packed from (${books}) w
    union all select school_id, season, event_id, class_id, kind, 0, packed from (${packed}) k where contents = 'books') sides
  group by school_id, season, event_id, class_id, kind having sum(packed) > sum(wanted)`

/** SQL: the lines of which the schools of `places` have more books in parcels than are paid now. */
export const overpackedBooks = unpaidBooks(packed)

/** SQL: those of which they have more books in parcels that have left the office. */
export const sentUnpaidBooks = unpaidBooks(
  packedIn(sql`k.status in ('Dispatched', 'In transit', 'Delivered')`),
)

/**
 * SQL: awards due. Medals are interchangeable: the number due is winners minus medals in parcels. All other awards are
 * personal: due if in no parcel, extra if in a parcel but no longer earned.
 */
const awards = sql`
  select school_id, season, 'awards' as contents, event_id, class_id, kind, wanted, wanted - due as packed, due, 0 as spare,
    boxed - (wanted - due) as extra
  from (
    select m.*, case when kind in ('gold', 'silver', 'bronze') then greatest(wanted - boxed, 0) else fresh end as due
    from (
      select school_id, season, event_id, class_id, kind, count(r.version)::int as wanted, count(b.at)::int as boxed,
        (count(*) filter (where b.at is null))::int as fresh
      from (${awardRights}) r
        full join (select b.*, 1 as at from (${packedAwards}) b) b
          using (school_id, season, event_id, class_id, kind, student_id, award_key)
      group by school_id, season, event_id, class_id, kind) m) d`

/**
 * SQL: what the schools of `places` (school_id, season) must get and have got, a row for each line: paid books of students,
 * paid library copies, question papers with spares, and awards.
 */
export const needsOfPlaces = sql`
  select school_id, season, contents, event_id, class_id, kind, wanted, packed, greatest(wanted - packed, 0) as due, spare,
    0 as extra
  from (
    select school_id, season, contents, event_id, class_id, kind, sum(wanted)::int as wanted, sum(packed)::int as packed,
      sum(spare)::int as spare
    from (select *, 0 as packed from (${books} union all ${papers}) w
      union all select school_id, season, contents, event_id, class_id, kind, 0, 0, packed from (${packed}) k) sides
    group by school_id, season, contents, event_id, class_id, kind) whole
  union all ${awards}`
