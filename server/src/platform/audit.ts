import { sql } from 'kysely'
import { addRow } from '#platform/db/rows'
import type { AccountScope, SchoolScope, Scope } from './auth/scope.ts'
import type { Db, Tx } from './db/database.ts'

interface Subject {
  kind: string
  id: number | string
  schoolId?: number | undefined
  season?: string | undefined
}

const officer = (by: { staffId: number; name: string }, schoolId: number | undefined, actingFor = '') => ({
  actor_kind: 'office',
  actor_id: by.staffId,
  actor_name: by.name,
  acting_for: actingFor,
  school_id: schoolId,
})

const person = (scope: AccountScope | SchoolScope) => ({
  actor_kind: 'account',
  actor_id: scope.userId,
  actor_name: scope.name,
  acting_for: '',
  school_id: scope.schoolId,
})

/** Returns the actor columns of an audit line. */
function actorOf(scope: Scope) {
  switch (scope.kind) {
    case 'account':
    case 'school':
      return scope.acting ? officer(scope.acting, scope.schoolId, scope.name) : person(scope)
    case 'office':
      return officer(scope, undefined)
    case 'family':
      return {
        actor_kind: 'family',
        actor_id: undefined,
        actor_name: 'Family',
        acting_for: '',
        school_id: scope.schoolId,
      }
    case 'system':
      return {
        actor_kind: 'system',
        actor_id: undefined,
        actor_name: scope.name,
        acting_for: '',
        school_id: undefined,
      }
  }
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
