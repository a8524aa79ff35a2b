import { mostCertificates } from '@podium/contract/results-certificates'
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/database'
import { found, Refusal } from '#platform/errors'
import type { FamilyScope, SchoolScope } from '#platform/scope'
import { parseResultId, type ResultSearch, tableOrder } from './queries.ts'
import { kinOf } from './queries-family.ts'
import { type ReleasedResult, releasedResults } from './queries-public.ts'

/** A result that is to be certified or shown; the absent have nothing of the kind. */
function attended(row: ReleasedResult | undefined): ReleasedResult {
  const result = found(row)
  if (!result.present) throw new Refusal('results.absent')
  return result
}

/** A released result of the own school, by the id that its table carries; `not_found` while it is held or not out. */
export async function resultOfSchool(
  db: Db | Tx,
  scope: SchoolScope,
  now: Date,
  resultId: string,
): Promise<ReleasedResult> {
  const { setId, studentId } = parseResultId(resultId)
  const { rows } = await sql<ReleasedResult>`
    ${releasedResults(now)} and r.set_id = ${setId} and r.student_id = ${studentId}
      and r.school_id = ${scope.schoolId}`.execute(db)
  return attended(rows[0])
}

/** A released result of one of the family's children. */
export async function resultOfFamily(
  db: Db | Tx,
  scope: FamilyScope,
  now: Date,
  resultId: string,
): Promise<ReleasedResult> {
  const { setId, studentId } = parseResultId(resultId)
  const { rows } = await sql<ReleasedResult>`
    with ${kinOf(scope)}
    ${releasedResults(now)} and r.set_id = ${setId} and r.student_id = ${studentId}
      and r.student_id in (select id from kin)`.execute(db)
  return attended(rows[0])
}

const won = { medal: sql`and r.medal <> ''`, prize: sql`and r.prize <> ''`, award: sql`and r.award <> ''` }

type Filter = Pick<ResultSearch, 'season' | 'eventId' | 'letter' | 'level' | 'classId' | 'action'>

/** The released results of the own school that its table shows with these filters, the absent left out, in its order. */
export async function resultsOfSchool(
  db: Db | Tx,
  scope: SchoolScope,
  now: Date,
  filter: Filter,
): Promise<[ReleasedResult, ...ReleasedResult[]]> {
  const { season, eventId, letter, level, classId, action } = filter
  const { rows } = await sql<ReleasedResult>`
    ${releasedResults(now)} and r.school_id = ${scope.schoolId} and r.event_id = ${eventId} and r.present
      and e.season = ${season} and e.letter = ${letter} and e.level = ${level}
      ${classId === 0 ? sql`` : sql`and r.class_id = ${classId}`}
      ${action === undefined ? sql`` : won[action]}
    order by ${tableOrder} limit ${mostCertificates + 1}`.execute(db)
  const [first, ...others] = rows
  if (first === undefined) throw new Refusal('results.no_certificates')
  if (rows.length > mostCertificates) throw new Refusal('results.too_many_certificates')
  return [first, ...others]
}
