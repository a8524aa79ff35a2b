import { className } from '@podium/contract/classes'
import { paise, rupees } from '@podium/contract/money'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { followSlabsIn } from '#platform/share-slabs'
import { type LockedStudent, lockStudent } from './commands-correct.ts'
import { hasResults, paidFor } from './queries-paid.ts'

interface Cancelling {
  id: number
  version: number
  reason: string
}

/** How the account of a school names a child: by class, section and roll no. */
function placeOf({ class_id, section, roll_no }: LockedStudent): string {
  return `${className(class_id)}${section === '-' ? '' : ` ${section}`}, ${roll_no}`
}

/**
 * Cancels a child's entry for good: its school can't restore it. Nothing is deleted: the row stays as deleted, its payments stay as they are, and what was
 * paid for it becomes a credit of the school that has paid, by a counter-entry. A waiver that waits is declined. Refuses a deleted child,
 * one whose payment is being verified, and one that has results.
 */
export async function cancelStudent(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, reason }: Cancelling,
): Promise<{ credit: number }> {
  const student = await lockStudent(tx, id, version)
  if (!student.active) throw new Refusal('enrolment.deleted')
  if (await hasResults(tx, id)) throw new Refusal('students.has_results')
  const paid = await paidFor(tx, id)
  if (paid.some(({ state }) => state === 'pending')) throw new Refusal('enrolment.locked')
  await tx
    .updateTable('students')
    .set({ active: false, cancelled: true, updated_at: now, version: version + 1 })
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('waivers')
    .set({ state: 'declined', decision: reason, decided_by: scope.staffId, decided_at: now })
    .where('student_id', '=', id)
    .where('state', '=', 'asked')
    .execute()
  const bySchool = new Map<number, number>()
  for (const line of paid) bySchool.set(line.schoolId, (bySchool.get(line.schoolId) ?? 0) + line.amount)
  let credit = 0
  for (const [schoolId, amount] of bySchool) {
    if (amount <= 0) continue
    credit += amount
    await sql`
      insert into school_credits (school_id, season, kind, amount, student_id, note, created_by, created_at)
      values (${schoolId}, ${student.season}, 'cancelled', ${amount}, ${id}, ${placeOf(student)}, ${scope.staffId}, ${now})`.execute(
      tx,
    )
  }
  await followSlabsIn(tx, now, { schoolId: student.school_id, season: student.season })
  const subject = { kind: 'student', id, schoolId: student.school_id, season: student.season }
  await audit(tx, now, scope, 'student.cancelled', subject, {
    from: { active: true },
    to: { active: false },
    reason,
    ...(credit > 0 ? { amount: credit / 100 } : {}),
  })
  return { credit: rupees(paise(credit)) }
}
