import { mostCertificates } from '@podium/contract/results/calls-certificates'
import { sql } from 'kysely'
import { type ReleasedResult, releasedResults } from '#features/families/public-results/queries'
import { packetCertificates } from '#features/shipping/awards/queries'
import type { FamilyScope, OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'
import { parseResultId, type ResultSearch, tableOrder } from '../queries.ts'
import { kinOf } from '../queries-family.ts'

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

/**
 * The certificates of a parcel of awards that are still right, so many at a time, in the order of its list, each with how
 * many there are in all; results that are held or not out any more are left out.
 */
export async function resultsOfPacket(
  db: Db | Tx,
  _scope: OfficeScope,
  now: Date,
  { packetId, part }: { packetId: number; part: number },
): Promise<ReleasedResult[]> {
  const all = await packetCertificates(db, packetId, now)
  const meant = all.slice((part - 1) * mostCertificates, part * mostCertificates)
  if (meant.length === 0) throw new Refusal('dispatch.no_certificates')
  const { rows } = await sql<ReleasedResult & { place: number }>`
    with meant as (
      select * from unnest(${meant.map(({ eventId }) => eventId)}::bigint[], ${meant.map(({ studentId }) => studentId)}::bigint[])
        with ordinality as u (event_id, student_id, place))
    select x.* from (${releasedResults(now)} and (r.event_id, r.student_id) in (select event_id, student_id from meant)) x
      join meant m on m.event_id = x.event_id and m.student_id = x.student_id
    order by m.place`.execute(db)
  return rows
}
