import {
  closeDay as closeCall,
  closeDays as closeDaysCall,
  exportDays,
  exportLedger,
  moneyDays,
  type OfficeLedgerRow,
  officeLedger,
  officeStatement,
} from '@podium/contract/ledger/calls'
import { accountStatement, shareLedger } from '@podium/contract/ledger/calls-statement'
import { feeStatement } from '@podium/contract/payments/calls'
import type { Season } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import { reachOf, requireOwnSchool } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { letterhead } from '#platform/foundation'
import { command, type FileAnswer, serve, write } from '#platform/http/http'
import {
  type SheetColumn,
  type SheetFormat,
  type SheetValue,
  sheetFile as sheet,
} from '#platform/sheets/spreadsheet-write'
import { journalFile } from './closing/documents.ts'
import { journal, moneyDaysOf } from './closing/queries.ts'
import { closeDay, closeDays, countLedgers } from './commands.ts'
import { allLedgers, ledgerAnswer, ledgersPage } from './queries.ts'
import { statementPdf } from './statement/documents.ts'
import { accountAnswer, statementOf } from './statement/queries.ts'

const columns: readonly SheetColumn[] = [
  { title: 'Code', width: 12 },
  { title: 'School', width: 36 },
  { title: 'City' },
  { title: 'State' },
  { title: 'Students', kind: 'number' },
  { title: 'Collected', kind: 'money' },
  { title: 'School’s share', kind: 'money' },
  { title: 'Payable', kind: 'money' },
  { title: 'Received', kind: 'money' },
  { title: 'Being verified', kind: 'money' },
  { title: 'Waived', kind: 'money' },
  { title: 'Moved', kind: 'money' },
  { title: 'In credit', kind: 'money' },
  { title: 'Outstanding', kind: 'money' },
]

/** The ledger of all schools as a file; amounts in rupees. */
function ledgersFile(
  schools: readonly OfficeLedgerRow[],
  season: string,
  format: SheetFormat,
): FileAnswer['file'] {
  const rows = schools.map((row): SheetValue[] => [
    row.schCode,
    row.schName,
    row.city,
    row.state,
    row.students,
    row.gross,
    row.retained,
    row.payable,
    row.paid,
    row.verifying,
    row.waived,
    row.moved,
    row.credit,
    row.balance,
  ])
  return sheet(`Ledger ${season}`, columns, rows, format)
}

/** Routes for closing days and for the accountant's journal. */
function closingRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads } = deps
  serve(app, deps, moneyDays, 'office:payments.read', async ({ scope, query, now }) => ({
    data: await moneyDaysOf(db, scope, query.FYear, now),
  }))

  write(app, deps, closeCall, 'office:payments.decide', async (tx, { scope, body, now }) => {
    await closeDay(tx, scope, now, body)
    return { day: body.day }
  })

  command(app, deps, closeDaysCall, 'office:payments.decide', closeDays)

  serve(app, deps, exportDays, 'office:payments.read', async ({ scope, body, now }) => {
    const { from, until, format } = body
    const subject = { kind: 'money-day', id: until }
    const rows = await reads.caughtUp((tx) => journal(tx, from, until))
    const change = { from, until, format, rows: rows.length }
    await db.transaction().execute((tx) => audit(tx, now, scope, 'money.exported', subject, change))
    return { file: journalFile(rows, from, until, format) }
  })
}

/** Routes for the ledger of all schools and its export, statements of account, and day closings. */
export function ledgerRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads } = deps
  serve(app, deps, officeLedger, 'office:payments.read', async ({ scope, query }) => {
    const uncounted = await countLedgers(db)
    return { ...(await ledgersPage(db, scope, query)), uncounted }
  })

  serve(app, deps, exportLedger, 'office:payments.read', async ({ scope, body, now }) => {
    const { format, ...query } = body
    // An export must be complete, so it waits for all counts.
    while ((await countLedgers(db)) > 0);
    const subject = { kind: 'ledger', id: 'all', season: query.FYear }
    const schools = await reads.caughtUp((tx) => allLedgers(tx, scope, query))
    const change = { format, schools: schools.length, filters: query }
    await db.transaction().execute((tx) => audit(tx, now, scope, 'ledger.exported', subject, change))
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
