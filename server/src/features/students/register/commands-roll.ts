import { sql } from 'kysely'
import type { Tx } from '#platform/db/database'

/**
 * The exam roll no of one child that has none: school code, class, serial. From the same counters as those of paid
 * children, which only go up, so no number is given twice in a season.
 */
export async function giveExamRollNumber(tx: Tx, studentId: number): Promise<void> {
  await sql`
    with fresh as (
      select s.id, s.class_id, c.code, 'exam-roll:' || s.season || ':' || s.school_id || ':' || s.class_id as counter
      from students s join schools c on c.id = s.school_id where s.id = ${studentId} and s.exam_roll_no is null),
    counted as (
      insert into counters (name, value) select counter, 1 from fresh
      on conflict (name) do update set value = counters.value + 1
      returning value)
    update students s
    set exam_roll_no = fresh.code || '-' || lpad(fresh.class_id::text, 2, '0') || '-' ||
      lpad(counted.value::text, greatest(3, length(counted.value::text)), '0')
    from fresh, counted where s.id = fresh.id`.execute(tx)
}
