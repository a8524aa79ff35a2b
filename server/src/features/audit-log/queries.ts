import type { AuditLine, ChangeRow, changeList } from '@podium/contract/audit-log/calls'
import type { ParsedQuery } from '@podium/contract/endpoint'
import { addDays, startOfDay } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { mayDo, type Permission } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, ReadDb, ReadTx } from '#platform/db/database'
import { containing, instant, pageOf } from '#platform/db/list-queries'
import { firstRow } from '#platform/db/rows'
import type { JsonValue } from '#platform/db/schema.generated'
import { Refusal } from '#platform/errors'
import * as rules from './rules.ts'
import { describeChange, isAmount, type NameOf, namesIn } from './rules-words.ts'

const eventName = sql`u.name || case when e.level > 1 then ' ' || e.level else '' end || ', ' || e.season`
const ofEvent = sql`join events e on e.id = x.event_id join subjects u on u.letter = e.letter`

/** The table and name column of each kind of record `x`. */
const sources: Record<Exclude<rules.Entity, 'subject'>, RawBuilder<unknown>> = {
  user: sql`x.name from users x`,
  staff: sql`x.name from staff x`,
  school: sql`x.code || ' ' || x.name from schools x`,
  student: sql`x.name from students x`,
  event: sql`u.name || case when x.level > 1 then ' ' || x.level else '' end || ', ' || x.season
    from events x join subjects u on u.letter = x.letter`,
  result_set: sql`${eventName} || ' (' || x.version || ')' from result_sets x ${ofEvent}`,
  participation: sql`${eventName} from participations x ${ofEvent}`,
  slot: sql`${eventName} from exam_slots x ${ofEvent}`,
  designation: sql`x.name from designations x`,
  title: sql`x.name from titles x`,
  state: sql`x.name from states x`,
  zone: sql`x.name from zones x`,
  district: sql`x.name from districts x`,
  holiday: sql`x.name from holidays x`,
  payment: sql`x.reference from payments x`,
  'bank-line': sql`coalesce(nullif(x.utr, ''), left(x.narration, 40)) from bank_lines x`,
  'bank-statement': sql`x.file_name from bank_statements x`,
  'library-line': sql`u.name || ' × ' || x.quantity from library_lines x ${ofEvent}`,
  application: sql`x.school_name from applications x`,
  contact: sql`x.name from contacts x`,
  invitation: sql`x.name from school_invitations x`,
  courier: sql`x.name from couriers x`,
  notice: sql`x.title from notices x`,
  question: sql`left(x.question, 60) from teacher_questions x`,
  view: sql`x.name from saved_views x`,
}

/** Names that need a permission; other roles see only that there is one. */
const namePermissions: Partial<Record<rules.Entity, Permission>> = {
  payment: 'payments.read',
  'bank-line': 'payments.read',
  'bank-statement': 'payments.read',
  'library-line': 'payments.read',
}

const hidden = '•••'

/**
 * Looks up the names of records in one query, however many lines refer to them. A deleted record becomes `gone:` and its
 * id; names that the role may not read become dots.
 */
async function namesOf(
  db: ReadDb,
  scope: OfficeScope,
  wanted: Iterable<readonly [rules.Entity, string]>,
): Promise<NameOf> {
  const ids = new Map<rules.Entity, Set<string>>(rules.entities.map((entity) => [entity, new Set()]))
  for (const [entity, id] of wanted) ids.get(entity)?.add(id)
  const lookups = [...ids].filter(([, some]) => some.size > 0)
  const parts = lookups.flatMap(([entity, some]) => {
    const permission = namePermissions[entity]
    if (permission !== undefined && !mayDo(scope.role, permission)) return []
    if (entity === 'subject')
      return sql`select 'subject' as entity, x.letter as id, x.name from subjects x where x.letter = any(${[...some]}::text[])`
    const numbers = [...some].filter((id) => /^\d{1,15}$/.test(id)).map(Number)
    return sql`select ${entity}::text as entity, x.id::text as id, ${sources[entity]} where x.id = any(${numbers}::bigint[])`
  })
  if (parts.length === 0) return (entity) => (namePermissions[entity] === undefined ? undefined : hidden)
  const { rows } = await sql<{ entity: rules.Entity; id: string; name: string | null }>`
    select n.entity, n.id, n.name
    from (${sql.join(parts, sql` union all `)}) n (entity, id, name)`.execute(db)
  const names = new Map(rows.map(({ entity, id, name }) => [`${entity} ${id}`, name ?? '']))
  return (entity, id) => {
    const permission = namePermissions[entity]
    if (permission !== undefined && !mayDo(scope.role, permission)) return hidden
    return names.get(`${entity} ${id}`) ?? (entity === 'subject' ? undefined : `gone:${id}`)
  }
}

const linesAtOnce = 20

interface AuditRow extends Omit<AuditLine, 'changes' | 'subjectName'> {
  change: JsonValue
}

/** The visible columns of an audit line `a`. */
const lineColumns = sql`
  a.id, ${instant('a.at')} as at, a.actor_kind as "actorKind", a.actor_name as "actorName", a.acting_for as "actingFor", a.action,
  a.subject_kind as "subjectKind", a.subject_id as "subjectId", a.change`

/** The audit lines of the students of one import are shown as one line. */
const grouped = sql`a.action = 'student.imported'`
const sameStroke = sql`b.action = a.action and b.at = a.at and b.school_id is not distinct from a.school_id`

/** Only the newest line of such a group. */
const newestOfStroke = sql`not (${grouped} and exists (select from audit b where ${sameStroke} and b.id > a.id))`

/** How many lines a visible line represents; 1 if it was searched by its record. */
const times = (alone: RawBuilder<unknown> = sql`false`) => sql`
  case when ${grouped} and not (${alone}) then (select count(*) from audit b where ${sameStroke}) else 1 end as times`

/** Whether a role may read about records of a kind. */
const mayRead = (scope: OfficeScope, kind: string): boolean => mayDo(scope.role, rules.permissionOfKind(kind))

/** The owner reads every kind of line; other roles those of `kindPermissions`. */
const readsAll = (scope: OfficeScope): boolean => mayDo(scope.role, 'staff.manage')

/** The lines `a` that a role may read. A history shows nothing that the role may not read elsewhere. */
function readable(scope: OfficeScope): RawBuilder<unknown> {
  if (readsAll(scope)) return sql`true`
  const kinds = Object.entries(rules.kindPermissions)
    .filter(([, permission]) => mayDo(scope.role, permission))
    .map(([kind]) => kind)
  return sql`a.subject_kind = any(${kinds}::text[])`
}

/** The visible fields of a line: parents' details are masked, and amounts are only for roles that may read payments. */
function leavesFor(scope: OfficeScope, { subjectKind, action, change }: AuditRow): rules.Leaf[] {
  const leaves = rules.leavesOf(change)
  const ofMoney = ['students.read', 'schools.read', 'waivers.read'].includes(
    rules.permissionOfKind(subjectKind),
  )
  const shown =
    ofMoney && !mayDo(scope.role, 'payments.read') ? leaves.filter((leaf) => !isAmount(action, leaf)) : leaves
  return subjectKind === 'student' ? rules.masked(shown) : shown
}

/** Audit lines as a role may read them, with the names of the records they refer to. */
async function linesOf<Row extends AuditRow>(
  db: ReadDb,
  scope: OfficeScope,
  rows: readonly Row[],
): Promise<(Omit<Row, 'change'> & AuditLine)[]> {
  const entries = rows.map((row) => {
    const subject = rules.entityOfSubject(row.subjectKind, row.subjectId)
    return { row, subject, leaves: leavesFor(scope, row) }
  })
  const wanted = entries.flatMap(({ row, subject, leaves }) => [
    ...(subject ? [subject] : []),
    ...leaves.flatMap((leaf) => [...namesIn(row.action, leaf)]),
  ])
  const nameOf = await namesOf(db, scope, wanted)
  return entries.map(({ row: { change: _, ...line }, subject, leaves }) => ({
    ...line,
    subjectName: subject ? (nameOf(...subject) ?? '') : rules.ownName(line.subjectKind, line.subjectId),
    changes: (line.times ?? 1) > 1 ? [] : leaves.map((leaf) => describeChange(line.action, leaf, nameOf)),
  }))
}

/** The lines that match a condition, newest first, starting before a given line; the lines of an import grouped if asked for. */
async function linesWhere(
  db: Db,
  scope: OfficeScope,
  condition: RawBuilder<unknown>,
  before: number | undefined,
  group = false,
) {
  const from =
    before === undefined
      ? sql``
      : sql`and (a.at, a.id) < (select b.at, b.id from audit b where b.id = ${before})`
  const { rows } = await sql<AuditRow>`
    select ${lineColumns}${group ? sql`, ${times()}` : sql``} from audit a
    where ${condition} and ${readable(scope)} ${group ? sql`and ${newestOfStroke}` : sql``} ${from}
    order by a.at desc, a.id desc limit ${linesAtOnce + 1}`.execute(db)
  return { data: await linesOf(db, scope, rows.slice(0, linesAtOnce)), more: rows.length > linesAtOnce }
}

/** The history of one record. Refused if the role may not read records of its kind. */
export async function historyOf(
  db: Db,
  scope: OfficeScope,
  { kind, id, before }: { kind: string; id: string; before?: number | undefined },
) {
  if (!mayRead(scope, kind)) throw new Refusal('access.denied')
  return linesWhere(db, scope, sql`a.subject_kind = ${kind} and a.subject_id = ${id}`, before)
}

const pageSize = 50
/**
 * Up to this many lines are counted and paged, or of a search, and where imports may be among them, of which every student has
 * to be passed. Narrow the filters to see more.
 */
const maxCounted = 10_000
const maxFound = 1_000
const maxExported = 20_000

/** Search results: lines (one for each import) and lines of records with that name. Each part uses its own index. */
export interface SearchMatches {
  lines: RawBuilder<unknown>[]
  records: RawBuilder<unknown>[]
}

/** The lines that match filters and search. Takes the newest of each part of the search separately, because `or` would compute the words of every line again. */
function whereOf(
  filters: RawBuilder<unknown>,
  found: SearchMatches | undefined,
  { group = false, limit }: { group?: boolean; limit: number },
): RawBuilder<unknown> {
  const newest = group ? newestOfStroke : sql`true`
  if (found === undefined) return sql`${filters} and ${newest}`
  const parts = [...found.lines.map((part) => sql`${part} and ${newest}`), ...found.records]
  if (parts.length === 0) return sql`false`
  const hits = parts.map(
    (part) => sql`(
      select a.id from audit a where ${filters} and ${part} order by a.at desc, a.id desc limit ${limit + 1})`,
  )
  return sql`a.id = any(array(${sql.join(hits, sql` union all `)}))`
}

type ChangesQuery = Omit<ParsedQuery<typeof changeList>, 'page'>

/** Office and school users whose name contains the text, or whose e-mail equals it. Their lines are found by id, without reading all names. */
export async function peopleNamed(db: ReadDb, who: string): Promise<RawBuilder<unknown>> {
  const address = who.trim().toLowerCase()
  const pattern = containing(who)
  const { rows } = await sql<{ kind: 'office' | 'account'; id: number }>`
    (select 'office' as kind, id from staff where lower(name) like ${pattern} or email = ${address} limit 100)
    union all
    (select 'account', id from users
    where lower(name) like ${pattern} or email = ${address} limit 100)`.execute(db)
  const idsOf = (kind: string) => rows.filter((row) => row.kind === kind).map(({ id }) => id)
  return sql`(a.actor_kind = 'office' and a.actor_id = any(${idsOf('office')}::bigint[])
    or a.actor_kind = 'account' and a.actor_id = any(${idsOf('account')}::bigint[]))`
}

/** The lines of a school and of schools merged into it. */
async function schoolOf(db: ReadDb, code: string): Promise<RawBuilder<unknown>> {
  const school = await firstRow(db, 'schools', { code: code.toUpperCase() }, ['id'])
  if (!school) return sql`false`
  return sql`a.school_id = any(array(select o.id from schools o where o.id = ${school.id} or o.merged_into = ${school.id}))`
}

/** One action, or a group of actions if it ends with a full stop. */
const ofAction = (action: string): RawBuilder<unknown> =>
  action.endsWith('.') ? sql`a.action >= ${action} and a.action < ${`${action}~`}` : sql`a.action = ${action}`

/** Whether a role may read any line with these actions. Uses the index on actions, so only their lines are read. */
async function someReadable(db: ReadDb, scope: OfficeScope, action: string): Promise<boolean> {
  if (readsAll(scope)) return true
  const { rows } = await sql<{ some: boolean }>`
    select exists (
      select from (select a.subject_kind from audit a where ${ofAction(action)} offset 0) a
      where ${readable(scope)}) as some`.execute(db)
  return rows[0]?.some ?? false
}

async function conditionsOf(db: ReadDb, scope: OfficeScope, query: ChangesQuery) {
  const { who, by, action, kind, record, school, from, until } = query
  // Without this, a search in time order would read every line to find nothing.
  if (kind !== '' && !mayRead(scope, kind)) return sql`false`
  if (action !== '' && !(await someReadable(db, scope, action))) return sql`false`
  const all = [readable(scope)]
  if (who !== '') all.push(await peopleNamed(db, who))
  if (by !== '') all.push(sql`a.actor_kind = ${by}`)
  if (action !== '') all.push(ofAction(action))
  if (kind !== '') all.push(sql`a.subject_kind = ${kind}`)
  // The index on records starts with the kind: without one, every kind is searched.
  if (record !== '') all.push(sql`a.subject_id = ${record}`)
  if (record !== '' && kind === '')
    all.push(sql`a.subject_kind = any(${await known(db, 'subject_kind')}::text[])`)
  if (school !== '') all.push(await schoolOf(db, school))
  if (from !== '') all.push(sql`a.at >= ${startOfDay(from)}`)
  if (until !== '') all.push(sql`a.at < ${startOfDay(addDays(until, 1))}`)
  return sql.join(all, sql` and `)
}

interface FoundLine extends AuditRow {
  schoolId: number | null
  schCode: string
  schName: string
}

async function rowsOf(
  db: ReadDb,
  scope: OfficeScope,
  where: RawBuilder<unknown>,
  part: RawBuilder<unknown>,
  group: RawBuilder<unknown> = sql``,
): Promise<ChangeRow[]> {
  const { rows } = await sql<FoundLine>`
    select ${lineColumns}${group}, a.school_id as "schoolId", coalesce(c.code, '') as "schCode", coalesce(c.name, '') as "schName"
    from (select * from audit a where ${where} order by a.at desc, a.id desc ${part}) a
      left join schools c on c.id = a.school_id
    order by a.at desc, a.id desc`.execute(db)
  return linesOf(db, scope, rows)
}

/** One page of the activity log, and the total, counted up to a limit. */
export async function changesPage(
  db: Db,
  scope: OfficeScope,
  query: ChangesQuery & { page: number },
  found: SearchMatches | undefined,
) {
  // A filter for this action or for one record asks for every single line.
  const mayBeImport = query.action === '' || query.action === 'student.'
  const group = mayBeImport && ['', 'student'].includes(query.kind) && query.record === ''
  const limit = found || group ? maxFound : maxCounted
  const where = whereOf(await conditionsOf(db, scope, query), found, { group, limit })
  const page = Math.min(query.page, limit / pageSize)
  const alone = sql.join([sql`false`, ...(found?.records ?? [])], sql` or `)
  const data = await rowsOf(db, scope, where, pageOf(page, pageSize), group ? sql`, ${times(alone)}` : sql``)
  // From the newest on, where imports may be: in any other order each of a season's imported students may have to be passed.
  const order = group ? sql`order by a.at desc, a.id desc` : sql``
  const counted = await sql<{ n: number }>`
    select count(*) as n from (select from audit a where ${where} ${order} limit ${limit + 1}) x`.execute(db)
  const n = counted.rows[0]?.n ?? 0
  return { data, total: Math.min(n, limit), more: n > limit, pageSize }
}

/** All lines that match the filters, for export. Refused above `maxExported`. */
export async function changesOfFilters(
  tx: ReadTx,
  scope: OfficeScope,
  query: ChangesQuery,
  found: SearchMatches | undefined,
) {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  const where = whereOf(await conditionsOf(tx, scope, query), found, { limit: maxExported })
  const rows = await rowsOf(tx, scope, where, sql`limit ${maxExported + 1}`)
  if (rows.length > maxExported) throw new Refusal('changes.too_many')
  return rows
}

/** All actions and kinds that occur, read from the indexes with one lookup for each. */
export async function knownActions(db: Db, _scope: OfficeScope) {
  return { actions: await known(db, 'action'), kinds: await known(db, 'subject_kind') }
}

async function known(db: ReadDb, column: 'action' | 'subject_kind'): Promise<string[]> {
  const name = sql.ref(column)
  const { rows } = await sql<{ it: string }>`
    with recursive known(it) as (
      select min(${name}) from audit
      union all
      select (select min(${name}) from audit where ${name} > known.it) from known where known.it is not null)
    select it from known where it is not null`.execute(db)
  return rows.map(({ it }) => it)
}

/**
 * The history of a school, newest first, starting before a given line. Includes schools merged into it, whose lines keep
 * their original text.
 */
export function schoolHistory(db: Db, scope: OfficeScope, id: number, before: number | undefined) {
  return linesWhere(
    db,
    scope,
    sql`a.school_id = any(array(
    select o.id from schools o where o.id = ${id} or o.merged_into = ${id}))`,
    before,
    true,
  )
}
