import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { ReadDb } from '#platform/db/database'

/**
 * From so many students on, what is summed over a whole season (who owes what, how many take an olympiad) is read as the
 * cockpit counted it last, at most minutes ago: counting it for each page took seconds among a million.
 */
export const largeSeason = 100_000

/** The seasons whose sums are kept. */
export const keptSeasons = sql`(
  select k.season from season_figures k where (k.figures->>'students')::int > ${largeSeason}::int)`

/** Whether the sums of a season are kept. */
export async function isKept(db: ReadDb, season: Season): Promise<boolean> {
  const { rows } = await sql`select from ${keptSeasons} k where k.season = ${season}`.execute(db)
  return rows.length > 0
}
