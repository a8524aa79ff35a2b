import { indiaId } from '@podium/contract/catalogue/calls-places'
import { messages } from '@podium/contract/messages'
import type { NoticeState, OfficeNotice, SchoolNotice } from '@podium/contract/notices/calls'
import { type NoticeFields, noticeRules } from '@podium/contract/notices/schemas'
import { istDay, type Season, seasonYear } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { audit } from '#platform/audit'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { containing, instant, pageOf } from '#platform/db/list-queries'
import { addedRow, changeRows, findRows, firstRow } from '#platform/db/rows'
import { orNotFound, Refusal, refuseField } from '#platform/errors'

interface NoticeInput extends NoticeFields {
  /** 0 for a new notice */
  id: number
  version?: number | undefined
}

/** Converts a notice's texts, days and audience to columns. Refuses inconsistent values at their fields. */
async function columnsOf(tx: Tx, now: Date, notice: NoticeFields) {
  const issues = noticeRules
    .filter((rule) => !rule.holds(notice))
    .map((rule) => ({ path: rule.field, message: rule.message }))
  if (issues.length > 0) throw new Refusal('input.invalid', { issues })
  if (notice.until < istDay(now)) throw refuseField('until', messages.noticeUntilOver)
  return {
    title: notice.title,
    body: notice.text,
    title_hi: notice.titleHi,
    body_hi: notice.textHi,
    important: notice.important,
    audience: notice.audience,
    states: JSON.stringify(await statesOf(tx, notice)),
    school_id: await schoolOf(tx, notice),
    shows_from: notice.from,
    shows_until: notice.until,
  }
}

async function statesOf(tx: Tx, notice: NoticeFields): Promise<string[]> {
  if (notice.audience !== 'state') return []
  const wanted = [...new Set(notice.states)]
  const known = await findRows(tx, 'states', { country_id: indiaId, name: wanted }, ['name'], { by: 'name' })
  if (known.length !== wanted.length) throw refuseField('states', messages.stateUnknown)
  return known.map((state) => state.name)
}

async function schoolOf(tx: Tx, notice: NoticeFields): Promise<number | null> {
  if (notice.audience !== 'school') return null
  const school = await firstRow(tx, 'schools', { code: notice.schCode.toUpperCase(), active: true }, ['id'])
  if (!school) throw refuseField('schCode', messages.noticeSchoolUnknown)
  return school.id
}

type Columns = Awaited<ReturnType<typeof columnsOf>>

async function write(tx: Tx, scope: OfficeScope, now: Date, columns: Columns): Promise<number> {
  const { id } = await addedRow(tx, 'notices', ['id'], {
    ...columns,
    created_by: scope.staffId,
    created_at: now,
    changed_by: scope.staffId,
    changed_at: now,
  })
  await audit(tx, now, scope, 'notice.written', { kind: 'notice', id }, { to: columns })
  return id
}

/** Locks a notice. Refuses an expired one, or one changed since `version`. */
async function lockOpen(tx: Tx, now: Date, id: number, version: number | undefined) {
  const { rows } = await sql<Columns & { version: number; revision: number; state: NoticeState }>`
    select n.title, n.body, n.title_hi, n.body_hi, n.important, n.audience, n.states, n.school_id, n.shows_from,
      n.shows_until, n.version, n.revision, ${stateAt(now)} as state
    from notices n where n.id = ${id} for update`.execute(tx)
  const notice = orNotFound(rows[0])
  if (notice.state === 'over') throw new Refusal('notices.over')
  if (notice.version !== version) throw new Refusal('changed_meanwhile')
  return notice
}

const words = ['title', 'body', 'title_hi', 'body_hi', 'important'] as const

/**
 * Creates a notice (id 0) or changes a live or planned one; returns its id. If its text or importance changes, it becomes
 * unread for everyone. Refuses fields, `notices.over`, `changed_meanwhile`, `not_found`.
 */
export async function saveNotice(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  notice: NoticeInput,
): Promise<number> {
  const before = notice.id === 0 ? undefined : await lockOpen(tx, now, notice.id, notice.version)
  const columns = await columnsOf(tx, now, notice)
  if (!before) return write(tx, scope, now, columns)
  const { version, revision, state: _, ...from } = before
  const reworded = words.some((column) => from[column] !== columns[column])
  await changeRows(tx, 'notices', {
    where: { id: notice.id },
    set: {
      ...columns,
      revision: reworded ? revision + 1 : revision,
      version: version + 1,
      changed_by: scope.staffId,
      changed_at: now,
    },
  })
  await audit(tx, now, scope, 'notice.changed', { kind: 'notice', id: notice.id }, { from, to: columns })
  return notice.id
}

/** Ends a notice now: a live one disappears, a planned one never appears. Same refusals as a change. */
export async function endNotice(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version }: { id: number; version: number },
): Promise<void> {
  const before = await lockOpen(tx, now, id, version)
  await changeRows(tx, 'notices', {
    where: { id },
    set: { ended_at: now, version: version + 1, changed_by: scope.staffId, changed_at: now },
  })
  const change = { from: before.state, to: 'over', until: before.shows_until }
  await audit(tx, now, scope, 'notice.ended', { kind: 'notice', id }, change)
}

/**
 * Records that the user has read a notice that is live for the school. Idempotent. The row itself holds who and when, so
 * there is no audit line.
 */
export async function readNotice(tx: Tx, scope: SchoolScope, now: Date, id: number): Promise<void> {
  const revision = orNotFound(await liveRevision(tx, scope, id, now))
  await sql`
    insert into notice_reads (notice_id, user_id, school_id, revision, read_at)
    values (${id}, ${scope.userId}, ${scope.schoolId}, ${revision}, ${now}::timestamptz)
    on conflict (notice_id, user_id) do update
      set revision = excluded.revision, school_id = excluded.school_id, read_at = excluded.read_at
      where notice_reads.revision < excluded.revision`.execute(tx)
}

const pageSize = 50

/** Whether a notice `n` is live, planned or over at an instant; its days are IST days. */
function stateAt(now: Date): RawBuilder<NoticeState> {
  const today = istDay(now)
  return sql<NoticeState>`case when n.ended_at is not null or n.shows_until < ${today}::date then 'over'
    when n.shows_from > ${today}::date then 'planned' else 'live' end`
}

/**
 * Whether notice `n` is for school `o`. States are Indian states: a province abroad may have the same name.
 */
const reaches = sql`(n.audience = 'all' or (n.audience = 'school' and n.school_id = o.id)
  or (n.audience = 'state' and o.country = 'India' and n.states @> to_jsonb(o.state)))`

/** The live notices of a school in the season, important ones first, then newest. */
export async function findSchoolNotices(
  db: Db,
  scope: SchoolScope,
  season: Season,
  now: Date,
): Promise<SchoolNotice[]> {
  const year = seasonYear(season)
  const { rows } = await sql<SchoolNotice>`
    select n.id, n.title, n.body as text, n.title_hi as "titleHi", n.body_hi as "textHi", n.important,
      n.shows_from as "from", n.shows_until as until, r.user_id is not null as read
    from notices n join schools o on o.id = ${scope.schoolId}
      left join notice_reads r on r.notice_id = n.id and r.user_id = ${scope.userId} and r.revision = n.revision
    where ${stateAt(now)} = 'live' and ${reaches}
      and n.shows_until >= ${`${year}-04-01`}::date and n.shows_from <= ${`${year + 1}-03-31`}::date
    order by n.important desc, n.shows_from desc, n.id desc`.execute(db)
  return rows
}

/** The current revision of a notice that is live for the school; otherwise undefined. */
async function liveRevision(tx: Tx, scope: SchoolScope, id: number, now: Date): Promise<number | undefined> {
  const { rows } = await sql<{ revision: number }>`
    select n.revision from notices n join schools o on o.id = ${scope.schoolId}
    where n.id = ${id} and ${stateAt(now)} = 'live' and ${reaches}`.execute(tx)
  return rows[0]?.revision
}

const orders: Record<NoticeState, RawBuilder<unknown>> = {
  live: sql`n.important desc, n.shows_from desc, n.id desc`,
  planned: sql`n.shows_from, n.id`,
  over: sql`coalesce((n.ended_at at time zone 'Asia/Kolkata')::date, n.shows_until) desc, n.id desc`,
}

/** How many active schools notice `n` reaches (see `reaches`), from `places`, where schools are counted once. */
const reached = sql`case n.audience when 'school' then (select count(*) from schools o where o.id = n.school_id and o.active)
  else (select coalesce(sum(p.schools), 0)::bigint from places p
    where n.audience = 'all' or (p.country = 'India' and n.states @> to_jsonb(p.state))) end`

interface NoticeQuery {
  state: NoticeState
  search: string
}

/** Matches part of the title or text in either language. */
function searched(search: string): RawBuilder<unknown> {
  if (search === '') return sql`true`
  const pattern = containing(search)
  return sql`lower(concat_ws(chr(10), n.title, n.body, n.title_hi, n.body_hi)) like ${pattern}`
}

async function noticesBy(
  db: Db | Tx,
  scope: OfficeScope,
  { state, search }: NoticeQuery,
  now: Date,
  window: RawBuilder<unknown>,
): Promise<OfficeNotice[]> {
  const { rows } = await sql<Omit<OfficeNotice, 'can'>>`
    with places as materialized (
      select o.country, o.state, count(*) as schools from schools o where o.active group by o.country, o.state)
    select n.id, n.title, n.body as text, n.title_hi as "titleHi", n.body_hi as "textHi", n.important, n.audience,
      n.states, coalesce(one.code, '') as "schCode", coalesce(one.name, '') as "schName", n.shows_from as "from",
      n.shows_until as until, ${stateAt(now)} as state, ${instant('n.ended_at')} as "endedAt",
      f.name as "changedBy", ${instant('n.changed_at')} as "changedAt", n.version, ${reached} as schools, done.schools as "schoolsRead"
    from notices n join staff f on f.id = n.changed_by left join schools one on one.id = n.school_id
      cross join lateral (
        select count(distinct o.id) as schools from notice_reads r join schools o on o.id = r.school_id
        where r.notice_id = n.id and r.revision = n.revision and o.active and ${reaches}) done
    where ${stateAt(now)} = ${state} and ${searched(search)} order by ${orders[state]} ${window}`.execute(db)
  return rows.map((row) => ({ ...row, can: { edit: allowed(scope, row.state) } }))
}

/** All notices with this status that match the search. */
export const allNotices = (tx: Tx, scope: OfficeScope, query: NoticeQuery, now: Date) =>
  noticesBy(tx, scope, query, now, sql``)

/** One page of notices with this status, and the count for each status. */
export async function listNotices(
  db: Db,
  scope: OfficeScope,
  query: NoticeQuery & { page: number },
  now: Date,
) {
  const { counts, fits } = await countStates(db, now, query.search)
  const data = await noticesBy(db, scope, query, now, pageOf(query.page, pageSize))
  return { data, total: fits[query.state], pageSize, counts }
}

function allowed(scope: OfficeScope, state: NoticeState): true | string {
  if (!mayDo(scope.role, 'notices.write')) return 'access.denied'
  return state !== 'over' || 'notices.over'
}

/** How many notices have each status, and how many of those match the search. */
async function countStates(db: Db, now: Date, search: string) {
  const { rows } = await sql<{ state: NoticeState; counts: number; fits: number }>`
    select ${stateAt(now)} as state, count(*) as counts, count(*) filter (where ${searched(search)}) as fits
    from notices n group by 1`.execute(db)
  const by = (what: 'counts' | 'fits'): Record<NoticeState, number> => {
    const of = (state: NoticeState) => rows.find((row) => row.state === state)?.[what] ?? 0
    return { live: of('live'), planned: of('planned'), over: of('over') }
  }
  return { counts: by('counts'), fits: by('fits') }
}
