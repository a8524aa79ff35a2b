import { sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { hasWords } from '#platform/db/list-queries'
import { orNotFound, Refusal } from '#platform/errors'
import { fingerprint, refuseIfChanged } from '#platform/http/idempotency'
import { correctionsWith } from '../corrections/queries.ts'
import { resultColumns, resultRow, type StoredResult, tableOrder } from '../queries.ts'

/**
 * Previews what a school will see of an unreleased version. Only for the office; nothing is stored, so that no school call can
 * reach it.
 */

interface UnreleasedSet {
  id: number
  event_id: number
  version: number
  reason: string
  state: string
  release_at: Date | null
  maximum_marks: number
  next_level: number | null
}

/** A computed version that schools do not see yet. Refuses with `results.not_computed`, `results.preview_over`, `results.wrong_state`. */
async function unreleased(db: Db, now: Date, setId: number): Promise<UnreleasedSet> {
  const { rows } = await sql<UnreleasedSet>`
    select s.id, s.event_id, s.version, s.reason, s.state, s.release_at, e.maximum_marks,
      (s.rules->'nextLevel'->>'level')::int as next_level
    from result_sets s join events e on e.id = s.event_id where s.id = ${setId}`.execute(db)
  const set = orNotFound(rows[0])
  if (set.release_at !== null && set.release_at <= now && set.state !== 'failed')
    throw new Refusal('results.preview_over')
  if (['importing', 'imported', 'computing'].includes(set.state)) throw new Refusal('results.not_computed')
  if (set.state !== 'computed' && set.state !== 'approved') throw new Refusal('results.wrong_state')
  return set
}

interface Head {
  id: number
  code: string
  name: string
  withheld: boolean
}

async function schoolIn(db: Db, set: UnreleasedSet, schCode: string): Promise<Head> {
  const { rows } = await sql<Head>`
    select o.id, o.code, o.name, exists (
      select from result_holds h where h.event_id = ${set.event_id} and h.school_id = o.id) as withheld
    from schools o where o.code = ${schCode}
      and exists (select from results r
      where r.school_id = o.id and r.event_id = ${set.event_id} and r.set_id = ${set.id})`.execute(db)
  return orNotFound(rows[0])
}

const maxSchools = 20

/** Schools with results in an unreleased version, searched by name, code or place. */
export async function previewSchoolsOf(
  db: Db,
  _scope: OfficeScope,
  now: Date,
  { setId, search }: { setId: number; search: string },
) {
  const set = await unreleased(db, now, setId)
  const { rows } = await sql<{ schCode: string; schName: string; district: string; state: string }>`
    select o.code as "schCode", o.name as "schName", o.district, o.state from schools o
    where exists (select from results r where r.school_id = o.id and r.event_id = ${set.event_id} and r.set_id = ${set.id})
      and ${hasWords(search, sql`o.search_key`)}
    order by o.code limit ${maxSchools}`.execute(db)
  return rows
}

const narrowed = { 2: sql`r.medal <> ''`, 3: sql`r.prize <> ''`, 5: sql`r.award <> ''` }

interface SchoolPreview {
  setId: number
  schCode: string
  classId: number
  action: '2' | '3' | '5' | undefined
  offset: number
  limit: number
}

/** A page of a school's results as the school will see them; none while withheld. */
export async function previewForSchool(db: Db, _scope: OfficeScope, now: Date, query: SchoolPreview) {
  const set = await unreleased(db, now, query.setId)
  const school = await schoolIn(db, set, query.schCode)
  const { rows } = await sql<StoredResult & { total: number }>`
    select ${resultColumns}, count(*) over () as total from results r
    where r.school_id = ${school.id} and r.event_id = ${set.event_id} and r.set_id = ${set.id} and not ${school.withheld}::boolean
      ${query.classId === 0 ? sql`` : sql`and r.class_id = ${query.classId}`}
      ${query.action === undefined ? sql`` : sql`and ${narrowed[query.action]}`}
    order by ${tableOrder} limit ${Math.min(query.limit, 500)} offset ${query.offset}`.execute(db)
  return {
    state: school.withheld ? ('withheld' as const) : ('released' as const),
    version: set.version,
    releasedAt: set.release_at?.toISOString() ?? null,
    maximumMarks: set.maximum_marks,
    total: rows[0]?.total ?? 0,
    leadsOn: set.next_level !== null,
    school: { schCode: school.code, schName: school.name },
    data: rows.map((row) => {
      const shown = resultRow(row, set.next_level)
      return { ...shown, gift: shown.couponLink !== '', couponLink: '', resultLink: '' }
    }),
  }
}

/** The corrections that a school would see after this version is released. */
export async function previewCorrectionsOf(
  db: Db,
  scope: OfficeScope,
  now: Date,
  { setId, schCode }: { setId: number; schCode: string },
) {
  const set = await unreleased(db, now, setId)
  const school = await schoolIn(db, set, schCode)
  if (school.withheld) return []
  return correctionsWith(db, scope, now, { set, eventId: set.event_id, schoolId: school.id })
}

/**
 * SQL: what a decision on version `s` is based on: its last computation, approval, release time, and withheld schools.
 */
export const decisionBasis = sql`jsonb_build_array(s.job_id, extract(epoch from s.computed_at),
  extract(epoch from s.approved_at), extract(epoch from s.release_at), array(
    select h.school_id from result_holds h where h.event_id = s.event_id order by h.school_id))`

/**
 * Locks a version for a decision: its event first, as a new version does, so that either sees what the other did. What the
 * decision depends on is read by a later statement.
 */
export async function lockVersion(tx: Tx, setId: number): Promise<void> {
  await sql`
    select from events
    where id = (select event_id from result_sets where id = ${setId}) for no key update`.execute(tx)
  await sql`select from result_sets where id = ${setId} for update`.execute(tx)
}

/**
 * Locks a version and remembers its state; the returned function refuses if that is not the state shown (`changed_meanwhile`).
 * Call it after the decision's own guard, whose refusals are more specific.
 */
export async function lockSeen(tx: Tx, setId: number, seen: string): Promise<() => void> {
  await lockVersion(tx, setId)
  const { rows } = await sql<{ facts: unknown }>`
    select ${decisionBasis} as facts from result_sets s where s.id = ${setId}`.execute(tx)
  return () => refuseIfChanged(seen, rows[0]?.facts)
}

/** A version with its current mark, as a decision needs both. */
export async function versionAsShown(db: Db | Tx, setId: number): Promise<{ setId: number; seen: string }> {
  const { rows } = await sql<{ facts: unknown }>`
    select ${decisionBasis} as facts from result_sets s where s.id = ${setId}`.execute(db)
  return { setId, seen: fingerprint(rows[0]?.facts) }
}
