import {
  decideAccount as decideAccountCall,
  payAccounts,
  proposeAccount as proposeAccountCall,
  stopAccount as stopAccountCall,
  withdrawAccount as withdrawAccountCall,
} from '@podium/contract/payments/calls-accounts'
import type { FastifyInstance } from 'fastify'
import type { Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { decideAccount, proposeAccount, stopAccount, withdrawAccount } from './commands.ts'
import { payAccountsOf } from './queries.ts'

/** The foundation's own accounts, to which schools pay. */
export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  /** Writes, and lets the mails to the owners leave. */
  const write = async <Answer>(act: (tx: Tx) => Promise<Answer>): Promise<Answer> => {
    const answer = await deps.db.transaction().execute(act)
    deps.nudge()
    return answer
  }
  serve(app, deps, payAccounts, 'office:payments.read', ({ scope, now }) =>
    payAccountsOf(deps.db, scope, now),
  )

  serve(app, deps, proposeAccountCall, 'office:payments.decide', ({ scope, body, now }) =>
    write((tx) => proposeAccount(tx, scope, now, body)),
  )

  serve(app, deps, decideAccountCall, 'office:payments.decide', ({ scope, body, now }) =>
    write((tx) => decideAccount(tx, scope, now, body)),
  )

  serve(app, deps, withdrawAccountCall, 'office:payments.decide', async ({ scope, body, now }) => {
    await write((tx) => withdrawAccount(tx, scope, now, body.id))
    return { id: body.id }
  })

  serve(app, deps, stopAccountCall, 'office:payments.decide', async ({ scope, body, now }) => {
    await write((tx) => stopAccount(tx, scope, now, body.id, body.reason))
    return { id: body.id }
  })
}
