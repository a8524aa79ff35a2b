import assert from 'node:assert/strict'
import { test } from 'node:test'
import { discardLine, undoBookings } from '@podium/contract/bank/calls'
import {
  officePaymentDetails,
  officePayments,
  rejectPayment,
  verifyExact,
  verifyPayments,
} from '@podium/contract/payments/calls-verification'
import { anExactLine, aUtr, lineWith } from '#test/bank-factories'
import { anOfficer, thisSeason } from '#test/factories'
import { aPendingPayment } from '#test/payments-factories'
import { changeRows, valuesOf } from '#test/rows'
import { beforehand, testServer } from '#test/server'

let now = new Date('2026-11-21T06:00:00Z')
const server = beforehand(() => testServer({ clock: () => now }))
const officer = beforehand(() => anOfficer('accounts'))

/** Payments in the queue whose bank line matches them exactly, verified together with it. */

const arrived = () => anExactLine(server, officer)
const paymentOf = async (id: number) =>
  (await server.ask(officePaymentDetails, { id: String(id) }, officer)).payment
const queueBy = (bank: 'exact' | 'none') => server.ask(officePayments, { FYear: thisSeason, bank }, officer)
const verifyAll = (payments: { id: number; version: number }[]) =>
  server.call(verifyExact, { body: { payments } }, officer)

test('payments that match a bank line exactly are verified together after a minute, until which this can be undone', async () => {
  const [first, second] = [await arrived(), await arrived()]
  const absent = await aPendingPayment(server, 1)
  assert.equal((await paymentOf(first.id)).onBank, 'exact')
  assert.equal((await paymentOf(first.id)).bankLine?.id, first.line.id)
  const listed = await queueBy('exact')
  assert.equal(listed.onBank.exact, listed.total)
  const shown = listed.data.map(({ id }) => id)
  assert.deepEqual(
    [first.id, second.id, absent.id].map((id) => shown.includes(id)),
    [true, true, false],
  )
  assert.equal(
    (await queueBy('none')).data.some(({ id }) => id === absent.id),
    true,
  )
  const both = [first, second, absent].map(({ id }) => ({ id, version: 1 }))
  const { done, refused } = (await verifyAll(both)).body
  assert.deepEqual(
    [valuesOf(done, 'lineId'), valuesOf(refused, 'id')],
    [[first.line.id, second.line.id], [absent.id]],
  )
  assert.match(refused[0]?.message ?? '', /No open bank line shows exactly this payment/)
  assert.equal((await paymentOf(first.id)).onBank, 'booking')
  assert.match((await verifyAll(both.slice(0, 1))).body.refused[0]?.message ?? '', /about to be booked/)
  const lines = (await queueBy('exact')).bookings.map(({ id, version }) => ({ id, version }))
  const undone = await server.ask(undoBookings, { lines }, officer)
  assert.deepEqual(undone.refused, [])
  assert.equal((await paymentOf(second.id)).onBank, 'exact')
  assert.equal((await verifyAll(both.slice(0, 2))).body.done.length, 2)
  now = new Date(now.getTime() + 61_000)
  await server.jobs.drain()
  for (const { id } of [first, second]) assert.equal((await paymentOf(id)).state, 'verified')
  const late = await server.ask(undoBookings, { lines }, officer)
  assert.match(late.refused[0]?.message ?? '', /The minute is over/)
})

test('a payment that no longer matches its bank line exactly is refused alone, with its reason', async () => {
  const [good, rejected, changed, doubtful] = [
    await arrived(),
    await arrived(),
    await arrived(),
    await arrived(),
  ]
  await server.ask(rejectPayment, { id: rejected.id, version: 1, reason: 'Not ours' }, officer)
  await changeRows('payments', { id: changed.id }, { version: 2 })
  const twin = await aPendingPayment(server, 1)
  await changeRows('payments', { id: [doubtful.id, twin.id] }, { utr: 'TWIN00012345' })
  const payments = [good, rejected, changed, doubtful].map(({ id }) => ({ id, version: 1 }))
  const { done, refused } = (await verifyAll(payments)).body
  assert.deepEqual(valuesOf(done, 'id'), [good.id])
  assert.deepEqual(valuesOf(refused, 'id'), [rejected.id, changed.id, doubtful.id])
  assert.match(refused[2]?.message ?? '', /needs a closer look/)
  const viewer = await server.call(verifyExact, { body: { payments } }, await anOfficer('viewer'))
  assert.equal(viewer.status, 403)
})

test('a payment with an exact bank line is verified only with its line, and not once the line is decided', async () => {
  const [good, late] = [await arrived(), await arrived()]
  const plain = await aPendingPayment(server, 1)
  const stateOf = async (id: number) => (await paymentOf(id)).state
  const all = [good, late, plain].map(({ id }) => ({ id, version: 1 }))
  const byHand = await server.ask(verifyPayments, { payments: all }, officer)
  assert.deepEqual(
    [valuesOf(byHand.done, 'id'), valuesOf(byHand.refused, 'id')],
    [[plain.id], [good.id, late.id]],
  )
  assert.match(byHand.refused[0]?.message ?? '', /Someone else changed this/)
  const lines = [{ id: late.line.id, version: late.line.version }]
  await server.ask(discardLine, { lines, reason: 'Returned by the bank' }, officer)
  const { done, refused } = (await verifyAll(all.slice(0, 2))).body
  assert.deepEqual([valuesOf(done, 'lineId'), valuesOf(refused, 'id')], [[good.line.id], [late.id]])
  assert.match(refused[0]?.message ?? '', /No open bank line shows exactly this payment/)
  now = new Date(now.getTime() + 61_000)
  await server.jobs.drain()
  assert.deepEqual([await stateOf(good.id), await stateOf(late.id)], ['verified', 'pending'])
  assert.equal((await lineWith(server, officer.token, good.utr)).state, 'booked')
})

test('a doubtful payment with an exact bank line is verified alone, after a person has checked it', async () => {
  const [first, second] = [await arrived(), await arrived()]
  const ids = [first.id, second.id]
  await changeRows('payments', { id: ids }, { utr: aUtr() })
  const asked = async (payments: number[]) => {
    const body = { payments: payments.map((id) => ({ id, version: 1 })), looked: true }
    return await server.ask(verifyExact, body, officer)
  }
  assert.equal((await asked([...ids])).refused.length, 2)
  assert.deepEqual(valuesOf((await asked([first.id])).done, 'lineId'), [first.line.id])
})

test('a line that pays for two payments is booked only when both are selected', async () => {
  const payment = await arrived()
  const other = await aPendingPayment(server, 1)
  const parts = [payment, other].map(({ id, payable }) => ({ key: `p${id}`, amount: payable * 100 }))
  const proposal = JSON.stringify({ parts, reasons: [] })
  const amount = (payment.payable + other.payable) * 100
  await changeRows('bank_lines', { id: payment.line.id }, { proposal, amount })
  const [first, second] = [payment, other].map(({ id }) => ({ id, version: 1 }))
  assert.match(
    (await verifyAll([first ?? assert.fail()])).body.refused[0]?.message ?? '',
    /also pays for other payments/,
  )
  const { done } = (await verifyAll([first ?? assert.fail(), second ?? assert.fail()])).body
  assert.deepEqual(valuesOf(done, 'lineId'), [payment.line.id, payment.line.id])
})
