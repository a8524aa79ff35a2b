import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'

interface Working {
  /** The school that the address belongs to */
  id: number
  email: string
  at: string
}

/** Whose the address is: of somebody who signs in for the school, of a contact or of the school itself. */
async function ownerOf(tx: Tx, { id, email }: Working) {
  const { rows } = await sql<{ kind: 'user' | 'contact' | 'school'; id: number }>`
    select kind, id from (
      select 1 as place, 'user' as kind, id from users where school_id = ${id} and email = ${email}
      union all select 2, 'contact', id from contacts where school_id = ${id} and lower(email) = ${email}
      union all select 3, 'school', id from schools where id = ${id} and lower(email) = ${email}) o
    order by place, id desc limit 1`.execute(tx)
  return orNotFound(rows[0])
}

/**
 * Takes the mark off an address of a school, which the office knows to work again; once it has none, that changes nothing.
 * Refuses `not_found` for an address of another school, and `changed_meanwhile` where an e-mail has come back since.
 */
export async function clearMark(tx: Tx, scope: OfficeScope, now: Date, working: Working): Promise<void> {
  const owner = await ownerOf(tx, working)
  const mark = await tx
    .selectFrom('bounced_addresses')
    .select(['at', 'status'])
    .where('address', '=', working.email)
    .forUpdate()
    .executeTakeFirst()
  if (!mark) return
  // Shown to the second.
  if (Math.floor(mark.at.getTime() / 1000) > Date.parse(working.at) / 1000)
    throw new Refusal('changed_meanwhile')
  await tx.deleteFrom('bounced_addresses').where('address', '=', working.email).execute()
  const change = { from: { returnedSince: mark.at.toISOString() }, to: { returnedSince: '' } }
  await audit(tx, now, scope, 'school.address_works', { ...owner, schoolId: working.id }, change)
}
