import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { Db } from '#platform/db/database'
import type { Movement } from './rules.ts'
import { type Moved, movedMovement, waivedMovement } from './rules-contra-entries.ts'

interface Of {
  readonly schoolId: number
}

/** Registration fees of a school's children that were waived, a line each; of a deleted child nothing was charged. */
export async function waivedFees(db: Db, scope: Of, season: Season): Promise<Movement[]> {
  const { rows } = await sql<Parameters<typeof waivedMovement>[0]>`
    select s.class_id as "classId", s.section, s.roll_no as "rollNo", w.decided_at as at, w.gross - w.retained as amount
    from waivers w join students s on s.id = w.student_id and s.active
    where s.school_id = ${scope.schoolId} and w.season = ${season} and w.state = 'approved'
    order by w.decided_at, w.id`.execute(db)
  return rows.map(waivedMovement)
}

/** What was paid for children that came to the school or left it, a line each; within schools that were merged it is nothing. */
export async function movedFees(db: Db, scope: Of, season: Season): Promise<Movement[]> {
  const { rows } = await sql<Moved>`
    select s.class_id as "classId", s.section, s.roll_no as "rollNo", m.at, m.amount,
      m.to_school = ${scope.schoolId} as came
    from student_moves m join students s on s.id = m.student_id
    where (m.from_school = ${scope.schoolId} or m.to_school = ${scope.schoolId}) and m.season = ${season} and m.amount > 0
      and m.from_school <> m.to_school
    order by m.id`.execute(db)
  return rows.map(movedMovement)
}
