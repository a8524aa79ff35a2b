import type { FamilyStudent } from '@podium/contract/families/calls'
import type { FamilyScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { findStudents } from './queries.ts'

/** What an enrolment ticket says. */
export interface TicketData {
  student: FamilyStudent
  season: string
  school: { code: string; name: string; address: string; city: string; state: string; pin_code: string }
}

/** A child of the family's link for its ticket; undefined for any other id. */
export async function findTicket(
  db: Db,
  scope: FamilyScope,
  studentId: number,
): Promise<TicketData | undefined> {
  const student = (await findStudents(db, scope)).find(({ individualRegId }) => individualRegId === studentId)
  if (!student) return undefined
  const school = await db
    .selectFrom('schools')
    .select(['code', 'name', 'address', 'city', 'state', 'pin_code'])
    .where('id', '=', scope.schoolId)
    .executeTakeFirstOrThrow()
  return { student, season: scope.season, school }
}
