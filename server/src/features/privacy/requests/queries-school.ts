import { className } from '@podium/contract/classes'
import { sentenceOf } from '@podium/contract/errors'
import type { SchoolDataRequest } from '@podium/contract/privacy/calls-school'
import { istDay } from '@podium/contract/season'
import { sql } from 'kysely'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'

const pageSize = 50

interface Row extends Omit<SchoolDataRequest, 'askedAt' | 'decidedAt' | 'late' | 'can' | 'className'> {
  askedAt: Date
  decidedAt: Date | null
  classId: number
  erased: boolean
  total: number
  open: number
}

/**
 * What the school has entered for parents, the open ones first, the next to be due on top. What a family has asked on its
 * own page, and what the office noted at its check, is not the school's to read.
 */
export async function requestsOfSchool(db: Db, scope: SchoolScope, now: Date, page: number) {
  const { rows } = await sql<Row>`
    select r.id, r.version, r.kind, st.name as "studentName", st.class_id as "classId", st.section, st.season as "FYear",
      st.erased_at is not null as erased, r.words, coalesce(u.name, '') as "askedBy", r.asked_at as "askedAt",
      r.due_on::text as "dueOn", r.state, r.decision, r.decided_at as "decidedAt", count(*) over ()::int as total,
      (count(*) filter (where r.state in ('asked', 'checked', 'working')) over ())::int as open
    from data_requests r join students st on st.id = r.student_id left join users u on u.id = r.asked_by_user
    where r.school_id = ${scope.schoolId} and r.asked_through = 'school'
    order by r.state in ('asked', 'checked', 'working') desc, r.due_on, r.id
    limit ${pageSize} offset ${(Math.max(1, page) - 1) * pageSize}`.execute(db)
  const { total = 0, open = 0 } = rows[0] ?? {}
  return { data: rows.map((row) => shown(row, now)), total, pageSize, open }
}

function shown(row: Row, now: Date): SchoolDataRequest {
  const { askedAt, decidedAt, classId, erased, total: _, open: __, ...plain } = row
  const waits = row.state === 'asked' || row.state === 'checked'
  return {
    ...plain,
    studentName: erased ? '' : row.studentName,
    className: className(classId),
    askedAt: askedAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
    late: waits && row.dueOn < istDay(now),
    can: { withdraw: row.state === 'asked' ? true : sentenceOf('privacy.decided') },
  }
}
