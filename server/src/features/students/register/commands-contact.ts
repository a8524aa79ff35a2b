import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { found } from '#platform/errors'

/** The contact of a child's parents; that somebody looked at it is audited, what it is stands in no line. */
export async function showContact(tx: Tx, scope: OfficeScope, now: Date, id: number) {
  const student = found(
    await tx
      .selectFrom('students')
      .select(['school_id', 'season', 'parent_name', 'parent_email', 'parent_mobile'])
      .where('id', '=', id)
      .executeTakeFirst(),
  )
  const subject = { kind: 'student', id, schoolId: student.school_id, season: student.season }
  await audit(tx, now, scope, 'student.contact_shown', subject)
  return {
    parentName: student.parent_name,
    parentEmail: student.parent_email,
    parentMobile: student.parent_mobile,
  }
}
