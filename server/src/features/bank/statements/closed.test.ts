import assert from 'node:assert/strict'
import { test } from 'node:test'
import { discardLine, reopenLine } from '@podium/contract/bank/calls'
import { bankStatements, reconcileStatement, reopenStatement } from '@podium/contract/bank/calls-statements'
import { aUtr, importFile, lineWith } from '#test/bank-factories'
import { anOfficer } from '#test/factories'
import { auditLine } from '#test/file-call'
import { aFoundation } from '#test/payments-factories'
import { changeRows, findRow } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'

const now = new Date('2026-11-21T06:00:00Z')
const server = beforehand(() => testServer({ clock: () => now }))
const officer = beforehand(() => anOfficer('accounts'))

const statementOf = async (id: number) =>
  (await server.ask(bankStatements, {}, officer)).data.find((row) => row.id === id) ?? assert.fail()

/** A statement with a column of balances, newest line first, and its lines. */
async function aStatement(balances: boolean) {
  const word = `BALANCED ${aUtr()}`
  const rows = [
    `20/11/2026,"${word} B",,,"200.00",${balances ? '"1,288.20"' : ''}`,
    `19/11/2026,NEFT CHARGES,,11.80,,${balances ? '"1,088.20"' : ''}`,
    `18/11/2026,"${word} A",,,"100.00",${balances ? '"1,100.00"' : ''}`,
  ]
  const text = ['Txn Date,Narration,Ref No,Withdrawal Amt,Deposit Amt,Balance', ...rows].join('\r\n')
  const file = { name: 'balanced.csv', bytes: new TextEncoder().encode(text) }
  await aFoundation()
  const { imported } = await importFile(server, officer.token, file)
  return {
    id: imported.id,
    lines: [
      await lineWith(server, officer.token, `${word} A`),
      await lineWith(server, officer.token, `${word} B`),
    ],
  }
}
const reconcile = (id: number, balances: { opening?: number; closing?: number } = {}, who = officer) =>
  server.call(reconcileStatement, { body: { id, ...balances } }, who)
const ignore = (lines: readonly { id: number; version: number }[]) =>
  server.call(
    discardLine,
    { body: { lines: lines.map(({ id, version }) => ({ id, version })), reason: 'Not ours' } },
    officer,
  )

test('a statement is closed with its balances once all lines are decided, and nothing in it changes afterwards', async () => {
  const { id, lines } = await aStatement(true)
  const { opening, closing, incoming, outgoingAmount, waiting } = await statementOf(id)
  assert.deepEqual([opening, closing, incoming, outgoingAmount, waiting], [1000, 1288.2, 300, 11.8, 2])
  await refused('bank.lines_open', reconcile(id))
  await ignore(lines)
  assert.equal((await reconcile(id, {}, await anOfficer('viewer'))).status, 403)
  // Values from the file can't be overwritten.
  assert.equal((await reconcile(id, { opening: 1, closing: 2 })).status, 200)
  assert.equal((await statementOf(id)).reconciledBy.length > 0, true)
  await refused('bank.reconciled', reconcile(id))
  const [line] = lines
  const { version } = await findRow('bank_lines', { id: line?.id ?? 0 })
  const undo = { body: { lines: [{ id: line?.id ?? 0, version }] } }
  const mayReopen = async () => (await lineWith(server, officer.token, line?.narration ?? '')).can.reopen
  assert.equal(await mayReopen(), 'bank.reconciled')
  await refused('bank.reconciled', server.call(reopenLine, undo, officer))
  const again = { body: { id, reason: 'A line was ignored by mistake' } }
  assert.equal((await server.call(reopenStatement, again, officer)).status, 403)
  const owner = await anOfficer('owner')
  assert.equal((await server.call(reopenStatement, { body: { id, reason: ' ' } }, owner)).status, 400)
  assert.equal((await server.call(reopenStatement, again, owner)).status, 200)
  assert.equal(await mayReopen(), true)
  assert.equal((await server.call(reopenLine, undo, officer)).status, 200)
  const audited = await auditLine(['action', 'change'], { subject_kind: 'bank-statement', subject_id: id })
  assert.equal(audited.action, 'bank.statement_reopened')
  assert.equal((audited.change as { reason?: string }).reason, again.body.reason)
})

test('balances missing in a statement are typed in, and a difference of a paisa keeps it open', async () => {
  const { id, lines } = await aStatement(false)
  await ignore(lines)
  await refused('bank.balances_needed', reconcile(id))
  await refused('bank.difference', reconcile(id, { opening: 1000, closing: 1288.21 }))
  assert.equal((await reconcile(id, { opening: -500, closing: -211.8 })).status, 200)
  assert.deepEqual([(await statementOf(id)).opening, (await statementOf(id)).closing], [-500, -211.8])
  const open = { state: 'open' as const, discarded: 0, decided_by: null, decided_at: null }
  await server.deps.db.updateTable('bank_lines').set(open).where('statement_id', '=', id).execute()
  const { version } = await lineWith(server, officer.token, lines[0]?.narration ?? '')
  const lineVersion = [{ id: lines[0]?.id ?? 0, version }]
  await refused('bank.reconciled', ignore(lineVersion))
  await changeRows('bank_statements', { id }, { incoming: null, reconciled_at: null })
  await refused('bank.no_sums', reconcile(id))
})
