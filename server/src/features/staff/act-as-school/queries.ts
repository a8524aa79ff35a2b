import type { SchoolVisit } from '@podium/contract/staff/calls-act-as-school'
import { sql } from 'kysely'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'

const days = 90
const most = 20

interface Row extends Omit<SchoolVisit, 'startedAt' | 'endedAt' | 'acts'> {
  startedAt: Date
  endedAt: Date | null
  acts: { at: string; action: string }[]
}

/** When the office acted in this school's portal in the last 90 days, why, and what it did there. */
export async function visitsOf(db: Db, scope: SchoolScope, now: Date): Promise<SchoolVisit[]> {
  const since = new Date(now.getTime() - days * 86_400_000)
  const { rows } = await sql<Row>`
    select v.id, f.name as officer, v.reason, u.name as account, v.started_at as "startedAt",
      case when v.ended_at is not null or v.until <= ${now} then coalesce(v.ended_at, v.until) end as "endedAt",
      coalesce((
        select jsonb_agg(jsonb_build_object('at', a.at, 'action', a.action) order by a.id)
        from (
          select a.id, a.at, a.action from audit a
          where (a.school_id = v.school_id or a.school_id in (select o.id from schools o where o.merged_into = v.school_id))
            and a.actor_kind = 'office' and a.actor_id = v.staff_id and a.acting_for <> ''
            and a.at >= v.started_at and a.at <= coalesce(v.ended_at, v.until) and a.action <> 'visit.ended'
          order by a.id limit 100) a), '[]') as acts
    from school_visits v join staff f on f.id = v.staff_id join users u on u.id = v.user_id
    where v.school_id = ${scope.schoolId} and v.started_at > ${since}
    order by v.started_at desc limit ${most}`.execute(db)
  return rows.map((row) => ({
    ...row,
    startedAt: row.startedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    acts: row.acts.map(({ at, action }) => ({ at: new Date(at).toISOString(), action })),
  }))
}
