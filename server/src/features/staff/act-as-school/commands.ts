import type { ActingSession } from '@podium/contract/staff/calls-act-as-school'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { AccountScope, OfficeScope, SchoolScope } from '#platform/auth/scope'
import { endSession, openSession } from '#platform/auth/session'
import type { Db, Tx } from '#platform/db/database'
import { instant } from '#platform/db/list-queries'
import { addedRow, changeRows, firstRow } from '#platform/db/rows'
import { orNotFound, Refusal } from '#platform/errors'

const days = 90
const maxSessions = 20

/** The office's sign-ins as this school in the last 90 days: when, why, and what was done. */
export async function actingSessionsOf(db: Db, scope: SchoolScope, now: Date): Promise<ActingSession[]> {
  const since = new Date(now.getTime() - days * 86_400_000)
  const { rows } = await sql<ActingSession>`
    select v.id, f.name as officer, v.reason, u.name as account, ${instant('v.started_at')} as "startedAt",
      case when v.ended_at is not null or v.until <= ${now} then ${instant(sql`coalesce(v.ended_at, v.until)`)} end as "endedAt",
      coalesce((
        select jsonb_agg(jsonb_build_object('at', ${instant('a.at')}, 'action', a.action) order by a.id)
        from (
          select a.id, a.at, a.action from audit a
          where (a.school_id = v.school_id or a.school_id in (select o.id from schools o where o.merged_into = v.school_id))
            and a.actor_kind = 'office' and a.actor_id = v.staff_id and a.acting_for <> ''
            and a.at >= v.started_at and a.at <= coalesce(v.ended_at, v.until) and a.action <> 'acting.ended'
          order by a.id limit 100) a), '[]') as acts
    from acting_sessions v join staff f on f.id = v.staff_id join users u on u.id = v.user_id
    where v.school_id = ${scope.schoolId} and v.started_at > ${since}
    order by v.started_at desc limit ${maxSessions}`.execute(db)
  return rows
}

interface ActingRequest {
  /** The school */
  id: number
  reason: string
  minutes: string
}

/** The account an officer uses: the coordinator's, otherwise the oldest account. */
async function accountOf(tx: Tx, schoolId: number) {
  const user = await tx
    .selectFrom('users')
    .select(['id', 'name'])
    .where('school_id', '=', schoolId)
    .where('disabled_at', 'is', null)
    .orderBy('coordinator', 'desc')
    .orderBy('id')
    .executeTakeFirstOrThrow(() => new Refusal('acting.nobody'))
  return user
}

/**
 * Signs an officer in as a school for a number of minutes. Refuses unknown and deactivated schools, and schools without an
 * account that can sign in.
 */
export async function startActing(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, reason, minutes }: ActingRequest,
  from: { source: string; agent: string },
) {
  const school = orNotFound(await firstRow(tx, 'schools', { id }, ['id', 'active']))
  if (!school.active) throw new Refusal('schools.inactive')
  const user = await accountOf(tx, id)
  const until = new Date(now.getTime() + Number(minutes) * 60_000)
  const { id: actingSessionId } = await addedRow(tx, 'acting_sessions', ['id'], {
    school_id: id,
    staff_id: scope.staffId,
    user_id: user.id,
    reason,
    started_at: now,
    until,
  })
  const acting = { id: actingSessionId, until }
  const token = await openSession(tx, now, { kind: 'account', userId: user.id, acting, ...from })
  const change = { reason, minutes: Number(minutes), person: user.name }
  await audit(tx, now, scope, 'acting.started', { kind: 'acting', id: actingSessionId, schoolId: id }, change)
  return { token, userId: user.id, until }
}

/** Stops acting as the school. Refused in a session that does not act. */
export async function endActing(tx: Tx, scope: AccountScope | SchoolScope, now: Date): Promise<void> {
  if (!scope.acting) throw new Refusal('access.denied')
  const { actingSessionId } = scope.acting
  await changeRows(tx, 'acting_sessions', {
    where: { id: actingSessionId, ended_at: null },
    set: { ended_at: now },
  })
  await endSession(tx, now, scope.session)
  await audit(tx, now, scope, 'acting.ended', { kind: 'acting', id: actingSessionId })
}

/** Ends all sessions in which an officer acts as a school: signing out of the office ends them too. */
export async function endAllActing(tx: Tx, scope: OfficeScope, now: Date): Promise<void> {
  await tx
    .updateTable('acting_sessions')
    .set({ ended_at: now })
    .where('staff_id', '=', scope.staffId)
    .where('ended_at', 'is', null)
    .where('until', '>', now)
    .execute()
}
