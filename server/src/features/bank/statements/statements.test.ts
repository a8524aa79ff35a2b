import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type BankLine,
  bankItems,
  bankLines,
  bookExactLines,
  bookLine,
  discardLine,
  exactLines,
  matchAgain,
  reopenLine,
  undoBooking,
} from '@podium/contract/bank/calls'
import { bankJob } from '@podium/contract/bank/calls-statements'
import { sentenceOf } from '@podium/contract/errors'
import { accountStatement } from '@podium/contract/ledger/calls-statement'
import { paymentSummary } from '@podium/contract/payments/calls'
import {
  officePaymentDetails,
  officePayments,
  rejectPayment,
  verifyPayment,
} from '@podium/contract/payments/calls-verification'
import { anImport, aUtr, linesOf, lineWith } from '#test/bank-factories'
import { testDatabase } from '#test/database'
import { anOfficer, aSchool, aSeason, thisSeason } from '#test/factories'
import { auditLines } from '#test/file-call'
import { aPendingPayment, aSchoolThatOwes, aStudent } from '#test/payments-factories'
import { addRow, changeRows, findRows, valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'

let now = new Date('2026-11-21T06:00:00Z')
const server = beforehand(() => testServer({ clock: () => now }))
const officer = beforehand(() => anOfficer('accounts'))

const book = (line: BankLine, changes: Partial<Parameters<typeof bookBody>[1]> = {}, token = officer.token) =>
  server.call(bookLine, { body: bookBody(line, changes) }, { token })

function bookBody(
  line: BankLine,
  changes: {
    parts?: BankLine['proposal']['parts']
    credits?: { schoolId: number; amount: number }[]
    used?: { schoolId: number; amount: number }[]
  } = {},
) {
  const amounts = (list: { schoolId: number; amount: number }[]) =>
    list.map(({ schoolId, amount }) => ({ schoolId, amount }))
  return {
    id: line.id,
    version: line.version,
    parts: changes.parts ?? line.proposal.parts,
    credits: changes.credits ?? amounts(line.proposal.credits),
    used: changes.used ?? amounts(line.proposal.used),
  }
}
const payment = async (id: number) =>
  (await server.ask(officePaymentDetails, { id: String(id) }, officer)).payment
const account = (token: string) => server.ask(accountStatement, { FYear: thisSeason }, { token })

/** A pending payment with a UTR, and the line of its money. */
async function arrived(amount?: number, students = 2) {
  const utr = aUtr()
  const world = await aPendingPayment(server, students, { changes: { utr } })
  await anImport(server, officer.token, [{ narration: `NEFT ${utr} FEES`, amount: amount ?? world.payable }])
  return { ...world, utr, line: await lineWith(server, officer.token, utr) }
}

test('booking an exact line verifies its payment, with a receipt, an e-mail and a zero balance', async () => {
  const { line, id, payable, token, teacher } = await arrived()
  assert.deepEqual([line.state, line.proposal.parts], ['exact', [{ key: `p${id}`, amount: payable }]])
  const { status, body } = await book(line)
  assert.equal(status, 200)
  await server.jobs.drain()
  const { state, receiptNo } = await payment(id)
  assert.deepEqual([state, [receiptNo]], ['verified', body.receipts])
  const { db } = await testDatabase()
  const mails = await db
    .selectFrom('outbox')
    .select('key')
    .where('key', 'like', `payment:${id}:verified:%`)
    .execute()
  assert.deepEqual(mails, [{ key: `payment:${id}:verified:${teacher.id}` }])
  assert.equal((await account(token)).totals.balance, 0)
  const booked = await lineWith(server, officer.token, line.utr)
  assert.deepEqual([booked.state, valuesOf(booked.booked, 'receiptNo')], ['booked', body.receipts])
})

test('a due amount that no one reported as paid is booked by its reference, without a proof', async () => {
  const { token, school } = await aSchoolThatOwes(2)
  const { dataList } = await server.ask(paymentSummary, { FYear: thisSeason }, { token })
  const reference = dataList[0]?.reference ?? ''
  await anImport(server, officer.token, [{ narration: `UPI ${reference}`, amount: 300 }])
  const line = await lineWith(server, officer.token, reference)
  assert.equal(line.state, 'exact')
  for (const search of [school.code, school.name.toUpperCase(), line.utr || reference])
    assert.deepEqual(await listed({ state: 'exact', search }), [[line.id], 1], search)
  const { body } = await book(line)
  assert.equal(body.receipts.length, 1)
  const after = await server.ask(paymentSummary, { FYear: thisSeason }, { token })
  assert.deepEqual(
    [after.dataList[0]?.paymentStatus, after.paidList[0]?.reference, after.paidList[0]?.attechment],
    ['Paid', reference, ''],
  )
  const { data } = await server.ask(
    officePayments,
    { FYear: thisSeason, state: 'verified', search: school.code },
    officer,
  )
  const shown = await payment(data[0]?.id ?? 0)
  assert.deepEqual([shown.proofName, shown.sentBy], ['', 'Radhika Kalpanik'])
})

test('an overpayment becomes credit, which pays part of the next fee, and the account shows both', async () => {
  const { line, token, school } = await arrived(350)
  assert.deepEqual([line.state, valuesOf(line.proposal.credits, 'amount')], ['likely', [50]])
  assert.equal((await book(line)).body.credited, 50)
  const before = await account(token)
  assert.deepEqual([before.totals.balance, before.totals.credit], [-50, 50])
  await aStudent({ schoolId: school.id })
  const summary = await server.ask(paymentSummary, { FYear: thisSeason }, { token })
  assert.equal(summary.credit, 50)
  const reference = summary.dataList.find((item) => item.paymentStatus === 'Pending')?.reference ?? ''
  await anImport(server, officer.token, [{ narration: `UPI ${reference}`, amount: 100 }])
  const rest = await lineWith(server, officer.token, reference)
  assert.deepEqual([rest.state, valuesOf(rest.proposal.used, 'amount')], ['likely', [50]])
  assert.equal((await book(rest)).status, 200)
  const after = await account(token)
  assert.deepEqual([after.totals.balance, after.totals.credit], [0, 0])
  assert.deepEqual(
    valuesOf(
      after.data.filter(({ kind }) => kind === 'credit' || kind === 'used'),
      'kind',
      'debit',
      'credit',
    ),
    [
      ['credit', 0, 50],
      ['used', 50, 0],
    ],
  )
})

test('a partial payment becomes credit until the rest arrives, and its payment stays pending', async () => {
  const { line, id, school } = await arrived(200)
  assert.deepEqual(
    [line.state, line.proposal.parts, valuesOf(line.proposal.credits, 'schoolId', 'amount')],
    ['likely', [], [[school.id, 200]]],
  )
  await book(line)
  assert.equal((await payment(id)).state, 'pending')
})

async function listed(query: object) {
  const body = await server.ask(bankLines, { FYear: thisSeason, ...query }, officer)
  return [body.data.map(({ id }) => id), body.total]
}

test('a line is split by hand over the items of two schools, which are found by search', async () => {
  const payment = await aPendingPayment(server, 1)
  const other = await aPendingPayment(server, 2)
  const text = aUtr()
  await anImport(server, officer.token, [{ narration: `TRUST ${text}`, amount: 500 }])
  const line = await lineWith(server, officer.token, text)
  const found = async (search: string) =>
    (await server.ask(bankItems, { search }, officer)).items.filter(({ paymentId }) => paymentId !== null)
  const [first] = await found(payment.school.code)
  assert.ok(first)
  const byReference = await found(first.reference.toLowerCase())
  assert.ok(byReference.some(({ key }) => key === first.key))
  const parts = [...(await found(payment.school.code)), ...(await found(other.school.code))].map(
    ({ key, amount }) => ({ key, amount }),
  )
  assert.deepEqual(valuesOf(parts, 'amount'), [150, 300])
  await refused('bank.sums', book(line, { parts }))
  const { body } = await book(line, { parts, credits: [{ schoolId: other.school.id, amount: 50 }] })
  assert.deepEqual([body.receipts.length, body.credited], [2, 50])
  assert.deepEqual(await listed({ state: 'booked', search: `trust ${text}` }), [[line.id], 1])
  assert.deepEqual(await listed({ state: 'booked', search: text, page: '2' }), [[], 1])
  assert.deepEqual(await listed({ state: 'unknown', search: text }), [[], 0])
})

test('a booking is refused if its sums differ, an item comes twice, or an amount is not what is due', async () => {
  const { line, id, payable, school } = await arrived()
  const part = { key: `p${id}`, amount: payable }
  const refused = async (changes: Parameters<typeof bookBody>[1]) => (await book(line, changes)).body.code
  assert.equal(await refused({ parts: [] }), 'bank.sums')
  assert.equal(await refused({ parts: [part], credits: [{ schoolId: school.id, amount: 1 }] }), 'bank.sums')
  assert.equal(
    await refused({
      parts: [
        { ...part, amount: payable / 2 },
        { ...part, amount: payable / 2 },
      ],
    }),
    'bank.sums',
  )
  assert.equal(
    await refused({
      parts: [{ ...part, amount: payable - 1 }],
      credits: [{ schoolId: school.id, amount: 1 }],
    }),
    'changed_meanwhile',
  )
  assert.equal(
    await refused({ parts: [{ ...part, amount: payable + 1 }], used: [{ schoolId: school.id, amount: 1 }] }),
    'changed_meanwhile',
  )
  assert.equal(await refused({ parts: [{ key: 'p999999999', amount: payable }] }), 'not_found')
  assert.equal((await payment(id)).state, 'pending')
})

test('a school cannot use credit that it does not have', async () => {
  const { line, id, payable, school } = await arrived(299)
  await refused(
    'credit.too_little',
    book(line, {
      parts: [{ key: `p${id}`, amount: payable }],
      credits: [],
      used: [{ schoolId: school.id, amount: 1 }],
    }),
  )
  assert.equal((await payment(id)).state, 'pending')
})

test('of many officers who book a line at once, one succeeds', async () => {
  const { line, id } = await arrived()
  const answers = await Promise.all(Array.from({ length: 6 }, () => book(line)))
  assert.deepEqual(valuesOf(answers, 'status').sort(), [200, 409, 409, 409, 409, 409])
  assert.equal((await payment(id)).state, 'verified')
})

test('a payment that is booked from two lines and verified at the same moment is paid once', async () => {
  const { line, id, utr, payable } = await arrived()
  await anImport(server, officer.token, [
    { narration: `AGAIN ${utr} X`, amount: payable, day: '20/11/2026', utr: aUtr() },
  ])
  const second = await lineWith(server, officer.token, `AGAIN ${utr}`)
  const parts = [{ key: `p${id}`, amount: payable }]
  const answers = await Promise.all([
    book(line),
    book(second, { parts, credits: [] }),
    server.call(verifyPayment, { body: { id, version: 1 } }, officer),
  ])
  const booked = answers.slice(0, 2).filter(({ status }) => status === 200)
  assert.equal(booked.length, 1)
  const money = await findRows('bank_line_payments', { payment_id: id }, ['line_id'])
  assert.equal(money.length, 1)
  const receipts = await auditLines(['id'], { action: 'payment.verified', subject_id: id })
  assert.equal(receipts.length, 1)
})

test('a second transfer for a paid item becomes credit', async () => {
  const { line, utr, payable, school } = await arrived()
  await book(line)
  const again = { narration: `AGAIN ${utr}`, amount: payable, day: '20/11/2026', utr: aUtr() }
  await anImport(server, officer.token, [again])
  const second = await lineWith(server, officer.token, `AGAIN ${utr}`)
  assert.deepEqual(
    [second.state, valuesOf(second.reasons, 'code'), valuesOf(second.proposal.credits, 'schoolId', 'amount')],
    ['likely', ['utr', 'double'], [[school.id, payable]]],
  )
})

test('a repeated UTR, in one statement or two, is proposed to be ignored and never credited', async () => {
  const utr = aUtr()
  const { payable, school } = await aPendingPayment(server, 2, { changes: { utr } })
  const row = (narration: string, day: string) => ({ narration, amount: payable, day, utr })
  await anImport(server, officer.token, [row('FEES', '19/11/2026'), row('FEES TWICE', '19/11/2026')])
  await anImport(server, officer.token, [row(`VALUE DATED ${school.code}`, '20/11/2026')])
  const first = await lineWith(server, officer.token, 'FEES')
  for (const text of ['FEES TWICE', `VALUE DATED ${school.code}`]) {
    const line = await lineWith(server, officer.token, text)
    assert.deepEqual([line.utr, line.state], [utr, 'duplicate'], text)
    assert.deepEqual(line.proposal, { parts: [], credits: [], used: [] })
    assert.deepEqual(valuesOf(line.reasons, 'code', 'text'), [['same_utr', utr]])
  }
  assert.notEqual(first.id, 0)
})

test('a duplicate line is matched again once the line before it is ignored', async () => {
  const { line, utr, payable } = await arrived()
  await anImport(server, officer.token, [{ narration: 'TWIN', amount: payable, day: '20/11/2026', utr }])
  const twin = await lineWith(server, officer.token, 'TWIN')
  assert.equal(twin.state, 'duplicate')
  const body = { lines: [{ id: line.id, version: line.version }], reason: 'The other one is right' }
  await server.ask(discardLine, body, officer)
  await server.jobs.drain()
  assert.equal((await lineWith(server, officer.token, 'TWIN')).state, 'exact')
})

test('a transfer of everything due is matched as a whole, including a pending payment of the same kind', async () => {
  const { id, payable, school, teacher } = await aPendingPayment(server, 2)
  await aStudent({ schoolId: school.id })
  const owed = (await account(teacher.token)).totals.balance
  assert.equal(owed, payable + 150)
  const text = aUtr()
  await anImport(server, officer.token, [{ narration: `${school.code} ALL DUES ${text}`, amount: owed }])
  const line = await lineWith(server, officer.token, text)
  const keys = line.proposal.parts.map(({ key }) => key.split('-')[0])
  assert.deepEqual([line.state, keys, line.proposal.credits], ['likely', [`p${id}`, `d${school.id}`], []])
  const alone = { parts: line.proposal.parts.slice(1), credits: [{ schoolId: school.id, amount: payable }] }
  await refused('payments.pending_first', book(line, alone))
  assert.equal((await book(line)).body.receipts.length, 2)
  assert.equal((await account(teacher.token)).totals.balance, 0)
})

const bookUndoably = (line: BankLine) =>
  server.call(bookLine, { body: { ...bookBody(line), undoable: true } }, officer)
const afterMinutes = async (minutes: number) => {
  const before = now
  now = new Date(before.getTime() + minutes * 60_000)
  await server.jobs.drain()
  now = before
}

test('a booking undone within a minute takes no receipt number and leaves its line open', async () => {
  const { line, id } = await arrived()
  const { body } = await bookUndoably(line)
  assert.deepEqual([body.receipts, body.booksAt], [[], '2026-11-21T06:01:00.000Z'])
  await server.jobs.drain()
  const held = await lineWith(server, officer.token, line.utr)
  assert.deepEqual([held.state, held.booksAt], ['exact', body.booksAt])
  await refused('bank.booking', book(held))
  const { id: lineId, version } = held
  const undo = () => server.call(undoBooking, { body: { id: lineId, version } }, officer)
  assert.equal((await undo()).status, 200)
  await refused('bank.booking_over', undo())
  await afterMinutes(2)
  assert.equal((await payment(id)).state, 'pending')
  const again = await lineWith(server, officer.token, line.utr)
  assert.deepEqual([again.state, again.booksAt], ['exact', null])
  const first = (await book(again)).body.receipts[0] ?? ''
  const other = await arrived()
  const next = (await book(other.line)).body.receipts[0] ?? ''
  assert.equal(Number(next.split('/')[1]), Number(first.split('/')[1]) + 1)
})

test('a booking is carried out after a minute unless someone undoes it', async () => {
  const { line, id } = await arrived()
  await bookUndoably(line)
  await afterMinutes(1)
  assert.equal((await payment(id)).state, 'verified')
  assert.equal((await lineWith(server, officer.token, line.utr)).state, 'booked')
})

test('a booking that can no longer be made leaves its line open and says why', async () => {
  const { line, id } = await arrived()
  await bookUndoably(line)
  const body = { id, version: 1, reason: 'No such transfer' }
  await server.ask(rejectPayment, body, officer)
  await afterMinutes(1)
  const now = await lineWith(server, officer.token, line.utr)
  assert.deepEqual([now.booksAt, now.booked], [null, []])
  assert.notEqual(now.bookingRefused, '')
  const wrong = await bookUndoably({ ...now, proposal: { ...line.proposal } })
  assert.notEqual(wrong.status, 200, 'an impossible booking is refused at once')
})

test('a planned credit of a school that is merged before its minute is over leaves its line open and says why', async () => {
  await aSeason()
  const [gone, stays] = [await aSchool(), await aSchool()]
  const utr = aUtr()
  await anImport(server, officer.token, [{ narration: `CREDIT ${utr}`, amount: 700 }])
  const line = await lineWith(server, officer.token, utr)
  const credits = [{ schoolId: gone.id, schCode: gone.code, schName: gone.name, amount: 700 }]
  assert.equal((await bookUndoably({ ...line, proposal: { parts: [], credits, used: [] } })).status, 200)
  await changeRows('schools', { id: gone.id }, { merged_into: stays.id })
  await afterMinutes(1)
  const now = await lineWith(server, officer.token, utr)
  assert.deepEqual([now.booksAt, now.bookingRefused], [null, sentenceOf('schools.merged')])
})

test('a payment verified by hand gets its line but no second receipt', async () => {
  const { line, id } = await arrived()
  const verified = await server.ask(verifyPayment, { id, version: 1 }, officer)
  await server.ask(matchAgain, {}, officer)
  await server.jobs.drain()
  const now = await lineWith(server, officer.token, line.utr)
  assert.equal(now.state, 'already')
  const { body } = await book(now)
  assert.deepEqual(body.receipts, [verified.receiptNo])
})

test('a proposed payment that another line has paid is no longer offered', async () => {
  const { line, id } = await arrived()
  await server.ask(verifyPayment, { id, version: 1 }, officer)
  const { db } = await testDatabase()
  await addRow('bank_line_payments', { line_id: line.id, payment_id: id, amount: 1, at: new Date() })
  assert.deepEqual((await lineWith(server, officer.token, line.utr)).proposal.parts, [])
  await db.deleteFrom('bank_line_payments').where('payment_id', '=', id).execute()
})

test('all exact lines are booked in one job; those decided meanwhile are counted and skipped', async () => {
  const [first, second, gone] = [await arrived(), await arrived(), await arrived()]
  const lines = [first, second, gone].map(({ line: { id, version } }) => ({ id, version }))
  await book(gone.line)
  const started = await server.ask(bookExactLines, { lines }, officer)
  await server.jobs.drain()
  const { job } = await server.ask(bankJob, { jobId: started.jobId }, officer)
  assert.deepEqual([job.state, job.booked, job.skipped], ['done', 2, 1])
  for (const { id } of [first, second]) assert.equal((await payment(id)).state, 'verified')
  const left = await server.ask(exactLines, { FYear: thisSeason }, officer)
  assert.equal(
    left.lines.some(({ id }) => lines.some((line) => line.id === id)),
    false,
  )
})

test('a line is ignored with a reason and can be reopened, and the sums always add up', async () => {
  const text = aUtr()
  const { imported } = await anImport(server, officer.token, [
    { narration: `INTEREST ${text}`, amount: 77 },
    { narration: `X ${text}`, amount: 23 },
  ])
  const line = await lineWith(server, officer.token, `INTEREST ${text}`)
  const without = await server.call(
    discardLine,
    { body: { lines: [{ id: line.id, version: line.version }], reason: ' ' } },
    officer,
  )
  assert.equal(without.status, 400)
  await server.ask(
    discardLine,
    { lines: [{ id: line.id, version: line.version }], reason: 'Interest of the bank' },
    officer,
  )
  const { sums } = await linesOf(server, officer.token, imported.id)
  assert.deepEqual(sums, { booked: 0, credited: 0, discarded: 77, open: 23, all: 100 })
  const discarded = await lineWith(server, officer.token, `INTEREST ${text}`)
  await refused('bank.decided', book(discarded, { credits: [{ schoolId: 1, amount: 77 }] }))
  await server.ask(reopenLine, { lines: [{ id: discarded.id, version: discarded.version }] }, officer)
  assert.deepEqual((await linesOf(server, officer.token, imported.id)).sums.open, 100)
})

test('a viewer sees bank lines but cannot decide them; results staff do not see them', async () => {
  const { line } = await arrived()
  const viewer = await anOfficer('viewer')
  const seen = await lineWith(server, viewer.token, line.utr)
  assert.equal(seen.can.decide, 'access.denied')
  assert.equal((await book(line, {}, viewer.token)).status, 403)
  const results = await anOfficer('results')
  assert.equal((await server.call(exactLines, { query: { FYear: thisSeason } }, results)).status, 403)
})
