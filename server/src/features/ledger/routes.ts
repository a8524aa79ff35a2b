import { exportLedger, officeLedger, officeStatement } from '@podium/contract/ledger/calls'
import { accountStatement, shareLedger } from '@podium/contract/ledger/calls-statement'
import { feeStatement } from '@podium/contract/payments/calls'
import type { Season } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import { requireOwnSchool } from '#platform/auth/require-own-school'
import { reachOf } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { letterhead } from '#platform/foundation'
import { serve } from '#platform/http/http'
import { closingRoutes } from './closing/routes.ts'
import { countLedgers } from './commands.ts'
import { ledgersFile } from './documents.ts'
import { allLedgers, ledgersPage } from './queries.ts'
import { ledgerAnswer } from './shares/queries.ts'
import { statementPdf } from './statement/documents.ts'
import { accountAnswer, statementOf } from './statement/queries.ts'

/** The ledger over all schools: what each owes, has paid and keeps, as a file, too; the statement of each, and closed days. */
export function ledgerRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads } = deps
  serve(app, deps, officeLedger, 'office:payments.read', async ({ scope, query }) => {
    const uncounted = await countLedgers(db)
    return { ...(await ledgersPage(db, scope, query)), uncounted }
  })

  serve(app, deps, exportLedger, 'office:payments.read', async ({ scope, body, now }) => {
    const { format, ...query } = body
    // A file is made once: it waits for all that is to be counted.
    while ((await countLedgers(db)) > 0);
    const subject = { kind: 'ledger', id: 'all', season: query.FYear }
    const schools = await reads.caughtUp((tx) => allLedgers(tx, scope, query))
    const told = { format, schools: schools.length, filters: query }
    await db.transaction().execute((tx) => audit(tx, now, scope, 'ledger.exported', subject, told))
    return { file: ledgersFile(schools, query.FYear, format) }
  })

  serve(app, deps, officeStatement, 'office:payments.read', async ({ scope, query, now }) => {
    const statement = await statementOf(db, reachOf(scope, query.schoolId), query.FYear)
    const content = await statementPdf(statement, await letterhead(db, deps.files), now)
    const name = `Fee-statement-${statement.school.code}-${query.FYear}.pdf`
    return { file: { name, mediaType: 'application/pdf', content } }
  })

  serve(app, deps, feeStatement, 'school', async ({ scope, query, now }) => {
    requireOwnSchool(scope, query)
    const statement = await statementOf(db, scope, query.FYear as Season)
    const content = await statementPdf(statement, await letterhead(db, deps.files), now)
    const name = `Fee-statement-${scope.schoolCode}-${query.FYear}.pdf`
    return { file: { name, mediaType: 'application/pdf', content } }
  })

  serve(app, deps, accountStatement, 'school', async ({ scope, query }) => {
    requireOwnSchool(scope, query)
    return accountAnswer(db, scope, query.FYear)
  })

  serve(app, deps, shareLedger, 'school', async ({ scope, query }) => {
    requireOwnSchool(scope, query)
    return ledgerAnswer(db, scope, query.FYear)
  })

  closingRoutes(app, deps)
}
