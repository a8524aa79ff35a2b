import {
  type AccountChange,
  type AccountPurpose,
  accountPurposes,
  decideAccount as decideAccountCall,
  payAccounts,
  proposeAccount as proposeAccountCall,
  stopAccount as stopAccountCall,
  withdrawAccount as withdrawAccountCall,
} from '@podium/contract/payments/calls-accounts'
import type { FastifyInstance } from 'fastify'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { bankAccount } from '../queries.ts'
import { decideAccount, proposeAccount, stopAccount, withdrawAccount } from './commands.ts'

/** The accounts that schools see now, and every change of them, the newest first. */
async function payAccountsOf(db: Db, scope: OfficeScope, now: Date) {
  const current = []
  for (const purpose of accountPurposes) {
    const row = await bankAccount(db, purpose, now)
    if (row) current.push({ ...detailsOf({ ...row, purpose }), validFrom: row.valid_from.toISOString() })
  }
  const rows = await db
    .selectFrom('bank_account_changes as c')
    .innerJoin('staff as p', 'p.id', 'c.proposed_by')
    .leftJoin('staff as d', 'd.id', 'c.decided_by')
    .select(['c.id', 'c.purpose', 'c.account_name', 'c.bank_name', 'c.account_no', 'c.ifsc', 'c.upi_id'])
    .select(['c.reason', 'c.state', 'c.proposed_by', 'c.proposed_at', 'c.decided_by', 'c.decided_at'])
    .select(['c.decision_note', 'c.valid_from', 'c.account_id'])
    .select(['p.name as proposer', 'd.name as decider'])
    .orderBy('c.id', 'desc')
    .limit(100)
    .execute()
  const may = mayDo(scope.role, 'payments.decide') || 'access.denied'
  const changes: AccountChange[] = rows.map((row) => {
    const open = row.state === 'proposed'
    const own = row.proposed_by === scope.staffId
    const soon = row.state === 'approved' && row.valid_from !== null && row.valid_from > now
    return {
      id: row.id,
      ...detailsOf(row),
      reason: row.reason,
      state: row.state as AccountChange['state'],
      proposedBy: row.proposer,
      proposedAt: row.proposed_at.toISOString(),
      decidedBy: row.decider ?? '',
      decidedAt: row.decided_at?.toISOString() ?? null,
      decisionNote: row.decision_note,
      validFrom: row.valid_from?.toISOString() ?? null,
      can: {
        decide: !open ? 'account.change_decided' : own ? 'account.change_own' : may,
        withdraw: open ? may : 'account.change_decided',
        stop: soon ? may : 'account.change_decided',
      },
    }
  })
  return { current, changes, can: { propose: may } }
}

interface Row {
  purpose: string
  account_name: string
  bank_name: string
  account_no: string
  ifsc: string
  upi_id: string
}

const detailsOf = (row: Row) => ({
  purpose: row.purpose as AccountPurpose,
  accountName: row.account_name,
  bankName: row.bank_name,
  accountNo: row.account_no,
  ifsc: row.ifsc,
  upiId: row.upi_id,
})

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
