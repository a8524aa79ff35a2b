import type { Season } from '@podium/contract/season'
import type { DueClass } from '#features/payments/library/queries'
import { dueClasses, type SchoolPayment, schoolPayments } from '#features/payments/queries'
import type { SchoolReach } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { found } from '#platform/errors'
import { type LedgerLine, ledgerLines } from '../shares/queries.ts'
import { accountLines } from './queries-account.ts'
import type { AccountLine } from './rules.ts'

/** What a fee statement tells; amounts in paise. */
export interface Statement {
  school: { name: string; code: string; city: string; state: string }
  season: Season
  due: readonly DueClass[]
  /** The newest first */
  payments: readonly SchoolPayment[]
  account: readonly AccountLine[]
  ledger: readonly LedgerLine[]
}

/** What the school owes in a season, class by class, and what it has sent. */
export async function statementOf(db: Db, scope: SchoolReach, season: Season): Promise<Statement> {
  const school = found(
    await db
      .selectFrom('schools')
      .select(['name', 'code', 'city', 'state'])
      .where('id', '=', scope.schoolId)
      .executeTakeFirst(),
  )
  return {
    school,
    season,
    due: await dueClasses(db, scope, season),
    payments: await schoolPayments(db, scope, season),
    account: await accountLines(db, scope, season),
    ledger: await ledgerLines(db, scope, season),
  }
}
