import { sql } from 'kysely'

/** How many active students take the event `e`: as they were counted last where the season is large. */
export const entered = (kept: boolean) =>
  kept
    ? sql`coalesce((select k.students from event_figures k where k.event_id = e.id and k.class_id = 0), 0)`
    : sql`(select count(*)::int from enrolments n join students st on st.id = n.student_id
        where n.event_id = e.id and st.active)`
