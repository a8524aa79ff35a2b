import type { ParsedBody } from '@podium/contract/endpoint'
import {
  accountChangeDelay,
  type proposeAccount as proposeAccountCall,
} from '@podium/contract/payments/calls-accounts'
import { formatMoment } from '@podium/contract/season'
import { refuseRecentJoiner } from '#features/staff/queries'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { addedRow, changeRows, findRows, firstRow } from '#platform/db/rows'
import { orNotFound, Refusal } from '#platform/errors'
import { mailSender } from '#platform/foundation'
import { enqueueMail } from '#platform/jobs/outbox'
import { officeMailWord, renderOfficeMail } from '#platform/mail/mail-templates'
import { bankAccount } from '../queries.ts'

const subjectOf = (id: number) => ({ kind: 'account-change', id })

/** Proposes a new bank account for schools' payments. Refuses with `account.change_open`, `account.change_none`. */
export async function proposeAccount(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  proposal: ParsedBody<typeof proposeAccountCall>,
): Promise<{ id: number }> {
  const details = {
    account_name: proposal.accountName,
    bank_name: proposal.bankName,
    account_no: proposal.accountNo,
    ifsc: proposal.ifsc,
    upi_id: proposal.upiId,
  }
  const current = await bankAccount(tx, proposal.purpose, now)
  const fields = ['accountName', 'bankName', 'accountNo', 'ifsc', 'upiId'] as const
  const same = current && fields.every((name) => current[name] === proposal[name])
  if (same) throw new Refusal('account.change_none')
  const made = await tx
    .insertInto('bank_account_changes')
    .values({
      purpose: proposal.purpose,
      ...details,
      reason: proposal.reason,
      proposed_by: scope.staffId,
      proposed_at: now,
    })
    .onConflict((conflict) => conflict.column('purpose').where('state', '=', 'proposed').doNothing())
    .returning('id')
    .executeTakeFirst()
  const { id } = orNotFound(made, 'account.change_open')
  await audit(tx, now, scope, 'bank_account.proposed', subjectOf(id), {
    purpose: proposal.purpose,
    ...details,
    reason: proposal.reason,
  })
  await mailOwners(tx, scope, now, id, 'proposed')
  return { id }
}

/** Ends a change that is in this state; a second officer is refused. */
async function end(
  tx: Tx,
  id: number,
  from: 'proposed' | 'approved',
  set: {
    state: 'approved' | 'rejected' | 'withdrawn' | 'stopped'
    decided_by?: number
    decided_at?: Date
    decision_note?: string
    valid_from?: Date
  },
) {
  const [change] = await changeRows(tx, 'bank_account_changes', {
    where: { id, state: from },
    set,
    returning: [
      'purpose',
      'account_name',
      'bank_name',
      'account_no',
      'ifsc',
      'upi_id',
      'valid_from',
      'account_id',
    ],
  })
  return orNotFound(change, 'account.change_decided')
}

/**
 * The second person's decision. An approval takes effect after a day, so that the owners, who are notified at once, can stop
 * it. Refuses with `not_found`, `account.change_own`, `account.change_decided`.
 */
export async function decideAccount(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  decision: { id: number; approve: boolean; note: string },
): Promise<{ id: number; validFrom: string | null }> {
  const { id, approve, note } = decision
  const proposal = orNotFound(
    await firstRow(tx, 'bank_account_changes', { id }, ['proposed_by', 'proposed_at']),
  )
  if (proposal.proposed_by === scope.staffId) throw new Refusal('account.change_own')
  if (approve) await refuseRecentJoiner(tx, scope, proposal.proposed_at)
  const by = { decided_by: scope.staffId, decided_at: now, decision_note: note }
  if (!approve) {
    await end(tx, id, 'proposed', { state: 'rejected', ...by })
    await audit(tx, now, scope, 'bank_account.rejected', subjectOf(id), {
      from: 'proposed',
      to: 'rejected',
      note,
    })
    await mailOwners(tx, scope, now, id, 'rejected')
    return { id, validFrom: null }
  }
  const validFrom = new Date(now.getTime() + accountChangeDelay * 3_600_000)
  const change = await end(tx, id, 'proposed', { state: 'approved', ...by, valid_from: validFrom })
  const account = await addedRow(tx, 'bank_accounts', ['id'], {
    purpose: change.purpose,
    account_name: change.account_name,
    bank_name: change.bank_name,
    account_no: change.account_no,
    ifsc: change.ifsc,
    upi_id: change.upi_id,
    valid_from: validFrom,
  })
  await tx.updateTable('bank_account_changes').set({ account_id: account.id }).where('id', '=', id).execute()
  await audit(tx, now, scope, 'bank_account.approved', subjectOf(id), {
    from: 'proposed',
    to: 'approved',
    validFrom: validFrom.toISOString(),
    note,
  })
  await mailOwners(tx, scope, now, id, 'approved')
  return { id, validFrom: validFrom.toISOString() }
}

/** Withdraws an undecided change. */
export async function withdrawAccount(tx: Tx, scope: OfficeScope, now: Date, id: number): Promise<void> {
  await end(tx, id, 'proposed', { state: 'withdrawn' })
  await audit(tx, now, scope, 'bank_account.withdrawn', subjectOf(id), { from: 'proposed', to: 'withdrawn' })
}

/** Stops an approved change before schools see it; after that, undoing it needs two people again. Refuses with `account.change_decided`. */
export async function stopAccount(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  id: number,
  reason: string,
): Promise<void> {
  const change = await end(tx, id, 'approved', { state: 'stopped', decision_note: reason })
  if (change.valid_from === null || change.valid_from <= now) throw new Refusal('account.change_decided')
  await changeRows(tx, 'bank_accounts', { where: { id: change.account_id ?? 0 }, set: { stopped_at: now } })
  await audit(tx, now, scope, 'bank_account.stopped', subjectOf(id), {
    from: 'approved',
    to: 'stopped',
    reason,
  })
  await mailOwners(tx, scope, now, id, 'stopped')
}

type AccountStep = 'proposed' | 'approved' | 'rejected' | 'stopped'

/** Notifies every owner of each step, whoever took it (docs/security.md, T9). */
async function mailOwners(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  id: number,
  step: AccountStep,
): Promise<void> {
  const change = await tx
    .selectFrom('bank_account_changes')
    .select(['purpose', 'account_no', 'ifsc', 'upi_id', 'reason', 'decision_note', 'valid_from'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const owners = await findRows(tx, 'staff', { role: 'owner', disabled_at: null }, ['id', 'name', 'email'])
  const sender = await mailSender(tx)
  const { upi_id: upiId, valid_from: from } = change
  const values = {
    by: scope.name,
    purpose: change.purpose === 'registration' ? 'registration fees' : 'books',
    accountNo: change.account_no,
    ifsc: change.ifsc,
    upi: upiId === '' ? officeMailWord('without-upi') : officeMailWord('with-upi', { upiId }),
    reason: step === 'proposed' ? change.reason : change.decision_note,
    at: from ? formatMoment(from) : '',
  }
  for (const owner of owners) {
    await enqueueMail(tx, now, {
      key: `account-change:${id}:${step}:${owner.id}`,
      kind: 'account-change',
      to: { name: owner.name, address: owner.email },
      ...renderOfficeMail(sender, `bank-account-${step}`, { name: owner.name, ...values }),
    })
  }
}
