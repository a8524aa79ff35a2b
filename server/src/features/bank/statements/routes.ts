import * as calls from '@podium/contract/bank/calls'
import {
  addBankRule,
  bankJob,
  bankRules,
  bankStatements,
  importStatement as importCall,
  previewBankRule,
  previewStatement,
  reconcileStatement as reconcileCall,
  reopenStatement as reopenStatementCall,
  revokeBankRule,
} from '@podium/contract/bank/calls-statements'
import { rupees, sumPaise } from '@podium/contract/money'
import { verifyExact } from '@podium/contract/payments/calls-verification'
import type { FastifyInstance } from 'fastify'
import { hashOf } from '#features/payments/submission/commands'
import { planMatching } from '#features/payments/verification/commands'
import { notifyOfExport } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { command, noGuard, serve, write } from '#platform/http/http'
import { idempotent, runBulk } from '#platform/http/idempotency'
import { enqueueJob, lockPlanning, readJob } from '#platform/jobs/jobs'
import { type ListColumn, sheetFile, timestampCell } from '#platform/sheets/spreadsheet-write'
import { creditRoutes } from '../credits/routes.ts'
import { addRule, revokeRule, rulePreview, rulesOf } from '../rules/commands.ts'
import * as commands from './commands.ts'
import { bookLine, planBooking, planExact, undoBooking } from './commands-book.ts'
import { discardLines, reopenLines, settleReturned } from './commands-lines.ts'
import * as queries from './queries.ts'
import { bankLineOf, searchItems } from './queries-line.ts'

const columns: readonly ListColumn<queries.BookedLine>[] = [
  { title: 'Date', kind: 'date', value: (line) => line.day },
  { title: 'Account', width: 20, value: (line) => line.account },
  { title: 'Amount', kind: 'money', value: (line) => rupees(line.amount) },
  { title: 'UTR', width: 24, value: (line) => line.utr },
  { title: 'Narration', width: 48, value: (line) => line.narration },
  { title: 'School code', width: 12, value: (line) => line.code },
  { title: 'School', width: 36, value: (line) => line.school },
  { title: 'To payments', kind: 'money', value: (line) => rupees(line.toPayments) },
  { title: 'To credit', kind: 'money', value: (line) => rupees(line.toCredit) },
  { title: 'Receipts', width: 28, value: (line) => line.receipts },
  { title: 'Reason', width: 32, value: (line) => line.reason },
  { title: 'Assigned to', width: 24, value: (line) => line.assignee?.name ?? '' },
  { title: 'Decided by', width: 24, value: (line) => line.decidedBy },
  { title: 'Decided', width: 22, value: (line) => timestampCell(line.decidedAt?.toISOString() ?? null) },
]

/** Routes for bank statements: import, matching, and decisions on lines, singly or all exact ones at once. */
export function bankRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads } = deps
  serve(app, deps, bankStatements, 'office:payments.read', ({ scope }) => queries.statementsOf(db, scope))

  serve(app, deps, calls.bankLines, 'office:payments.read', ({ scope, query }) =>
    queries.bankLinesOf(db, scope, query),
  )

  serve(app, deps, calls.exportBankLines, 'office:payments.read', async ({ scope, body, now }) => {
    const { format, ...filters } = body
    const subject = { kind: 'bank-line', id: 'all', season: body.FYear }
    const lines = await reads.caughtUp((tx) => queries.allBankLines(tx, scope, filters))
    await db.transaction().execute(async (tx) => {
      await audit(tx, now, scope, 'bank.exported', subject, { format, lines: lines.length, filters })
      await notifyOfExport(tx, scope, now, 'the lines of bank statements', lines.length)
    })
    return { file: sheetFile(`Bank lines ${body.state} ${body.FYear}`, columns, lines, format) }
  })

  serve(app, deps, calls.bankLineDetails, 'office:payments.read', async ({ scope, query }) => ({
    line: await bankLineOf(db, scope, query.id),
  }))

  serve(app, deps, calls.bankItems, 'office:payments.read', ({ scope, query }) =>
    searchItems(db, scope, query.search),
  )

  serve(app, deps, calls.exactLines, 'office:payments.read', ({ scope, query }) =>
    queries.exactLinesOf(db, scope, query),
  )

  serve(app, deps, bankJob, 'office:payments.read', async ({ query }) => {
    const job = await readJob(db, query.jobId)
    const { id, kind, state, done, total, error, output } = orNotFound(
      job?.kind.startsWith('bank-') ? job : undefined,
    )
    const figure = (name: string) => Number(output?.[name] ?? 0)
    return {
      job: {
        jobId: id,
        kind,
        state,
        done,
        total,
        error,
        booked: figure('booked'),
        skipped: figure('skipped'),
        exact: figure('exact'),
        likely: figure('likely'),
      },
    }
  })

  serve(
    app,
    deps,
    previewStatement,
    'office:payments.decide',
    async ({ query, upload }) => previewOf(await commands.readStatement(db, upload, query.mapping)),
    { guard: noGuard },
  )

  serve(
    app,
    deps,
    importCall,
    'office:payments.decide',
    async ({ scope, query, upload, now, request }) => {
      const read = await commands.readStatement(db, upload, query.mapping)
      const keyed = { scope, now, request, body: [query, hashOf(upload.bytes)] }
      const imported = await db
        .transaction()
        .execute((tx) =>
          idempotent(tx, keyed, () =>
            commands.importStatement(tx, scope, now, upload, read, query.accountNo),
          ),
        )
      deps.wake()
      return imported
    },
    {
      async guard({ query }) {
        await commands.refuseUnknownAccount(db, query.accountNo)
        return undefined
      },
    },
  )

  decisionRoutes(app, deps)

  serve(app, deps, verifyExact, 'office:payments.decide', ({ scope, body, now, request }) => {
    const together = body.payments.map(({ id }) => id)
    const looked = body.looked === true && together.length === 1
    const seen = body.payments.map((payment) => ({ ...payment, together, looked }))
    const by = { scope, key: request.idempotencyKey }
    return runBulk(db, now, by, seen, (tx, payment) => planExact(tx, scope, now, payment))
  })

  creditRoutes(app, deps)
}

function decisionRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  write(app, deps, calls.bookLine, 'office:payments.decide', async (tx, { scope, body, now }) => {
    if (body.undoable) return planBooking(tx, scope, now, body)
    const { schools, ...booked } = await bookLine(tx, scope, now, body)
    await planMatching(tx, now, schools)
    return { ...booked, booksAt: null }
  })

  write(app, deps, calls.undoBooking, 'office:payments.decide', async (tx, { scope, body, now }) => {
    await undoBooking(tx, scope, now, body)
    return { id: body.id }
  })

  serve(app, deps, calls.undoBookings, 'office:payments.decide', ({ scope, body, now }) =>
    runBulk(db, now, { scope, key: undefined }, body.lines, async (tx, line) => {
      await undoBooking(tx, scope, now, line)
      return { id: line.id }
    }),
  )

  write(app, deps, calls.bookExactLines, 'office:payments.decide', async (tx, { scope, body, now }) => {
    const { lines } = body
    await lockPlanning(tx, 'bank-book')
    if ((await queries.runningJob(tx))?.kind === 'bank-book') throw new Refusal('bank.working')
    const booking = { kind: 'bank-book', total: lines.length, input: { lines }, createdBy: scope.staffId }
    const jobId = await enqueueJob(tx, now, booking)
    await audit(tx, now, scope, 'bank.book_exact', { kind: 'job', id: jobId }, { lines: lines.length })
    return { jobId }
  })

  write(app, deps, calls.discardLine, 'office:payments.decide', (tx, { scope, body, now }) =>
    discardLines(tx, scope, now, body.lines, body.reason),
  )

  serve(app, deps, bankRules, 'office:payments.read', ({ scope }) => rulesOf(db, scope))

  serve(app, deps, previewBankRule, 'office:payments.read', ({ scope, query }) =>
    rulePreview(db, scope, query.contains),
  )

  command(app, deps, addBankRule, 'office:payments.decide', addRule)

  write(app, deps, revokeBankRule, 'office:payments.decide', async (tx, { scope, body, now }) => {
    await revokeRule(tx, scope, now, body.id)
    return { id: body.id }
  })

  write(app, deps, calls.reopenLine, 'office:payments.decide', (tx, { scope, body, now }) =>
    reopenLines(tx, scope, now, body.lines),
  )

  write(app, deps, calls.decideReturned, 'office:payments.decide', (tx, { scope, body, now }) =>
    settleReturned(tx, scope, now, body, `${deps.settings.publicUrl}/Importantlink/managepayment`),
  )

  write(app, deps, reconcileCall, 'office:payments.decide', async (tx, { scope, body, now }) => {
    await commands.reconcileStatement(tx, scope, now, body)
    return { id: body.id }
  })

  write(app, deps, reopenStatementCall, 'office:payments.reopen', async (tx, { scope, body, now }) => {
    await commands.reopenStatement(tx, scope, now, body)
    return { id: body.id }
  })

  write(app, deps, calls.matchAgain, 'office:payments.decide', async (tx, { scope, now }) => {
    await lockPlanning(tx, 'bank-match')
    const under = await queries.runningJob(tx)
    if (under) return { jobId: under.id }
    const jobId = await enqueueJob(tx, now, { kind: 'bank-match', input: {} })
    await audit(tx, now, scope, 'bank.match', { kind: 'job', id: jobId })
    return { jobId }
  })
}

const shownUnread = 20

/** A preview of a parsed file, with its first lines. */
function previewOf({ lines, unread, ...read }: commands.ReadFile) {
  return {
    ...read,
    lines: lines.length,
    amount: rupees(sumPaise(lines.map(({ amount }) => amount))),
    first: lines.slice(0, 6).map((line) => ({ ...line, amount: rupees(line.amount) })),
    unread: unread.slice(0, shownUnread),
    unreadRows: unread.length,
  }
}
