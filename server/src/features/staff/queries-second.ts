import { type RawBuilder, sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'

/**
 * The second person of a decision by two must have been in the office when the first proposed it: otherwise whoever may
 * invite others could make one for the occasion. Refuses with `second.too_new`.
 */
export async function refuseTooNew(tx: Tx, scope: OfficeScope, proposedAt: Date): Promise<void> {
  const { created_at } = await tx
    .selectFrom('staff')
    .select('created_at')
    .where('id', '=', scope.staffId)
    .executeTakeFirstOrThrow()
  if (created_at > proposedAt) throw new Refusal('second.too_new')
}

/** Whether the caller came into the office after an instant of a statement, for what is told before a button is pressed. */
export const cameAfter = (scope: OfficeScope, proposedAt: RawBuilder<unknown>) => sql<boolean>`
  coalesce((select me.created_at > ${proposedAt} from staff me where me.id = ${scope.staffId}), false)`
