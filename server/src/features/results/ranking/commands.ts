import { sql } from 'kysely'
import { audit } from '#platform/audit'
import { systemScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { found } from '#platform/errors'
import { rulesOf, sectionsOf } from '../rules.ts'
import { keepPapers } from './commands-paper-comparison.ts'
import { awardLadders, type ComputedSet, rankStudents } from './commands-ranks.ts'
import { writeResults } from './commands-write-results.ts'
import { keepSetFigures } from './queries-figures.ts'

export const computeKind = 'results.compute'

/** The version with its event's rules as they are now; its row stays locked until the computation has ended. */
async function lockForComputing(tx: Tx, setId: number): Promise<ComputedSet & { season: string }> {
  const { rows } = await sql<{
    event_id: number
    season: string
    letter: string
    level: number
    maximum_marks: number
    sections: unknown
    rules: unknown
    rules_version: number
  }>`
    select s.event_id, e.season, e.letter, e.level, e.maximum_marks, e.sections, e.rules, e.rules_version
    from result_sets s join events e on e.id = s.event_id
    where s.id = ${setId} and s.state = 'computing' for update of s`.execute(tx)
  const row = found(rows[0], 'results.wrong_state')
  return {
    setId,
    season: row.season,
    eventId: row.event_id,
    maximumMarks: row.maximum_marks,
    rulesVersion: row.rules_version,
    rules: rulesOf(row),
    sections: sectionsOf(row.sections),
  }
}

/**
 * Tells the planner how many marks there are, before a computation: a file was read a moment ago, and as long as the
 * table is taken for empty, 200,000 results take a minute and a half instead of seconds. In a transaction of its own, for
 * it keeps others from the same to its end; where somebody is at it, his figures serve as well.
 */
export async function analyzeMarks(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = '1min'`.execute(tx)
    await sql`analyze (skip_locked) result_marks`.execute(tx)
  })
}

/** Ranks, medals, prizes, awards and eligibility of a version, with their reasons, in one transaction. `analyzeMarks` goes before. */
export async function computeSet(tx: Tx, now: Date, setId: number): Promise<void> {
  await sql`set local statement_timeout = '15min'`.execute(tx)
  const set = await lockForComputing(tx, setId)
  await rankStudents(tx, set)
  await sql`analyze ranked`.execute(tx)
  await awardLadders(tx, set)
  await sql`analyze won`.execute(tx)
  await writeResults(tx, set)
  await keepSetFigures(tx, setId)
  await keepPapers(tx, set)
  await tx
    .updateTable('result_sets')
    .set({
      state: 'computed',
      computed_at: now,
      rules: JSON.stringify(set.rules),
      rules_version: set.rulesVersion,
    })
    .where('id', '=', setId)
    .execute()
  const subject = { kind: 'result_set', id: setId, season: set.season }
  await audit(tx, now, systemScope('Computation of results'), 'results.computed', subject, {
    eventYearId: set.eventId,
    rulesVersion: set.rulesVersion,
  })
}
