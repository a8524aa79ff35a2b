import {
  closeDay as closeCall,
  closeDays as closeDaysCall,
  exportDays,
  moneyDays,
} from '@podium/contract/ledger/calls-closing'
import type { FastifyInstance } from 'fastify'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { serve, write } from '#platform/http/http'
import { journalFile } from '../documents.ts'
import { closeDay, closeDays } from './commands.ts'
import { journal, moneyDaysOf } from './queries.ts'

/** Days on which the money of the bank and of the books was found to agree, and the journal for the accountant. */
export function closingRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads } = deps
  serve(app, deps, moneyDays, 'office:payments.read', async ({ scope, query, now }) => ({
    data: await moneyDaysOf(db, scope, query.FYear, now),
  }))

  write(app, deps, closeCall, 'office:payments.decide', async (tx, { scope, body, now }) => {
    await closeDay(tx, scope, now, body)
    return { day: body.day }
  })

  write(app, deps, closeDaysCall, 'office:payments.decide', (tx, { scope, body, now }) =>
    closeDays(tx, scope, now, body),
  )

  serve(app, deps, exportDays, 'office:payments.read', async ({ scope, body, now }) => {
    const { from, until, format } = body
    const subject = { kind: 'money-day', id: until }
    const rows = await reads.caughtUp((tx) => journal(tx, from, until))
    const told = { from, until, format, rows: rows.length }
    await db.transaction().execute((tx) => audit(tx, now, scope, 'money.exported', subject, told))
    return { file: journalFile(rows, from, until, format) }
  })
}
