import type { Db } from '#platform/database'
import { Refusal } from '#platform/errors'
import { mayDo, type Permission } from '#platform/policy'
import { mint, type OfficeScope } from '#platform/scope'

/** Who has asked for the work, if he still may. */
export async function officerOf(db: Db, staffId: number, permission: Permission): Promise<OfficeScope> {
  const row = await db
    .selectFrom('staff')
    .select(['id', 'name', 'email', 'role'])
    .where('id', '=', staffId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row || !mayDo(row.role, permission)) throw new Refusal('access.denied')
  return mint<OfficeScope>({
    kind: 'office',
    staffId: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    session: '',
  })
}
