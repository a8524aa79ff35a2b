import type { Db } from './database.ts'
import { Refusal } from './errors.ts'
import { mayDo, type Permission } from './policy.ts'
import { mint, type OfficeScope } from './scope.ts'

/** The officer who has asked for long work; refuses one who may not do it any more. */
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
