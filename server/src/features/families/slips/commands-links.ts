import { audit } from '#platform/audit'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import { codeHash, type Keys, newCode, newId, seal } from '#platform/auth/secrets'
import type { Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'

/**
 * Takes a link back, and gives the mobile number under which the school knows its family; '' where the link ended before.
 * Whoever puts a child into the link meanwhile is waited for, and waits.
 */
async function takeBack(tx: Tx, now: Date, id: string): Promise<string> {
  const link = await tx
    .selectFrom('family_links')
    .select(['parent_mobile', 'revoked_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (link.revoked_at !== null) return ''
  await tx.updateTable('family_links').set({ revoked_at: now }).where('id', '=', id).execute()
  return link.parent_mobile
}

/**
 * Gives the family of a student of the scope's school a new link and a new access code, and takes the old ones back:
 * a slip was lost, or somebody has both halves. Sessions of the old link end with it. The mobile of the link stays the
 * one that the school wrote, whatever the family has typed at its child: children and results of earlier seasons are
 * joined by it. Answers the number of children that moved. Another school's student is not found; `changed_meanwhile`
 * where somebody else has just renewed the link. The office does the same for the school it names, with a reason.
 */
export async function renewLink(
  tx: Tx,
  keys: Keys,
  scope: SchoolScope | (OfficeScope & { readonly schoolId: number }),
  now: Date,
  studentId: number,
  reason?: string,
): Promise<number> {
  const student = await tx
    .selectFrom('students')
    .select(['family_link_id', 'season'])
    .where('id', '=', studentId)
    .where('school_id', '=', scope.schoolId)
    .where('active', '=', true)
    .executeTakeFirst()
  const { family_link_id: before, season } = found(student)
  const parent_mobile = before === null ? '' : await takeBack(tx, now, before)
  const id = newId()
  const code = newCode(8)
  await tx
    .insertInto('family_links')
    .values({
      id,
      school_id: scope.schoolId,
      season,
      parent_mobile,
      access_code_hash: codeHash(keys, id, code),
      access_code_sealed: seal(keys, code),
      created_at: now,
    })
    .execute()
  const moved = await tx
    .updateTable('students')
    .set({ family_link_id: id })
    .where('school_id', '=', scope.schoolId)
    .where((row) => (before === null ? row('id', '=', studentId) : row('family_link_id', '=', before)))
    .returning(['id', 'active'])
    .execute()
  if (moved.length === 0) throw new Refusal('changed_meanwhile')
  const subject = { kind: 'student', id: studentId, schoolId: scope.schoolId, season }
  await audit(tx, now, scope, 'family.link_renewed', subject, reason === undefined ? {} : { reason })
  return moved.filter(({ active }) => active).length
}
