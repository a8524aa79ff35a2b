import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bankItems,
  bankLines,
  bookExactLines,
  bookLine,
  decideReturned,
  discardLine,
  exactLines,
  matchAgain,
  reopenLine,
} from '@podium/contract/bank/calls'
import {
  addBankRule,
  bankJob,
  bankRules,
  previewBankRule,
  revokeBankRule,
} from '@podium/contract/bank/calls-statements'
import { rupeesOf } from '@podium/contract/money'
import { paymentSummary, savePayment, withdrawPayment } from '@podium/contract/payments/calls'
import {
  officePaymentDetails,
  rejectPayment,
  rejectPayments,
  verifyPayment,
} from '@podium/contract/payments/calls-verification'
import { sql } from 'kysely'
import { figuresBetween } from '#features/ledger/closing/queries'
import { dueItems } from '#features/payments/queries'
import { planMatching } from '#features/payments/verification/commands'
import { accessToSchool, systemScope } from '#platform/auth/scope'
import { aCredit, anExactLine, anImport, aUtr, linesOf, lineWith } from '#test/bank-factories'
import { whileHeld } from '#test/database'
import { anOfficer, thisSeason } from '#test/factories'
import { auditLines } from '#test/file-call'
import { aPendingPayment, aSchoolThatOwes, aStudent, aSubmission } from '#test/payments-factories'
import { changeRows, findRow, findRows, partsOf, valuesOf } from '#test/rows'
import { beforehand, mailsTo, testServer } from '#test/server'

/** Decisions in the queue about a payment that a bank line names. */

let now = new Date('2026-11-21T06:00:00Z')
const server = beforehand(() => testServer({ clock: () => now }))
const officer = beforehand(() => anOfficer('accounts'))

const arrived = () => anExactLine(server, officer)

/** A verified payment whose money the bank has returned. */
async function bounced() {
  const payment = await arrived()
  const { id, version, proposal } = payment.line
  const body = { id, version, parts: proposal.parts, credits: [], used: [] }
  await server.ask(bookLine, body, officer)
  await anImport(server, officer.token, [
    { narration: 'RTN', amount: -payment.payable, day: '20/11/2026', utr: payment.utr },
  ])
  return { ...payment, booked: await lineWith(server, officer.token, payment.utr) }
}
const exact = async () =>
  (await server.ask(exactLines, { FYear: thisSeason }, officer)).lines.map(({ id }) => id)

test('a credit that the bank returned is proposed to be ignored, whichever statement came first', async () => {
  for (const order of ['one file', 'debit later', 'debit first'] as const) {
    const utr = aUtr()
    const { payable, school } = await aPendingPayment(server, 2, { changes: { utr } })
    const credit = { narration: `NEFT ${school.code} ${utr}`, amount: payable, day: '18/11/2026', utr }
    const debit = { narration: `RETURN OF ${utr} A/C CLOSED`, amount: -payable, day: '19/11/2026' }
    const files = {
      'one file': [[credit, debit]],
      'debit later': [[credit], [debit]],
      'debit first': [[debit], [credit]],
    }
    for (const file of files[order]) await anImport(server, officer.token, file)
    const line = await lineWith(server, officer.token, `NEFT ${school.code}`)
    assert.deepEqual([line.state, line.bouncedOn], ['bounced', '2026-11-19'], order)
    assert.deepEqual(line.proposal, { parts: [], credits: [], used: [] }, order)
    // The school reports it again, and this time it matches.
    await anImport(server, officer.token, [
      { narration: `AGAIN PD27 ${school.code} ${aUtr()}`, amount: payable, day: '21/11/2026' },
    ])
    const again = await lineWith(server, officer.token, `AGAIN PD27 ${school.code}`)
    assert.deepEqual([again.state, again.proposal.parts.length], ['likely', 1], order)
  }
})

test('lines ignored together are reopened together, except those that another officer has decided since', async () => {
  const [utr, otherUtr] = [aUtr(), aUtr()]
  await anImport(server, officer.token, [
    { narration: `FIRST ${utr}`, amount: 4 },
    { narration: `SECOND ${otherUtr}`, amount: 5 },
  ])
  const seen = async () =>
    (await Promise.all([utr, otherUtr].map((text) => lineWith(server, officer.token, text)))).map(
      ({ id, version }) => ({ id, version }),
    )
  const ignore = { lines: await seen(), reason: 'Interest' }
  const { lines } = await server.ask(discardLine, ignore, officer)
  assert.equal(lines.length, 2)
  const [first, second] = lines.toSorted((a, b) => a.id - b.id)
  assert.ok(first && second)
  await server.ask(reopenLine, { lines: [second] }, officer)
  const [, again] = await seen()
  assert.ok(again)
  await server.ask(discardLine, { lines: [again], reason: 'Ours' }, officer)
  const undone = await server.ask(reopenLine, { lines: [...lines, first] }, officer)
  assert.equal(undone.reopened, 1)
  assert.equal((await lineWith(server, officer.token, utr)).state, 'unknown')
  const line = await lineWith(server, officer.token, otherUtr)
  assert.deepEqual([line.state, line.reason], ['discarded', 'Ours'])
  await server.refuses('changed_meanwhile', reopenLine, { lines: [second] }, officer)
})

test('other outgoing money does not mark a credit as returned', async () => {
  const utr = aUtr()
  const { payable, school } = await aPendingPayment(server, 2, { changes: { utr } })
  const out = (amount: number, day: string, lineUtr = utr) => ({
    ...{ narration: `PAID ${school.code}`, amount: -amount, day, utr: lineUtr },
  })
  await anImport(server, officer.token, [
    { narration: `NEFT ${school.code}`, amount: payable, day: '18/11/2026', utr },
    ...[out(payable + 1, '19/11/2026'), out(payable, '17/11/2026'), out(payable, '29/11/2026')],
    ...[out(payable, '19/11/2026', aUtr()), out(payable, '19/11/2026', utr.slice(0, 8))],
  ])
  const line = await lineWith(server, officer.token, `NEFT ${school.code}`)
  assert.deepEqual([line.state, line.bouncedOn], ['exact', null])
})

test('a credit returned after it was booked stays booked and is marked, and the import reports it', async () => {
  const { line, utr, payable } = await arrived()
  const { id, version, proposal } = line
  await server.ask(bookLine, { id, version, parts: proposal.parts, credits: [], used: [] }, officer)
  const debit = { narration: 'RTN', amount: -payable, day: '20/11/2026', utr }
  const { imported } = await anImport(server, officer.token, [debit])
  assert.equal(imported.bouncedLater, 1)
  const later = await lineWith(server, officer.token, utr)
  assert.deepEqual([later.state, later.bouncedOn], ['booked', '2026-11-20'])
})

test('a line and a credit that is more than one of the items costs pay them together', async () => {
  const { school } = await aSchoolThatOwes(1, { books: 1 })
  await aCredit(server, officer, school.id, 170)
  const utr = aUtr()
  await anImport(server, officer.token, [{ narration: `NEFT ${school.code} ${utr}`, amount: 180, utr }])
  const { id, version, proposal } = await lineWith(server, officer.token, utr)
  const { parts, used } = proposal
  assert.deepEqual([valuesOf(parts, 'amount').toSorted(), valuesOf(used, 'amount')], [[150, 200], [170]])
  const credit = used.map(({ schoolId, amount }) => ({ schoolId, amount }))
  const { receipts } = await server.ask(bookLine, { id, version, parts, used: credit }, officer)
  assert.equal(receipts.length, 2)
  const paid = await findRows('bank_line_payments', { line_id: id }, ['amount'])
  assert.deepEqual(valuesOf(paid, 'amount').toSorted(), [15_000, 3_000])
})

test('a booked line that the bank returned waits until its payments are reversed, once, or kept', async () => {
  const returnedLines = async () =>
    (await server.ask(bankLines, { FYear: thisSeason, state: 'bounced', page: '1' }, officer)).data
  const decide = async (
    line: { id: number; version: number },
    decision: 'reverse' | 'keep',
    by = officer,
  ) => {
    const body = { id: line.id, version: line.version, decision, reason: 'Returned: account closed' }
    return (await server.send(decideReturned, { body }, by)).body
  }
  const other = await arrived()
  assert.equal((await decide(other.line, 'reverse')).code, 'bank.not_returned')

  const { booked, id, school } = await bounced()
  assert.ok((await returnedLines()).some((line) => line.id === booked.id && line.state === 'booked'))
  assert.equal((await decide(booked, 'reverse', await anOfficer('viewer'))).code, 'access.denied')
  assert.equal((await decide({ ...booked, version: 1 }, 'reverse')).code, 'changed_meanwhile')
  const { receipts } = await decide(booked, 'reverse')
  const { db } = server.deps
  const payment = await findRow('payments', { id })
  assert.deepEqual(
    [payment.state, payment.reason, receipts],
    ['rejected', 'Returned: account closed', [payment.receipt_no]],
  )
  const covered = await sql<{ paid: boolean; locked: boolean; live: boolean; roll: string | null }>`
    select s.paid, s.locked, l.live, s.exam_roll_no as roll from students s join payment_lines l on l.student_id = s.id
    where l.payment_id = ${id}`.execute(db)
  for (const { roll, ...student } of covered.rows) {
    assert.deepEqual(student, { paid: false, locked: false, live: false })
    assert.notEqual(roll, null, 'a number is not given twice')
  }
  const due = (await dueItems(db, accessToSchool(systemScope('test'), school.id), thisSeason)).find(
    ({ purpose }) => purpose === 'registration',
  )
  assert.equal(rupeesOf((due?.gross ?? 0) - (due?.retained ?? 0)), other.payable)
  const reader = await findRow('users', { id: payment.submitted_by }, ['email'])
  const mails = (await mailsTo(server, reader.email)).map(({ text }) => text.replaceAll(/\s+/g, ' '))
  assert.ok(mails.some((text) => text.includes(`Receipt ${payment.receipt_no} is cancelled`)))
  const day = (await figuresBetween(db, '2026-11-21', '2026-11-21')).get('2026-11-21')
  assert.equal(day?.reversals, 1, 'the day keeps what was verified, and what was reversed')
  assert.ok(!(await returnedLines()).some((line) => line.id === booked.id))
  assert.equal(
    (await decide({ ...booked, version: booked.version + 1 }, 'reverse')).code,
    'bank.not_returned',
  )

  const returned = await bounced()
  assert.deepEqual((await decide(returned.booked, 'keep')).receipts, [])
  const still = await db
    .selectFrom('payments')
    .select('state')
    .where('id', '=', returned.id)
    .executeTakeFirst()
  assert.equal(still?.state, 'verified')
  assert.ok(!(await returnedLines()).some((line) => line.id === returned.booked.id))
})

test('after an earlier payment is reversed, the next one gets a reference that no later one has', async () => {
  const first = await bounced()
  const pay = async () => {
    const body = await aSubmission(server, first.token)
    const { id } = await server.ask(savePayment, body, first)
    return (await server.ask(officePaymentDetails, { id: String(id) }, officer)).payment
  }
  await aStudent({ schoolId: first.school.id })
  const second = await pay()
  await server.ask(verifyPayment, { id: second.id, version: 1 }, officer)
  const { id, version } = first.booked
  const reverse = { id, version, decision: 'reverse', reason: 'Returned: account closed' } as const
  await server.ask(decideReturned, reverse, officer)
  const { dataList } = await server.ask(paymentSummary, { FYear: thisSeason }, first)
  const third = second.reference.replace(/2$/, '3')
  assert.deepEqual(valuesOf(dataList, 'reference'), [third])
  const arrives = { narration: `NEFT ${third}`, amount: dataList[0]?.payableAmount ?? 0, utr: aUtr() }
  await anImport(server, officer.token, [arrives])
  assert.equal((await lineWith(server, officer.token, third)).state, 'exact')
  assert.equal((await pay()).reference, third)
})

test('a line whose payment was rejected is no longer an exact match, and shows why', async () => {
  const { id, line, utr, payable } = await arrived()
  const reason = 'No such transfer'
  await server.ask(rejectPayment, { id, version: 1, reason }, officer)
  await server.jobs.drain()
  assert.equal((await exact()).includes(line.id), false)
  const now = await lineWith(server, officer.token, utr)
  assert.equal(now.state, 'likely')
  assert.deepEqual(valuesOf(now.reasons, 'code'), ['reference', 'amount', 'rejected'])
  assert.deepEqual(partsOf(now.items, 'amount', 'paymentId', 'rejected'), [
    { amount: payable, paymentId: null, rejected: reason },
  ])
})

test('a line whose payment its school withdrew is matched again, exactly and as never rejected', async () => {
  const { id, line, utr, payable, token } = await arrived()
  await server.ask(withdrawPayment, { id }, { token })
  await server.jobs.drain()
  assert.equal((await exact()).includes(line.id), true)
  const now = await lineWith(server, officer.token, utr)
  assert.deepEqual(valuesOf(now.reasons, 'code'), ['reference', 'amount'])
  assert.deepEqual(partsOf(now.items, 'amount', 'paymentId', 'rejected'), [
    { amount: payable, paymentId: null, rejected: '' },
  ])
  assert.deepEqual(partsOf(now.proposal.parts, 'key'), partsOf(now.items, 'key'))
})

test('a line whose payment an officer rejected is booked only by itself, not with all exact lines', async () => {
  const { id, line, utr } = await arrived()
  await server.ask(rejectPayment, { id, version: 1, reason: 'Not on the account' }, officer)
  await server.jobs.drain()
  const { version: now } = await lineWith(server, officer.token, utr)
  const lines = [{ id: line.id, version: now }]
  const all = await server.ask(bookExactLines, { lines }, officer)
  await server.jobs.drain()
  const { job } = await server.ask(bankJob, { jobId: all.jobId }, officer)
  assert.deepEqual([job.booked, job.skipped], [0, 1])
  const { proposal, version } = await lineWith(server, officer.token, utr)
  const body = { id: line.id, version, parts: proposal.parts, credits: [], used: [] }
  const booked = await server.ask(bookLine, body, officer)
  assert.equal(booked.receipts.length, 1)
})

test('booking all exact lines skips one that now matches another payment than was shown', async () => {
  const { id, line, utr, payable, teacher } = await arrived()
  const seen = { id: line.id, version: line.version }
  await server.ask(rejectPayment, { id, version: 1, reason: 'Wrong proof' }, officer)
  await server.jobs.drain()
  const body = await aSubmission(server, teacher.token)
  const again = await server.call(savePayment, { body }, teacher)
  assert.deepEqual([again.status, again.body.payableAmount], [200, payable])
  await server.ask(matchAgain, {}, officer)
  await server.jobs.drain()
  const now = await lineWith(server, officer.token, utr)
  assert.deepEqual([now.state, now.proposal.parts[0]?.key], ['exact', `p${again.body.id}`])
  const bookAll = async (lines: Array<typeof seen>) => {
    const { jobId } = await server.ask(bookExactLines, { lines }, officer)
    await server.jobs.drain()
    const { job } = await server.ask(bankJob, { jobId }, officer)
    return [job.booked, job.skipped]
  }
  assert.deepEqual(await bookAll([seen]), [0, 1])
  assert.deepEqual(await bookAll([{ id: now.id, version: now.version }]), [1, 0])
})

test('a job that is killed after it has booked a line counts it when it goes on, and no line booked by hand', async () => {
  const [{ line }, { line: byHand }] = [await arrived(), await arrived()]
  const lines = [line, byHand].map(({ id, version }) => ({ id, version }))
  const { id, version, proposal } = byHand
  await server.ask(bookLine, { id, version, parts: proposal.parts, credits: [], used: [] }, officer)
  const { jobId } = await server.ask(bookExactLines, { lines }, officer)
  now = new Date(now.getTime() + 1000)
  await server.jobs.drain()
  await changeRows('jobs', { id: jobId }, { state: 'waiting', output: null, ended_at: null })
  await server.jobs.drain()
  const { job } = await server.ask(bankJob, { jobId }, officer)
  assert.deepEqual([job.booked, job.skipped], [1, 1])
})

test('of two officers who book all exact lines at once, one succeeds and the other is asked to wait', async () => {
  const { line } = await arrived()
  const lines = [{ id: line.id, version: line.version }]
  const bookAll = () => server.call(bookExactLines, { body: { lines } }, officer)
  const answers = await whileHeld(sql`lock table jobs in share mode`, [bookAll, bookAll])
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.code]),
    [
      [200, undefined],
      [409, 'bank.working'],
    ],
  )
  await server.jobs.drain()
})

test('a line whose payment is verified in the queue is shown as already verified', async () => {
  const { id, utr } = await arrived()
  await server.ask(verifyPayment, { id, version: 1 }, officer)
  await server.jobs.drain()
  assert.equal((await lineWith(server, officer.token, utr)).state, 'already')
})

test('money of a season that is closed is still matched: what is due, and what was verified by hand', async () => {
  const { token } = await aSchoolThatOwes(2)
  const due = await server.ask(paymentSummary, { FYear: thisSeason }, { token })
  const reference = due.dataList[0]?.reference ?? ''
  const verified = await aPendingPayment(server, 2, { changes: { utr: aUtr() } })
  const paid = (await server.ask(officePaymentDetails, { id: String(verified.id) }, officer)).payment
  await server.ask(verifyPayment, { id: verified.id, version: 1 }, officer)
  await changeRows('seasons', { label: thisSeason }, { state: 'closed' })
  await anImport(server, officer.token, [
    { narration: `UPI ${reference}`, amount: 300 },
    { narration: `NEFT ${paid.utr}`, amount: verified.payable },
  ])
  const late = await lineWith(server, officer.token, reference)
  const found = await lineWith(server, officer.token, paid.utr)
  const { items } = await server.ask(bankItems, { search: paid.reference }, officer)
  await changeRows('seasons', { label: thisSeason }, { state: 'open' })
  assert.deepEqual([late.state, found.state], ['exact', 'already'])
  assert.deepEqual(valuesOf(items, 'paymentId'), [verified.id])
})

interface Waiting {
  id: string
  input: { schools: number[] }
}

test('the lines of several rejected payments are matched again by one job', async () => {
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
  await server.ask(rejectPayments, { payments, reason: 'Not on the account' }, officer)
  await server.jobs.drain()
  for (const { utr } of worlds) assert.equal((await lineWith(server, officer.token, utr)).state, 'likely')
})

test('161 unknown lines are ignored at once, each with an audit line', async () => {
  const word = `BULK ${aUtr()}`
  const transfers = Array.from({ length: 161 }, (_, index) => ({
    narration: `${word} NO ${index}`,
    amount: 1 + index,
  }))
  const { imported } = await anImport(server, officer.token, transfers)
  const query = { FYear: thisSeason, state: 'unknown' as const, statement: String(imported.id) }
  const { lines, amount } = await server.ask(exactLines, query, officer)
  assert.deepEqual([lines.length, amount], [161, (161 * 162) / 2])
  const body = { lines, reason: 'Not of schools' }
  const { discarded, skipped } = await server.ask(discardLine, body, officer)
  assert.deepEqual([discarded, skipped], [161, 0])
  const { sums } = await linesOf(server, officer.token, imported.id)
  assert.deepEqual([sums.open, sums.discarded], [0, amount])
  const { rows } = await sql<{ lines: number }>`
    select count(*) as lines from audit where action = 'bank.discarded'
      and subject_id = any(${lines.map(({ id }) => String(id))})
      and change->>'reason' = 'Not of schools'`.execute(server.deps.db)
  assert.equal(rows[0]?.lines, 161)
  const again = await server.ask(discardLine, body, officer)
  assert.deepEqual([again.discarded, again.skipped], [0, 161], 'lines decided meanwhile stay as they are')
})

test('a rule ignores its lines at each import, except those that name a school, until it is revoked', async () => {
  const word = `INT.PD ${aUtr()}`
  const { school } = await aPendingPayment(server, 1)
  await anImport(server, officer.token, [{ narration: `${word} BEFORE`, amount: 3 }])
  const preview = (text: string) =>
    server.call(previewBankRule, { query: { contains: text } }, officer).then(({ body }) => body)
  const { lines, left, amount } = await preview(word.toLowerCase())
  assert.deepEqual([lines, left, amount], [1, 0, 3])
  const rule = { contains: word.toLowerCase(), reason: 'Interest of the bank' }
  const made = await server.ask(addBankRule, rule, officer)
  assert.equal(made.ignored, 1)
  await server.refuses('bank.rule_known', addBankRule, rule, officer)
  await anImport(server, officer.token, [
    { narration: `${word}  QUARTER`, amount: 4 },
    { narration: `${word} ${school.code} PAID`, amount: 5 },
  ])
  const ignored = await lineWith(server, officer.token, `${word} QUARTER`)
  assert.deepEqual([ignored.state, ignored.reason], ['discarded', rule.reason])
  const named = await lineWith(server, officer.token, `${word} ${school.code}`)
  assert.notEqual(named.state, 'discarded')
  assert.equal((await preview(word)).left, 1)
  await server.ask(reopenLine, { lines: [{ id: ignored.id, version: ignored.version }] }, officer)
  await server.ask(matchAgain, {}, officer)
  await server.jobs.drain()
  assert.equal((await lineWith(server, officer.token, `${word} QUARTER`)).state, 'unknown')
  await server.ask(revokeBankRule, { id: made.id }, officer)
  assert.equal((await server.call(revokeBankRule, { body: { id: made.id } }, officer)).status, 404)
  await anImport(server, officer.token, [{ narration: `${word} AFTER`, amount: 6 }])
  assert.equal((await lineWith(server, officer.token, `${word} AFTER`)).state, 'unknown')
  const { data } = await server.ask(bankRules, {}, officer)
  const revoked = data.find(({ id }) => id === made.id)
  assert.deepEqual([revoked?.lines, revoked?.revokedBy], [1, 'Radhika Kalpanik'])
  const actions = await auditLines(['action'], { subject_kind: 'bank-rule', subject_id: made.id })
  assert.deepEqual(valuesOf(actions, 'action'), ['bank.rule_added', 'bank.rule_revoked'])
})
