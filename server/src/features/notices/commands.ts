import { indiaId } from '@podium/contract/catalogue/calls-places'
import { messages } from '@podium/contract/messages'
import type { NoticeState } from '@podium/contract/notices/calls'
import { type NoticeFields, noticeRules } from '@podium/contract/notices/schemas'
import { istDay } from '@podium/contract/season'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { liveRevision, stateAt } from './queries.ts'

interface Save extends NoticeFields {
  /** 0 for a new one */
  id: number
  version?: number | undefined
}

/** The notice's words, days and readers as columns; refuses what does not fit together, each at its field. */
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
  const known = await tx
    .selectFrom('states')
    .select('name')
    .where('country_id', '=', indiaId)
    .where('name', 'in', wanted)
    .orderBy('name')
    .execute()
  if (known.length !== wanted.length) throw refuseField('states', messages.stateUnknown)
  return known.map((state) => state.name)
}

async function schoolOf(tx: Tx, notice: NoticeFields): Promise<number | null> {
  if (notice.audience !== 'school') return null
  const school = await tx
    .selectFrom('schools')
    .select('id')
    .where('code', '=', notice.schCode.toUpperCase())
    .where('active', '=', true)
    .executeTakeFirst()
  if (!school) throw refuseField('schCode', messages.noticeSchoolUnknown)
  return school.id
}

type Columns = Awaited<ReturnType<typeof columnsOf>>

async function write(tx: Tx, scope: OfficeScope, now: Date, columns: Columns): Promise<number> {
  const { id } = await tx
    .insertInto('notices')
    .values({
      ...columns,
      created_by: scope.staffId,
      created_at: now,
      changed_by: scope.staffId,
      changed_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit(tx, now, scope, 'notice.written', { kind: 'notice', id }, { to: columns })
  return id
}

/** Locks a notice; refuses one that is over, or that somebody else has changed since `version` was shown. */
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
 * Writes a notice (id 0) or changes one that is live or planned; gives its id. Where its words or its importance
 * change, who had read it has not read it any more. Refuses fields, `notices.over`, `changed_meanwhile`, `not_found`.
 */
export async function saveNotice(tx: Tx, scope: OfficeScope, now: Date, notice: Save): Promise<number> {
  const before = notice.id === 0 ? undefined : await lockOpen(tx, now, notice.id, notice.version)
  const columns = await columnsOf(tx, now, notice)
  if (!before) return write(tx, scope, now, columns)
  const { version, revision, state: _, ...from } = before
  const reworded = words.some((column) => from[column] !== columns[column])
  await tx
    .updateTable('notices')
    .set({
      ...columns,
      revision: reworded ? revision + 1 : revision,
      version: version + 1,
      changed_by: scope.staffId,
      changed_at: now,
    })
    .where('id', '=', notice.id)
    .execute()
  await audit(tx, now, scope, 'notice.changed', { kind: 'notice', id: notice.id }, { from, to: columns })
  return notice.id
}

/** Ends a notice now: a live one disappears, a planned one never shows. Refuses like a change. */
export async function endNotice(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version }: { id: number; version: number },
): Promise<void> {
  const before = await lockOpen(tx, now, id, version)
  await tx
    .updateTable('notices')
    .set({ ended_at: now, version: version + 1, changed_by: scope.staffId, changed_at: now })
    .where('id', '=', id)
    .execute()
  const change = { from: before.state, to: 'over', until: before.shows_until }
  await audit(tx, now, scope, 'notice.ended', { kind: 'notice', id }, change)
}

/**
 * Notes that the person has read a notice which is live for the school; doing so again changes nothing. The row itself
 * says who and when, so it leaves no audit line.
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
