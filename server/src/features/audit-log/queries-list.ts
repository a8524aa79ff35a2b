import type { ChangeRow } from '@podium/contract/audit-log/calls'
import { addDays, startOfDay } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, ReadDb, ReadTx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { type AuditRow, lineColumns, linesOf, mayRead, readable, readsAll } from './queries.ts'

export const pageSize = 50
/** What is counted and paged through; who wants more narrows the filters. */
export const mostCounted = 10_000
export const mostExported = 20_000

export interface ChangesAsked {
  who: string
  by: string
  action: string
  kind: string
  record: string
  school: string
  from: string
  until: string
}

/** People of a part of that name or of that whole e-mail, of the office and of schools: their lines are found by number, not by reading all names. */
async function peopleNamed(db: ReadDb, who: string): Promise<RawBuilder<unknown>> {
  const address = who.trim().toLowerCase()
  const pattern = `%${who.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await sql<{ kind: 'office' | 'account'; id: number }>`
    (select 'office' as kind, id from staff where lower(name) like ${pattern} or email = ${address} limit 100)
    union all
    (select 'account', id from users where lower(name) like ${pattern} or email = ${address} limit 100)`.execute(
    db,
  )
  const idsOf = (kind: string) => rows.filter((row) => row.kind === kind).map(({ id }) => id)
  return sql`(a.actor_kind = 'office' and a.actor_id = any(${idsOf('office')}::bigint[])
    or a.actor_kind = 'account' and a.actor_id = any(${idsOf('account')}::bigint[]))`
}

async function schoolOf(db: ReadDb, code: string): Promise<RawBuilder<unknown>> {
  const school = await db
    .selectFrom('schools')
    .select('id')
    .where('code', '=', code.toUpperCase())
    .executeTakeFirst()
  if (!school) return sql`false`
  return sql`a.school_id = any(array(select o.id from schools o where o.id = ${school.id} or o.merged_into = ${school.id}))`
}

/** One act, or a group of them where it ends with a point. */
const ofAction = (action: string): RawBuilder<unknown> =>
  action.endsWith('.') ? sql`a.action >= ${action} and a.action < ${`${action}~`}` : sql`a.action = ${action}`

/** Whether a role may read any line of these acts: looked for among their lines alone, by the index of acts. */
async function someReadable(db: ReadDb, scope: OfficeScope, action: string): Promise<boolean> {
  if (readsAll(scope)) return true
  const { rows } = await sql<{ some: boolean }>`
    select exists (
      select from (select a.subject_kind from audit a where ${ofAction(action)} offset 0) a
      where ${readable(scope)}) as some`.execute(db)
  return rows[0]?.some ?? false
}

async function conditionsOf(db: ReadDb, scope: OfficeScope, asked: ChangesAsked) {
  const { who, by, action, kind, record, school, from, until } = asked
  // Asked of all lines in the order of time, nothing would be found only after the last one was read.
  if (kind !== '' && !mayRead(scope, kind)) return sql`false`
  if (action !== '' && !(await someReadable(db, scope, action))) return sql`false`
  const all = [readable(scope)]
  if (who !== '') all.push(await peopleNamed(db, who))
  if (by !== '') all.push(sql`a.actor_kind = ${by}`)
  if (action !== '') all.push(ofAction(action))
  if (kind !== '') all.push(sql`a.subject_kind = ${kind}`)
  // The index of records begins with their kind: where none is asked for, each is looked for in every kind.
  if (record !== '') all.push(sql`a.subject_id = ${record}`)
  if (record !== '' && kind === '')
    all.push(sql`a.subject_kind = any(${await known(db, 'subject_kind')}::text[])`)
  if (school !== '') all.push(await schoolOf(db, school))
  if (from !== '') all.push(sql`a.at >= ${startOfDay(from)}`)
  if (until !== '') all.push(sql`a.at < ${startOfDay(addDays(until, 1))}`)
  return sql.join(all, sql` and `)
}

interface Found extends AuditRow {
  schoolId: number | null
  schCode: string
  schName: string
}

async function rowsOf(
  db: ReadDb,
  scope: OfficeScope,
  where: RawBuilder<unknown>,
  part: RawBuilder<unknown>,
): Promise<ChangeRow[]> {
  const { rows } = await sql<Found>`
    select ${lineColumns}, a.school_id as "schoolId", coalesce(c.code, '') as "schCode", coalesce(c.name, '') as "schName"
    from (select * from audit a where ${where} order by a.at desc, a.id desc ${part}) a
      left join schools c on c.id = a.school_id
    order by a.at desc, a.id desc`.execute(db)
  return linesOf(db, scope, rows)
}

/** One page of the record of changes, and how many there are: at most `mostCounted`, however many lie behind. */
export async function changesPage(db: Db, scope: OfficeScope, asked: ChangesAsked & { page: number }) {
  const where = await conditionsOf(db, scope, asked)
  const page = Math.min(Math.max(1, asked.page), mostCounted / pageSize)
  const data = await rowsOf(db, scope, where, sql`limit ${pageSize} offset ${(page - 1) * pageSize}`)
  const counted = await sql<{ n: number }>`
    select count(*) as n from (select from audit a where ${where} limit ${mostCounted + 1}) x`.execute(db)
  const n = counted.rows[0]?.n ?? 0
  return { data, total: Math.min(n, mostCounted), more: n > mostCounted, pageSize }
}

/** All changes that the filters leave, for a file; refused above `mostExported`. */
export async function changesOfFilters(tx: ReadTx, scope: OfficeScope, asked: ChangesAsked) {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  const where = await conditionsOf(tx, scope, asked)
  const rows = await rowsOf(tx, scope, where, sql`limit ${mostExported + 1}`)
  if (rows.length > mostExported) throw new Refusal('changes.too_many')
  return rows
}

/** What has ever been done and to what, read off the indexes: one look for each, not one for each line. */
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
