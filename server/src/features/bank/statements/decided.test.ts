import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { bookExactLines, bookLine, exactLines, matchAgain } from '@podium/contract/bank/calls'
import { bankJob } from '@podium/contract/bank/calls-statements'
import { savePayment } from '@podium/contract/payments/calls'
import {
  officePaymentOne,
  rejectPayment,
  rejectPayments,
  verifyPayment,
} from '@podium/contract/payments/calls-verification'
import { sql } from 'kysely'
import { anImport, aUtr, lineWith } from '#test/bank-factories'
import { anOfficer, thisSeason } from '#test/factories'
import { aPendingPayment, aSubmission } from '#test/payments-factories'
import { type TestServer, testServer } from '#test/server'
import { planMatching } from '../matching/commands.ts'

/** What the queue decides beside a bank line that names the same payment. */

let server: TestServer
let officer: { token: string; id: number }
before(async () => {
  server = await testServer({ clock: () => new Date('2026-11-21T06:00:00Z') })
  officer = await anOfficer('accounts')
})
const as = () => ({ token: officer.token })

/** A payment that waits, and the exact line of its reference. */
async function arrived() {
  const utr = aUtr()
  const world = await aPendingPayment(server, 2)
  const { reference } = (await server.call(officePaymentOne, { query: { id: String(world.id) } }, as())).body
    .payment
  await anImport(server, officer.token, [{ narration: `NEFT ${reference} ${utr}`, amount: world.payable }])
  const line = await lineWith(server, officer.token, utr)
  assert.equal(line.state, 'exact')
  return { ...world, utr, line }
}
const exact = async () =>
  (await server.call(exactLines, { query: { FYear: thisSeason } }, as())).body.lines.map(({ id }) => id)
test('a line whose payment the office rejects is not exact any more, and says so', async () => {
  const { id, line, utr, payable } = await arrived()
  const reason = 'No such transfer'
  await server.call(rejectPayment, { body: { id, version: 1, reason } }, as())
  await server.jobs.drain()
  assert.equal((await exact()).includes(line.id), false)
  const now = await lineWith(server, officer.token, utr)
  assert.equal(now.state, 'likely')
  assert.deepEqual(
    now.reasons.map(({ code }) => code),
    ['reference', 'amount', 'rejected'],
  )
  assert.deepEqual(
    now.items.map(({ amount, paymentId, rejected }) => ({ amount, paymentId, rejected })),
    [{ amount: payable, paymentId: null, rejected: reason }],
  )
})

test('what a person rejected is booked by no yes to all, and by a yes to the line itself', async () => {
  const { id, line, utr } = await arrived()
  await server.call(rejectPayment, { body: { id, version: 1, reason: 'Not on the account' } }, as())
  await server.jobs.drain()
  const { version: now } = await lineWith(server, officer.token, utr)
  const lines = [{ id: line.id, version: now }]
  const all = await server.call(bookExactLines, { body: { lines } }, as())
  await server.jobs.drain()
  const { job } = (await server.call(bankJob, { query: { jobId: all.body.jobId } }, as())).body
  assert.deepEqual([job.booked, job.skipped], [0, 1])
  const { proposal, version } = await lineWith(server, officer.token, utr)
  const body = { id: line.id, version, parts: proposal.parts, credits: [], used: [] }
  const booked = await server.call(bookLine, { body }, as())
  assert.equal(booked.body.receipts.length, 1)
})

test('a yes to all books no line that is thought to be for another payment than was shown', async () => {
  const { id, line, utr, payable, teacher } = await arrived()
  const seen = { id: line.id, version: line.version }
  await server.call(rejectPayment, { body: { id, version: 1, reason: 'Wrong proof' } }, as())
  await server.jobs.drain()
  const body = await aSubmission(server, teacher.token)
  const again = await server.call(savePayment, { body }, teacher)
  assert.deepEqual([again.status, again.body.payableAmount], [200, payable])
  await server.call(matchAgain, {}, as())
  await server.jobs.drain()
  const now = await lineWith(server, officer.token, utr)
  assert.deepEqual([now.state, now.proposal.parts[0]?.key], ['exact', `p${again.body.id}`])
  const bookAll = async (lines: Array<typeof seen>) => {
    const { jobId } = (await server.call(bookExactLines, { body: { lines } }, as())).body
    await server.jobs.drain()
    const { job } = (await server.call(bankJob, { query: { jobId } }, as())).body
    return [job.booked, job.skipped]
  }
  assert.deepEqual(await bookAll([seen]), [0, 1])
  assert.deepEqual(await bookAll([{ id: now.id, version: now.version }]), [1, 0])
})

test('a line whose payment is verified in the queue waits as verified already', async () => {
  const { id, utr } = await arrived()
  await server.call(verifyPayment, { body: { id, version: 1 } }, as())
  await server.jobs.drain()
  assert.equal((await lineWith(server, officer.token, utr)).state, 'already')
})

test('the lines of several rejected payments are all compared anew, by one comparing', async () => {
  const worlds = [await arrived(), await arrived(), await arrived()]
  const schools = worlds.map(({ school }) => school.id)
  await server.jobs.drain()
  const planned = await server.deps.db.transaction().execute(async (tx) => {
    const waiting = () =>
      sql<Waiting>`select id, input from jobs where kind = 'bank-match' and state = 'waiting'`
    for (const school of schools) await planMatching(tx, new Date(), [school])
    return (await waiting().execute(tx)).rows
  })
  assert.deepEqual(
    planned.map(({ input }) => input.schools),
    [schools],
  )
  await server.jobs.drain()
  const payments = worlds.map(({ id }) => ({ id, version: 1 }))
  await server.call(rejectPayments, { body: { payments, reason: 'Not on the account' } }, as())
  await server.jobs.drain()
  for (const { utr } of worlds) assert.equal((await lineWith(server, officer.token, utr)).state, 'likely')
})

interface Waiting {
  id: string
  input: { schools: number[] }
}
