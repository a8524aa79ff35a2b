import * as calls from '@podium/contract/ledger/calls'
import { accountStatement, shareLedger } from '@podium/contract/ledger/calls-statement'
import { feeStatement } from '@podium/contract/payments/calls'
import type { Season } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { auditRead } from '#platform/audit'
import { accessToSchool } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { letterhead } from '#platform/foundation'
import { command, serve, write } from '#platform/http/http'
import { type ListColumn, sheetFile } from '#platform/sheets/spreadsheet-write'
import { journalFile } from './closing/documents.ts'
import { journal, moneyDaysOf } from './closing/queries.ts'
import { closeDay, closeDays, countLedgers } from './commands.ts'
import { allLedgers, ledgerAnswer, ledgersPage } from './queries.ts'
import { statementPdf } from './statement/documents.ts'
import { accountAnswer, statementOf } from './statement/queries.ts'

const columns: readonly ListColumn<calls.OfficeLedgerRow>[] = [
  { title: 'School code', width: 12, value: (row) => row.schCode },
  { title: 'School', width: 36, value: (row) => row.schName },
  { title: 'City', value: (row) => row.city },
  { title: 'State', value: (row) => row.state },
  { title: 'Students', kind: 'number', value: (row) => row.students },
  { title: 'Collected', kind: 'money', value: (row) => row.gross },
  { title: 'School’s share', kind: 'money', value: (row) => row.retained },
  { title: 'Payable', kind: 'money', value: (row) => row.payable },
  { title: 'Received', kind: 'money', value: (row) => row.paid },
  { title: 'To verify', kind: 'money', value: (row) => row.verifying },
  { title: 'Waived', kind: 'money', value: (row) => row.waived },
  { title: 'Moved', kind: 'money', value: (row) => row.moved },
  { title: 'Credit', kind: 'money', value: (row) => row.credit },
  { title: 'Outstanding', kind: 'money', value: (row) => row.balance },
]

/** Routes for closing days and for the accountant's journal. */
function closingRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads } = deps
  serve(app, deps, calls.moneyDays, 'office:payments.read', async ({ scope, query, now }) => ({
    data: await moneyDaysOf(db, scope, query.FYear, now),
  }))

  write(app, deps, calls.closeDay, 'office:payments.decide', async (tx, { scope, body, now }) => {
    await closeDay(tx, scope, now, body)
    return { day: body.day }
  })

  command(app, deps, calls.closeDays, 'office:payments.decide', closeDays)

  serve(app, deps, calls.exportDays, 'office:payments.read', async ({ scope, body, now }) => {
    const { from, until, format } = body
    const subject = { kind: 'money-day', id: until }
    const rows = await reads.caughtUp((tx) => journal(tx, from, until))
    const change = { from, until, format, rows: rows.length }
    await auditRead(db, now, scope, 'money.exported', subject, change)
    return { file: journalFile(rows, from, until, format) }
  })
}

/** Routes for the ledger of all schools and its export, statements of account, and day closings. */
export function ledgerRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads } = deps
  serve(app, deps, calls.officeLedger, 'office:payments.read', async ({ scope, query }) => {
    const uncounted = await countLedgers(db)
    return { ...(await ledgersPage(db, scope, query)), uncounted }
  })

  serve(app, deps, calls.exportLedger, 'office:payments.read', async ({ scope, body, now }) => {
    const { format, ...query } = body
    // An export must be complete, so it waits for all counts.
    while ((await countLedgers(db)) > 0);
    const subject = { kind: 'ledger', id: 'all', season: query.FYear }
    const schools = await reads.caughtUp((tx) => allLedgers(tx, scope, query))
    const change = { format, schools: schools.length, filters: query }
    await auditRead(db, now, scope, 'ledger.exported', subject, change)
    return { file: sheetFile(`Ledger ${query.FYear}`, columns, schools, format) }
  })

  serve(app, deps, calls.officeStatement, 'office:payments.read', async ({ scope, query, now }) => {
    const statement = await statementOf(db, accessToSchool(scope, query.schoolId), query.FYear)
    const content = await statementPdf(statement, await letterhead(db, deps.files), now)
    const name = `Fee-statement-${statement.school.code}-${query.FYear}.pdf`
    return { file: { name, mediaType: 'application/pdf', content } }
  })

  serve(app, deps, feeStatement, 'school', async ({ scope, query, now }) => {
    const statement = await statementOf(db, scope, query.FYear as Season)
    const content = await statementPdf(statement, await letterhead(db, deps.files), now)
    const name = `Fee-statement-${scope.schoolCode}-${query.FYear}.pdf`
    return { file: { name, mediaType: 'application/pdf', content } }
  })

  serve(app, deps, accountStatement, 'school', ({ scope, query }) => accountAnswer(db, scope, query.FYear))

  serve(app, deps, shareLedger, 'school', ({ scope, query }) => ledgerAnswer(db, scope, query.FYear))

  closingRoutes(app, deps)
}
