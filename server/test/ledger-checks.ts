import assert from 'node:assert/strict'
import { officeLedger } from '@podium/contract/ledger/calls'
import { accountStatement } from '@podium/contract/ledger/calls-statement'
import { thisSeason } from './factories.ts'
import { findRow } from './rows.ts'
import type { TestServer } from './server.ts'

/** Returns the office's row of a school in the season, if the ledger has one. */
export async function ledgerRow(server: TestServer, officer: { token: string }, schoolId: number) {
  const { code } = await findRow('schools', { id: schoolId })
  const query = { FYear: thisSeason, search: code }
  const body = await server.ask(officeLedger, query, officer)
  assert.equal(body.uncounted, 0, JSON.stringify(body))
  return body.data.find((row) => row.schoolId === schoolId)
}

/** Checks that the office's ledger of a school equals the sums of the school's own statement, to the paisa. */
export async function ledgerHolds(
  server: TestServer,
  officer: { token: string },
  teacher: { token: string; schoolId: number },
): Promise<void> {
  const { totals } = await server.ask(accountStatement, { FYear: thisSeason }, teacher)
  const row = await ledgerRow(server, officer, teacher.schoolId)
  const { beingVerified, ...same } = totals
  const expected = row ?? { ...totals, verifying: beingVerified }
  assert.deepEqual(
    { ...same, verifying: beingVerified },
    Object.fromEntries(
      [...Object.keys(same), 'verifying'].map((name) => [name, expected[name as keyof typeof expected]]),
    ),
  )
  // A school is left out only if it has no amounts.
  if (!row)
    assert.deepEqual(
      Object.values(totals).map(Math.abs),
      Object.values(totals).map(() => 0),
    )
}
