import { messages } from '@podium/contract/messages'
import { foldName } from '@podium/contract/names'
import { type MergeField, mergeFields } from '@podium/contract/schools/calls-merge'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { placeIssues, refusePlacesScheduled } from '#features/catalogue/lists/queries'
import { audit, insertAudit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { addRow, changeRows, findRows } from '#platform/db/rows'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { refuseIfChanged } from '#platform/http/idempotency'
import { enqueueJob } from '#platform/jobs/jobs'
import { updateSlabSharesIn } from '#platform/paid-students'
import { zoneOf } from '../commands.ts'
import {
  type MergeContext,
  notifyOfMerge,
  peopleOf,
  type SettledClashes,
  settleClashes,
} from './commands-settle.ts'
import { blocksOf, mergeBasis, refuseUnmergeablePair } from './queries.ts'
import { columnOf, mergeColumns, type Pair } from './rules.ts'

export const mergeWanted = z.object({
  target: z.int(),
  source: z.int(),
  targetVersion: z.int(),
  sourceVersion: z.int(),
  /** Mark of the preview that was shown */
  seen: z.string(),
  take: z.array(z.enum(mergeFields)),
  typed: z.string(),
})
export type Merge = z.output<typeof mergeWanted>

type School = Awaited<ReturnType<typeof lockBoth>>['target']

/** Refuses schools that can't be merged, before anything is written or enqueued. The merge checks the same. */
export async function refuseMerge(db: Db | Tx, now: Date, merge: Merge): Promise<void> {
  await refuseUnmergeablePair(db, merge)
  const rows = await findRows(db, 'schools', { id: [merge.target, merge.source] }, ['id', 'code', 'version'])
  const version = (id: number) => rows.find((row) => row.id === id)?.version
  if (version(merge.target) !== merge.targetVersion || version(merge.source) !== merge.sourceVersion)
    throw new Refusal('changed_meanwhile')
  const code = rows.find(({ id }) => id === merge.source)?.code
  if (merge.typed.toUpperCase() !== code) throw refuseField('typed', messages.mergeTyped)
  if ((await blocksOf(db, merge, now)).length > 0) throw new Refusal('schools.merge_blocked')
  refuseIfChanged(merge.seen, await mergeBasis(db, merge, now))
}

/**
 * Locks both schools in id order, so that nothing is added to either until the merge is done. Their bank lines come first,
 * as when one is booked: the other way round, each would wait for the other.
 */
async function lockBoth(tx: Tx, { target, source }: Pair) {
  await sql`select from bank_lines where guess_school_id = ${source} order by id for update`.execute(tx)
  const rows = await tx
    .selectFrom('schools')
    .select(['id', 'code', 'name', 'name_key', 'email', 'address', 'city', 'district', 'state', 'zone'])
    .select(['country', 'pin_code', 'affiliation_no', 'udise_code', 'group_id', 'landline', 'fax', 'website'])
    .select(['phone', 'whatsapp', 'active', 'created_at', 'version', 'inactive_reason', 'inactive_since'])
    .select(['search_key', 'merged_into', 'merged_at'])
    .where('id', 'in', [target, source])
    .orderBy('id')
    .forUpdate()
    .execute()
  return {
    target: orNotFound(rows.find(({ id }) => id === target)),
    source: orNotFound(rows.find(({ id }) => id === source)),
  }
}

const detailsOf = (school: School) =>
  Object.fromEntries(['code', ...Object.values(columnOf)].map((name) => [name, school[name as 'name']]))

/** The remaining school's details, with those chosen from the other one. */
async function takeDetails(tx: Tx, take: readonly MergeField[], target: School, source: School) {
  const taken = Object.fromEntries(take.map((field) => [columnOf[field], source[columnOf[field]]]))
  const to = { ...target, ...taken }
  // Country and state must fit together.
  const issues = await placeIssues(tx, to.country, to.state, target.state)
  if (issues.length > 0 && (taken.state ?? taken.country) !== undefined)
    throw new Refusal('input.invalid', { issues })
  if (taken.udise_code !== undefined)
    await tx.updateTable('schools').set({ udise_code: '' }).where('id', '=', source.id).execute()
  await changeRows(tx, 'schools', {
    where: { id: target.id },
    set: { ...taken, name_key: foldName(to.name), zone: await zoneOf(tx, to), version: target.version + 1 },
  })
  const from = Object.fromEntries(Object.keys(taken).map((name) => [name, target[name as 'name']]))
  return { from, to: taken }
}

async function moveRows(tx: Tx, { target, source }: Pair): Promise<Record<string, number>> {
  await sql`update school_links set came_from = coalesce(came_from, ${source})
    where school_id = ${source}`.execute(tx)
  await sql`
    update school_credits set first_school = coalesce(first_school, ${source})
    where school_id = ${source} and student_id is not null`.execute(tx)
  const seasons = await sql<{ season: string }>`
    select distinct season from dispatch_needs where school_id in (${target}, ${source})`.execute(tx)
  for (const { table, column } of mergeColumns('counted'))
    await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${source}`.execute(tx)
  const moved: Record<string, number> = {}
  for (const { table, column } of mergeColumns('moves')) {
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${target}
      where ${sql.ref(column)} = ${source}`.execute(tx)
    if (numAffectedRows) moved[`${table}.${column}`] = Number(numAffectedRows)
  }
  await sql`
    insert into dispatch_stale (school_id, season)
    select ${target}, season
    from unnest(${seasons.rows.map(({ season }) => season)}::text[]) as season`.execute(tx)
  return moved
}

/** Ends the sessions of the given-up school's users and of officers signed in as it. */
async function endSessions(tx: Tx, now: Date, school: number): Promise<void> {
  await sql`
    update sessions set ended_at = ${now}::timestamptz
    where ended_at is null and user_id in (select id from users where school_id = ${school})`.execute(tx)
  await sql`
    update acting_sessions set ended_at = ${now}::timestamptz
    where school_id = ${school} and ended_at is null and until > ${now}::timestamptz`.execute(tx)
}

/** Writes an audit line for each record that had to change. */
async function auditSettled(
  tx: Tx,
  scope: OfficeScope,
  merging: MergeContext,
  settled: SettledClashes,
): Promise<void> {
  const { now, target, gone } = merging
  for (const [kind, action, subject, id] of [
    ['rolls', 'student.corrected', 'student', 'studentId'],
    ['signed', 'list.reopened', 'participation', 'listId'],
    ['contacts', 'contact.switched', 'contact', 'contactId'],
  ] as const) {
    const rows = settled[kind]
    if (!rows) continue
    await sql`
      ${insertAudit(now, scope)}, ${target}::bigint, r ->> 'season', ${action}::text, ${subject}::text, r ->> ${id}::text, case when ${kind}::text = 'rolls'
          then jsonb_build_object('from', jsonb_build_object('rollNo', r -> 'rollNo'), 'to', jsonb_build_object('rollNo', r -> 'to'))
          else '{}'::jsonb end || jsonb_build_object('reason', ${`Merged with ${gone}.`}::text)
      from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as r`.execute(tx)
  }
}

/**
 * Merges two records of the same school: everything of `source` moves to `target`, by the rules of commands-settle.ts. The
 * record of `source` is kept but deactivated, and its code and links redirect. Can't be undone. Refuses `schools.merged`,
 * `schools.merge_same`, `schools.merge_blocked`, `results.places_scheduled`, `changed_meanwhile`, a wrong typed code, and inconsistent details.
 */
export async function mergeSchools(tx: Tx, scope: OfficeScope, now: Date, merge: Merge): Promise<void> {
  await sql`set local statement_timeout = '120s'`.execute(tx)
  const { target, source } = await lockBoth(tx, merge)
  await refuseMerge(tx, now, merge)
  const gone = `${source.code} ${source.name}`
  const { name: officer, staffId } = scope
  const merging: MergeContext = { target: target.id, source: source.id, now, officer, staffId, gone }
  await endSessions(tx, now, source.id)
  const settled = await settleClashes(tx, merging)
  const details = await takeDetails(tx, merge.take, target, source)
  const before = await peopleOf(tx, target.id)
  const moved = await moveRows(tx, merging)
  await notifyOfMerge(tx, now, target, source, before)
  await refusePlacesScheduled(tx, now, sql`o.id = ${target.id}`)
  await changeRows(tx, 'schools', {
    where: { id: source.id },
    set: {
      active: false,
      inactive_reason: `Merged into ${target.code} ${target.name}`,
      inactive_since: now,
      merged_into: target.id,
      merged_at: now,
      version: source.version + 1,
    },
  })
  await addRow(tx, 'school_merges', {
    from_school: source.id,
    to_school: target.id,
    before: JSON.stringify({ stays: detailsOf(target), leaves: detailsOf(source) }),
    moved: JSON.stringify(moved),
    settled: JSON.stringify(settled),
    merged_by: scope.staffId,
    merged_at: now,
  })
  await auditSettled(tx, scope, merging, settled)
  const counts = Object.fromEntries(Object.entries(settled).map(([kind, rows]) => [kind, rows.length]))
  const change = { ...details, merged: gone, moved, settled: counts }
  await audit(tx, now, scope, 'school.merged', { kind: 'school', id: target.id, schoolId: target.id }, change)
  const mergedInto = { into: `${target.code} ${target.name}` }
  const subject = { kind: 'school', id: source.id, schoolId: source.id }
  await audit(tx, now, scope, 'school.merged_away', subject, mergedInto)
  for (const { label } of await findRows(tx, 'seasons', { state: ['open', 'closed'] }, ['label']))
    await updateSlabSharesIn(tx, now, { schoolId: target.id, season: label })
  // Match open bank lines suggested for either school again.
  await enqueueJob(tx, now, { kind: 'bank-match', input: { schools: [target.id] } })
}
