import { sql } from 'kysely'
import { addRow } from '#platform/db/rows'
import type { Scope } from './auth/scope.ts'
import type { Db, Tx } from './db/database.ts'

interface Subject {
  kind: string
  id: number | string
  schoolId?: number | undefined
  season?: string | undefined
}

const actor = (kind: string, id: number | undefined, name: string, schoolId?: number, actingFor = '') => ({
  actor_kind: kind,
  actor_id: id,
  actor_name: name,
  acting_for: actingFor,
  school_id: schoolId,
})

/** Returns the actor columns of an audit line. */
function actorOf(scope: Scope) {
  if (scope.kind === 'office') return actor('office', scope.staffId, scope.name)
  if (scope.kind === 'family') return actor('family', undefined, 'Family', scope.schoolId)
  if (scope.kind === 'system') return actor('system', undefined, scope.name)
  const { acting, userId, name, schoolId } = scope
  if (acting) return actor('office', acting.staffId, acting.name, schoolId, name)
  return actor('account', userId, name, schoolId)
}

/**
 * SQL: the beginning of a statement that writes audit lines, `insert into audit … select …`, up to the actor. To be followed by
 * school, season, action, kind and id of the subject, and the change.
 */
export function insertAudit(now: Date, scope: Scope) {
  const { actor_kind, actor_id, actor_name, acting_for } = actorOf(scope)
  return sql`
    insert into audit (at, actor_kind, actor_id, actor_name, acting_for, school_id, season, action, subject_kind, subject_id, change)
    select ${now}::timestamptz, ${actor_kind}, ${actor_id ?? null}::bigint, ${actor_name}, ${acting_for}`
}

/**
 * Writes one line of the audit trail, in the transaction of the change it records.
 *
 * `action` is a stable code such as `student.saved`; `change` holds the old and new values, without passwords, codes or
 * tokens.
 */
export async function audit(
  tx: Tx,
  now: Date,
  scope: Scope,
  action: string,
  subject: Subject,
  change: Record<string, unknown> = {},
): Promise<void> {
  const actor = actorOf(scope)
  await addRow(tx, 'audit', {
    ...actor,
    at: now,
    school_id: subject.schoolId ?? actor.school_id,
    season: subject.season,
    action,
    subject_kind: subject.kind,
    subject_id: String(subject.id),
    change: JSON.stringify(change),
  })
}

/** Writes one line about something that was only read: a file that leaves the portal. */
export const auditRead = (
  db: Db,
  now: Date,
  scope: Scope,
  action: string,
  subject: Subject,
  change: Record<string, unknown>,
): Promise<void> => db.transaction().execute((tx) => audit(tx, now, scope, action, subject, change))

type Fields = Readonly<Record<string, unknown>>

/** What of `from` is different in `to`, for a line of a change: only the fields of `to` that differ. */
export function differences(from: Fields, to: Fields): { from: Fields; to: Fields } {
  const changed = Object.keys(to).filter((field) => from[field] !== to[field])
  const only = (of: Fields) => Object.fromEntries(changed.map((field) => [field, of[field]]))
  return { from: only(from), to: only(to) }
}

/** Whether there are no `differences`. */
export const isUnchanged = ({ to }: { to: Fields }): boolean => Object.keys(to).length === 0
