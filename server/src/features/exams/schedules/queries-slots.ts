import { sql } from 'kysely'

/** How many places of the slot `l` students have. */
export const placesTaken = sql<number>`(
  select count(*)::int from exam_schedules x where x.slot_id = l.id and x.schedule_status <> 'Cancelled')`
