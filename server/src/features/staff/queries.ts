import { type RawBuilder, sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'

interface Waiting {
  applications: number
  payments: number
  /** Asked for by schools and not confirmed yet */
  contacts: number
  /** Fees that schools ask to be waived */
  waivers: number
  /** Lines of bank statements that nobody has decided */
  bankLines: number
  /** Refunds, and changes of bank accounts, that wait for a second person */
  refunds: number
  accounts: number
}

/** All seasons that there are, the newest first: for the choice in the header. */
export async function seasonLabels(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('seasons').select('label').orderBy('label', 'desc').execute()
  return rows.map(({ label }) => label)
}

/** How much waits for the office, for the numbers in its menu. */
export async function countWaiting(db: Db): Promise<Waiting> {
  const { rows } = await sql<Waiting>`
    select (select count(*) from applications where state_of_review = 'submitted') as applications,
           (select count(*) from payments where state = 'pending') as payments,
           (select count(*) from contacts where confirmed_at is null) as contacts,
           (select count(*) from waivers where state = 'asked') as waivers,
           (select count(*) from bank_lines where state = 'open') as "bankLines",
           (select count(*) from refunds where state = 'proposed') as refunds,
           (select count(*) from bank_account_changes where state = 'proposed') as accounts`.execute(db)
  return (
    rows[0] ?? {
      applications: 0,
      payments: 0,
      contacts: 0,
      waivers: 0,
      bankLines: 0,
      refunds: 0,
      accounts: 0,
    }
  )
}

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
