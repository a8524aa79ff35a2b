import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { ReadDb } from '#platform/db/database'

/** How many active students take the event `e`: as they were counted last where the season is large. */
export const entered = (kept: boolean) =>
  kept
    ? sql`coalesce((select k.students from event_figures k where k.event_id = e.id and k.class_id = 0), 0)`
    : sql`(select count(*)::int from enrolments n join students st on st.id = n.student_id
        where n.event_id = e.id and st.active)`

/**
 * From so many students on, what is summed over a whole season (who owes what, how many take an olympiad) is read as the
 * overview counted it last, at most minutes ago: counting it for each page took seconds among a million.
 */
export const largeSeason = 100_000

/** The seasons whose sums are kept. */
export const cachedSeasons = sql`(
  select k.season from season_figures k where (k.figures->>'students')::int > ${largeSeason}::int)`

/** Whether the sums of a season are kept. */
export async function isKept(db: ReadDb, season: Season): Promise<boolean> {
  const { rows } = await sql`select from ${cachedSeasons} k where k.season = ${season}`.execute(db)
  return rows.length > 0
}
