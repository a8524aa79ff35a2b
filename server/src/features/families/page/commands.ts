import { bareCode, isCode, type Keys } from '#platform/auth/secrets'
import { endSession, openSession } from '#platform/auth/session'
import type { Db, Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'

interface Visit {
  linkId: string
  source: string
  agent: string
  /** The family's session that this browser had, hashed; it ends */
  before: string | undefined
}

/** Compares a code with a link's in constant time; a wrong one is refused. The caller counts the tries. */
export function checkCode(
  keys: Keys,
  link: { id: string; hash: string },
  code: string,
  triesLeft: number,
): void {
  if (!isCode(keys, link.hash, link.id, bareCode(code)))
    throw new Refusal('families.wrong_code', { fields: { triesLeft } })
}

/**
 * Opens the family's session after its code was right, and notes that the family has been here: the dashboard counts
 * it. Gives the token, which is shown once.
 */
export async function openFamilyPage(tx: Tx, now: Date, visit: Visit): Promise<string> {
  const link = await tx
    .updateTable('family_links')
    .set((row) => ({
      first_opened_at: row.fn.coalesce('first_opened_at', row.val(now)),
      last_opened_at: now,
    }))
    .where('id', '=', visit.linkId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!link) throw new Refusal('account.bad_link')
  if (visit.before !== undefined) await endSession(tx, now, visit.before)
  const { source, agent } = visit
  return openSession(tx, now, { kind: 'family', familyLinkId: link.id, source, agent })
}

/** Ends the family's session: the phone may be somebody else's. */
export async function closeFamilyPage(db: Db, now: Date, session: string): Promise<void> {
  await db.transaction().execute((tx) => endSession(tx, now, session))
}
