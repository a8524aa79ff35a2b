import type { SubjectToAdd } from '@podium/contract/catalogue/calls-add'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'

interface Earlier {
  id: number
  letter: string
  level: number
  season: string
  sections: unknown
  rules: unknown
}

/** The newest event of each subject and level in a season before this one. */
export async function earlierEvents(db: Db | Tx, season: Season, letter?: string): Promise<Earlier[]> {
  const { rows } = await sql<Earlier>`
    select distinct on (e.letter, e.level) e.id, e.letter, e.level, e.season, e.sections, e.rules from events e
    where e.season < ${season} ${letter === undefined ? sql`` : sql`and e.letter = ${letter}`}
    order by e.letter, e.level, e.season desc`.execute(db)
  return rows
}

/** All subjects in their order, with what a season has of each and where a further event would come from. */
export async function subjectsToAdd(db: Db, _scope: OfficeScope, season: Season): Promise<SubjectToAdd[]> {
  const { rows } = await sql<Omit<SubjectToAdd, 'before'>>`
    select s.letter as "eventLetter", s.name as "subjectName", s.little_star as "littleStar",
      coalesce((select array_agg(e.level order by e.level) from events e
        where e.letter = s.letter and e.season = ${season}), '{}') as levels
    from subjects s order by s.position, s.letter`.execute(db)
  const earlier = await earlierEvents(db, season)
  return rows.map((row) => ({
    ...row,
    before: earlier
      .filter(({ letter }) => letter === row.eventLetter)
      .map(({ level, season: FYear }) => ({ examLevel: level, FYear })),
  }))
}
