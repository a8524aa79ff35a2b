import { joiningMobile } from '@podium/contract/fields'
import { foldName } from '@podium/contract/names'
import { codeHash, type Keys, newCode, newId, seal } from '#platform/auth/secrets'
import type { Tx } from '#platform/db/database'

interface Of {
  schoolId: number
  season: string
  mobile: string
  /** The child's name: a link that nobody of the family has any more is not handed on */
  name: string
}

/** A new link of a family, with a code of its own. */
async function newLink(tx: Tx, keys: Keys, now: Date, { schoolId, season }: Of, mobile: string) {
  const id = newId()
  const code = newCode(8)
  await tx
    .insertInto('family_links')
    .values({
      id,
      school_id: schoolId,
      season,
      parent_mobile: mobile,
      access_code_hash: codeHash(keys, id, code),
      access_code_sealed: seal(keys, code),
      created_at: now,
    })
    .execute()
  return id
}

/** The link of the family with this mobile in the school and season: the one in force, else a new one. */
export async function linkByMobile(tx: Tx, keys: Keys, now: Date, of: Of): Promise<string> {
  const mobile = joiningMobile(of.mobile)
  if (mobile === '') return newLink(tx, keys, now, of, '')
  const known = await tx
    .selectFrom('family_links as l')
    .select(({ exists, selectFrom }) => [
      'l.id',
      exists(
        selectFrom('students as m')
          .select('m.id')
          .whereRef('m.family_link_id', '=', 'l.id')
          .where(({ or, eb }) => or([eb('m.active', '=', true), eb('m.name_key', '=', foldName(of.name))])),
      ).as('lived'),
    ])
    .where('l.school_id', '=', of.schoolId)
    .where('l.season', '=', of.season)
    .where('l.parent_mobile', '=', mobile)
    .where('l.revoked_at', 'is', null)
    .forUpdate('l')
    .executeTakeFirst()
  if (known?.lived) return known.id
  if (known)
    await tx.updateTable('family_links').set({ revoked_at: now }).where('id', '=', known.id).execute()
  return newLink(tx, keys, now, of, mobile)
}
