import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bookLine, discardLine, exportBankLines, reopenLine } from '@podium/contract/bank/calls'
import { decideRefund, payRefund, proposeRefund, refundTransfers } from '@podium/contract/bank/calls-credits'
import { getBookOrder, saveBookOrder } from '@podium/contract/books/calls'
import { closeDay, closeDays, exportDays, moneyDays } from '@podium/contract/ledger/calls'
import { paymentSummary, savePayment, withdrawPayment } from '@podium/contract/payments/calls'
import { decideAccount, proposeAccount } from '@podium/contract/payments/calls-accounts'
import { officeReceipts } from '@podium/contract/payments/calls-receipts'
import {
  officePaymentDetails,
  rejectPayment,
  rejectPayments,
  reopenPayment,
  verifyPayment,
  verifyPayments,
} from '@podium/contract/payments/calls-verification'
import { deleteStudentPost, getStudentDetails, saveStudentDetails } from '@podium/contract/students/calls'
import { aCredit, anImport, aStatementFile, aUtr, importFile, lineWith } from '#test/bank-factories'
import { testDatabase } from '#test/database'
import { aDay, anOfficer, officeSession, thisSeason } from '#test/factories'
import { auditLines, newestChange, readable, takeCsv } from '#test/file-call'
import {
  aFoundation,
  anOrder,
  anOrderedBook,
  aPendingPayment,
  aSchoolThatOwes,
  aSubmission,
} from '#test/payments-factories'
import { changeRows, findRow, findRows, valuesOf } from '#test/rows'
import { before, beforehand, mailsLike, refused, testServer } from '#test/server'
import { anEnteredStudent, anEntry, aTeacherInSeason } from '#test/students-factories'

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
const officer = beforehand(() => anOfficer('accounts'))
const second = beforehand(() => anOfficer('owner'))
before(() => aFoundation())

const ids = (...worlds: { id: number }[]) => worlds.map(({ id }) => ({ id, version: 1 }))
const stateOf = async (id: number) => (await findRow('payments', { id })).state
const linesAbout = (action: string, id: number) => auditLines(['id'], { action, subject_id: id })

/** The students' rows compared with the payment's lines. */
async function booked(schoolId: number) {
  const { db } = await testDatabase()
  const students = await findRows('students', { school_id: schoolId })
  const lines = await db
    .selectFrom('payment_lines as l')
    .innerJoin('payments as p', 'p.id', 'l.payment_id')
    .select(['l.gross', 'l.retained', 'p.payable'])
    .where('p.school_id', '=', schoolId)
    .execute()
  return { students, lines }
}

test('of an edit and a payment of the same student at once, one succeeds, and the payment covers what is entered', async () => {
  for (let round = 0; round < 8; round++) {
    const teacher = await aTeacherInSeason()
    const entry = anEntry({ subjectName: 'Mathematics' })
    const { id } = await anEnteredStudent(server, teacher, entry)
    const body = await aSubmission(server, teacher.token)
    const edit = () =>
      server.call(
        saveStudentDetails,
        { body: { ...entry, id, version: 1, subjectName: 'Mathematics,Science,English' } },
        teacher,
      )
    const pay = () => server.call(savePayment, { body }, teacher)
    const [first, second] = round % 2 === 0 ? [edit, pay] : [pay, edit]
    const answers = await Promise.all([first(), second()])
    const [edited, sent] = round % 2 === 0 ? answers : [answers[1], answers[0]]
    assert.equal([edited?.status, sent?.status].filter((status) => status === 200).length, 1)
    if (sent?.status === 200) assert.equal(edited?.body.code, 'enrolment.locked')
    else assert.equal(sent?.body.code, 'payments.amount_changed')
    const { students, lines } = await booked(teacher.schoolId)
    assert.equal(lines.length, sent?.status === 200 ? 1 : 0)
    for (const line of lines) {
      assert.equal(line.gross, students[0]?.reg_amount)
      assert.equal(line.payable, line.gross - line.retained)
    }
  }
})

test('of a deletion and a payment of the same student at once, one succeeds', async () => {
  for (let round = 0; round < 6; round++) {
    const teacher = await aTeacherInSeason()
    const { id } = await anEnteredStudent(server, teacher)
    const body = await aSubmission(server, teacher.token)
    const [deleted, sent] = await Promise.all([
      server.call(deleteStudentPost, { body: { studentId: id } }, teacher),
      server.call(savePayment, { body }, teacher),
    ])
    assert.equal([deleted.status, sent.status].filter((status) => status === 200).length, 1)
    const { students, lines } = await booked(teacher.schoolId)
    assert.equal(students[0]?.active, sent.status === 200)
    assert.equal(lines.length, sent.status === 200 ? 1 : 0)
  }
})

test('the payment card asks for exactly the fees of the entries, and a student sent for payment cannot be edited', async () => {
  const teacher = await aTeacherInSeason()
  const entry = anEntry({ subjectName: 'Mathematics,Science', cb: 'Mathematics,Science' })
  const { id } = await anEnteredStudent(server, teacher, entry)
  const query = { FYear: thisSeason }
  const body = await server.ask(paymentSummary, query, teacher)
  const list = await server.ask(getStudentDetails, { FYear: thisSeason }, teacher)
  const row = list.data[0]
  assert.deepEqual(valuesOf(body.dataList, 'gross'), [row?.regAmount, row?.bookAmount])
  await server.ask(savePayment, await aSubmission(server, teacher.token), teacher)
  await server.refuses('enrolment.locked', saveStudentDetails, { ...entry, id, version: 1 }, teacher)
})

test('several payments are verified at once, each with a receipt and an audit line', async () => {
  const [first, second] = [await aPendingPayment(server, 2), await aPendingPayment(server, 1)]
  const body = await server.ask(verifyPayments, { payments: ids(first, second) }, officer)
  assert.deepEqual([valuesOf(body.done, 'id'), body.refused], [[first.id, second.id], []])
  assert.equal(new Set(valuesOf(body.done, 'receiptNo')).size, 2)
  for (const { id } of [first, second]) {
    assert.equal(await stateOf(id), 'verified')
    assert.equal((await linesAbout('payment.verified', id)).length, 1)
  }
})

test('payments that cannot be verified with the others are refused one by one, and the rest are verified', async () => {
  const good = await aPendingPayment(server, 1)
  const decided = await aPendingPayment(server, 1)
  const changed = await aPendingPayment(server, 1)
  const utr = aUtr()
  const used = await aPendingPayment(server, 1, { changes: { utr } })
  const twin = await aPendingPayment(server, 1, { changes: { utr } })
  await server.ask(verifyPayment, { id: decided.id, version: 1 }, second)
  const payments = [
    ...ids(decided, used, good, twin),
    { id: changed.id, version: 7 },
    { id: 99_999_999, version: 1 },
  ]
  const body = await server.ask(verifyPayments, { payments }, officer)
  assert.deepEqual(valuesOf(body.done, 'id'), [good.id])
  assert.deepEqual(valuesOf(body.refused, 'id'), [decided.id, used.id, twin.id, changed.id, 99_999_999])
  assert.match(body.refused[0]?.message ?? '', /has already verified this payment \(receipt .+\)/)
  assert.match(body.refused[1]?.message ?? '', /needs a closer look/)
  for (const { id } of [used, twin, changed]) assert.equal(await stateOf(id), 'pending')
})

test('several payments are rejected for one reason, and one listed twice is rejected once', async () => {
  const [first, second] = [await aPendingPayment(server, 1), await aPendingPayment(server, 1)]
  const body = { payments: ids(first, second, first), reason: 'No such transfer has arrived' }
  const answer = await server.ask(rejectPayments, body, officer)
  assert.deepEqual([answer.done.length, answer.refused], [2, []])
  for (const { id } of [first, second]) assert.equal((await linesAbout('payment.rejected', id)).length, 1)
  const none = await server.call(rejectPayments, { body: { ...body, reason: ' ' } }, officer)
  assert.equal(none.status, 400)
})

const shown = async (id: number) =>
  (await server.ask(officePaymentDetails, { id: String(id) }, officer)).payment

test('a rejection is undone: the payment is to be verified again, and its school is told each time it is decided', async () => {
  for (const kind of ['Registration Fee', 'Book Fee'] as const) {
    const { id, school, token, teacher } = await aPendingPayment(server, 2, { books: 1, kind })
    const before = await server.ask(paymentSummary, { FYear: thisSeason }, { token })
    const students = await findRows('students', { school_id: school.id }, ['id', 'paid', 'locked'], 'id')
    await server.ask(rejectPayment, { id, version: 1, reason: 'By mistake' }, officer)
    const reopen = (version: number) => server.call(reopenPayment, { body: { id, version } }, officer)
    assert.equal((await shown(id)).can.reopen, true)
    await refused('changed_meanwhile', reopen(1))
    assert.equal((await reopen(2)).status, 200)
    assert.deepEqual(await server.ask(paymentSummary, { FYear: thisSeason }, { token }), before)
    assert.deepEqual(
      await findRows('students', { school_id: school.id }, ['id', 'paid', 'locked'], 'id'),
      students,
    )
    const { state, reason, decidedAt, can } = await shown(id)
    assert.deepEqual(
      [state, reason, decidedAt, can],
      ['pending', '', null, { decide: true, reopen: 'payments.decided' }],
    )
    assert.equal((await auditLines(['id'], { action: 'payment.reopened', subject_id: id })).length, 1)
    await server.ask(rejectPayment, { id, version: 3, reason: 'Nothing has arrived' }, officer)
    const mails = await mailsLike(server, `payment:${id}:re%`)
    assert.deepEqual(
      mails.map(({ key }) => key.replace(/^payment:\d+:/, '')),
      [
        `received:${teacher.id}`,
        `rejected:${teacher.id}:2`,
        `reopened:${teacher.id}:3`,
        `rejected:${teacher.id}:4`,
      ],
    )
    await server.ask(reopenPayment, { id, version: 4 }, officer)
    await server.ask(verifyPayment, { id, version: 5 }, officer)
    await refused('changed_meanwhile', reopen(6))
  }
})

test('a rejection stays once its fee was sent again, which the office sees, or has changed', async () => {
  const { id, token, school } = await aPendingPayment(server, 2)
  const reopen = (of: number) => server.call(reopenPayment, { body: { id: of, version: 2 } }, officer)
  await server.ask(rejectPayment, { id, version: 1, reason: 'By mistake' }, officer)
  const { id: again } = await server.ask(savePayment, await aSubmission(server, token), { token })
  const { doubts, doubtDetails } = await shown(again)
  assert.ok(doubts.includes('rejected'))
  assert.deepEqual(
    valuesOf(
      doubtDetails.filter(({ kind }) => kind === 'rejected'),
      'paymentId',
      'state',
    ),
    [[id, 'rejected']],
  )
  await refused('payments.not_as_it_was', reopen(id))
  await server.ask(withdrawPayment, { id: again }, { token })
  await refused('changed_meanwhile', reopen(again))
  await changeRows('students', { school_id: school.id }, { reg_amount: 50_000 })
  await refused('payments.not_as_it_was', reopen(id))
  await changeRows('students', { school_id: school.id }, { reg_amount: 20_000, active: false })
  await refused('payments.not_as_it_was', reopen(id))
})

test('a rejection stays if what it covers costs the same in all, but not each student or book', async () => {
  const reopen = (id: number) => server.call(reopenPayment, { body: { id, version: 2 } }, officer)
  const { id, ids: students, token } = await aPendingPayment(server, 2)
  await server.ask(rejectPayment, { id, version: 1, reason: 'By mistake' }, officer)
  for (const [index, amount] of [25_000, 10_000].entries())
    await changeRows('students', { id: students[index] ?? 0 }, { reg_amount: amount })
  await refused('payments.not_as_it_was', reopen(id))

  for (const [quantity, subjectName] of [
    [2, 'Mathematics'],
    [1, 'Science'],
  ] as const)
    await anOrderedBook(server, { token }, { quantity, subjectName })
  const sent = await server.ask(savePayment, await aSubmission(server, token, 'Library Book Fee'), { token })
  await server.ask(rejectPayment, { id: sent.id, version: 1, reason: 'By mistake' }, officer)
  const { data } = await server.ask(getBookOrder, { FYear: thisSeason }, { token })
  for (const { id: line, version, subjectName, quantity } of data)
    await server.ask(
      saveBookOrder,
      { ...anOrder({ subjectName, quantity: 3 - quantity }), id: line, version },
      { token },
    )
  await refused('payments.not_as_it_was', reopen(sent.id))
})

test('a list sent again with its key gets the first answer, and two officers with one list verify each payment once', async () => {
  const worlds = [
    await aPendingPayment(server, 1),
    await aPendingPayment(server, 1),
    await aPendingPayment(server, 1),
  ]
  const body = { payments: ids(...worlds) }
  const key = { ...officer, headers: { 'idempotency-key': `several-${aUtr()}` } }
  const answers = await Promise.all([
    server.call(verifyPayments, { body }, key),
    server.call(verifyPayments, { body }, second),
  ])
  const done = answers.flatMap((answer) => answer.body.done.map(({ id }) => id))
  assert.deepEqual(done.toSorted(), valuesOf(worlds, 'id').toSorted())
  const again = await server.ask(verifyPayments, body, key)
  assert.deepEqual(again.done, answers[0]?.body.done)
  for (const { id } of worlds) assert.equal((await linesAbout('payment.verified', id)).length, 1)
  const other = await server.ask(rejectPayments, { ...body, reason: 'With the same key' }, key)
  assert.deepEqual(other.done, [])
})

test('at most fifty payments are decided at once, and only by roles that may decide', async () => {
  const { id, token } = await aPendingPayment(server, 1)
  const many = Array.from({ length: 51 }, (_, n) => ({ id: n + 1, version: 1 }))
  assert.equal((await server.call(verifyPayments, { body: { payments: many } }, officer)).status, 400)
  assert.equal((await server.call(verifyPayments, { body: { payments: [] } }, officer)).status, 400)
  const request = { body: { payments: [{ id, version: 1 }] } }
  assert.equal((await server.call(verifyPayments, request, await anOfficer('viewer'))).status, 403)
  assert.notEqual((await server.call(verifyPayments, request, { token })).status, 200)
  assert.equal(await stateOf(id), 'pending')
})

test('a person who sent a payment for a school cannot verify it with their office account', async () => {
  const { id, teacher } = await aPendingPayment(server, 1)
  const { email } = await findRow('users', { id: teacher.id })
  const same = await anOfficer('accounts')
  await changeRows('staff', { id: same.id }, { email: email.toUpperCase() })
  await server.refuses('payments.own', verifyPayment, { id, version: 1 }, same)
  const many = await server.ask(verifyPayments, { payments: [{ id, version: 1 }] }, same)
  assert.equal(many.refused.length, 1)
  await server.ask(verifyPayment, { id, version: 1 }, officer)
})

async function aSchoolWithCredit(amount: number) {
  const { school } = await aSchoolThatOwes(1)
  await aCredit(server, officer, school.id, amount)
  return school.id
}

test('an officer who joined the office after a proposal cannot approve it', async () => {
  const schoolId = await aSchoolWithCredit(90)
  const proposal = { schoolId, amount: 90, payTo: 'A/c 123', reason: 'Asked for' }
  const { id } = await server.ask(proposeRefund, proposal, officer)
  const made = await anOfficer('accounts')
  const later = new Date(now.getTime() + 60_000)
  await changeRows('staff', { id: made.id }, { created_at: later })
  const approve = (who: { token: string }) => server.call(decideRefund, { body: { id, approve: true } }, who)
  await refused('second.too_new', approve(made))
  assert.equal((await approve(second)).status, 200)
  const account = {
    purpose: 'books' as const,
    accountName: 'Podium Foundation',
    bankName: 'Sahyadri Sample Bank',
    accountNo: '000012349999',
    ifsc: 'SSBX0000417',
    upiId: '',
    reason: 'Another branch',
  }
  const change = await server.ask(proposeAccount, account, officer)
  const decide = (approved: boolean) =>
    server.call(decideAccount, { body: { id: change.id, approve: approved } }, made)
  await refused('second.too_new', decide(true))
  // Rejecting is harmless.
  assert.equal((await decide(false)).status, 200)
})

test('the bulk NEFT file contains each refund once unless requested again, and no formula', async () => {
  const schoolId = await aSchoolWithCredit(100)
  const account = { accountName: '=SUM(A1) School', accountNo: '00012345678', ifsc: 'ssbx0000417' }
  const body = { schoolId, amount: 40, account, reason: 'Asked for' }
  const wrong = { ...body, account: { ...account, ifsc: 'SSBX' } }
  assert.equal((await server.call(proposeRefund, { body: wrong }, officer)).status, 400)
  const nowhere = { schoolId, amount: 40, reason: 'Asked for' }
  assert.equal((await server.call(proposeRefund, { body: nowhere }, officer)).status, 400)
  const { id } = await server.ask(proposeRefund, body, officer)
  const file = async (again: boolean) => {
    const answer = await server.post(refundTransfers, { again }, officer)
    return readable(await answer.text())
  }
  assert.match(await file(false), /refund\.none_to_pay/)
  await server.ask(decideRefund, { id, approve: true }, second)
  const line = `"'=SUM(A1) School",00012345678,SSBX0000417,40,REFUND ${id} `
  const [first, other] = await Promise.all([file(false), file(false)])
  assert.deepEqual([first, other].map((text) => text.includes('REFUND')).sort(), [false, true])
  assert.ok((await file(true)).replaceAll('"', '').includes(line.replaceAll('"', '')))
  await server.ask(payRefund, { id, utr: aUtr() }, officer)
  assert.match(await file(true), /refund\.none_to_pay/)
})

test('impossible amounts are refused at their field: negative, fractions of a paisa, or too large', async () => {
  const schoolId = await aSchoolWithCredit(100)
  for (const amount of [-1, 0, 0.001, 50.005, 1e10, Number.MAX_VALUE]) {
    const body = { schoolId, amount, payTo: 'A/c 123', reason: 'Asked for' }
    const answer = await server.call(proposeRefund, { body }, officer)
    assert.deepEqual([answer.status, answer.body.issues?.[0]?.path], [400, 'amount'], String(amount))
  }
  const line = aUtr()
  await anImport(server, officer.token, [{ narration: `FRACTION ${line}`, amount: 10 }])
  const { id, version } = await lineWith(server, officer.token, line)
  for (const credits of [
    [{ schoolId, amount: 10.001 }],
    [
      { schoolId, amount: -10 },
      { schoolId, amount: 20 },
    ],
  ]) {
    const answer = await server.call(bookLine, { body: { id, version, parts: [], credits } }, officer)
    assert.equal(answer.status, 400)
  }
})

test("a statement's impossible amounts are skipped, and its texts never become formulas in an export", async () => {
  const huge = ['99999999999999999999.00', '1e300', '10.005', '-5.00', '=1+1'].map(
    (amount) => `19/11/2026,"HUGE ${amount}",,,"${amount}",1.00`,
  )
  const formula = `=cmd|' /C calc'!A0 ${aUtr()}`
  const [head = '', ...rest] = aStatementFile([{ narration: formula, amount: 12 }]).split('\r\n19/11/2026,')
  const text = [head, ...huge, ...rest.map((row) => `19/11/2026,${row}`)].join('\r\n')
  const file = { name: '../../evil.csv', bytes: new TextEncoder().encode(text) }
  const { look, imported } = await importFile(server, officer.token, file)
  assert.deepEqual([look.lines, imported.fresh], [1, 1])
  const line = await lineWith(server, officer.token, formula.slice(-12))
  const discard = { lines: [{ id: line.id, version: line.version }], reason: '=SUM(A1:A9)' }
  await server.ask(discardLine, discard, officer)
  const day = '2026-11-21'
  const { text: journal } = await takeCsv(server, exportDays, { from: day, until: day }, officer)
  assert.match(journal, /,'=SUM/)
  assert.doesNotMatch(journal, /,"?=/)
})

test('a period with invalid days, that ends before it starts or is too long is refused', async () => {
  for (const [from, until] of [
    ['2026-02-31', '2026-03-01'],
    ['2026-19-39', '2026-12-01'],
    ['2026-12-02', '2026-12-01'],
    ['2020-01-01', '2026-12-01'],
  ]) {
    const body = { from: from ?? '', until: until ?? '', format: 'csv' as const }
    const { status } = await server.post(exportDays, body, officer)
    assert.equal(status, 400, `${from} ${until}`)
  }
  const close = await server.call(closeDay, { body: { day: '2026-02-30', note: '', seen: 'x' } }, officer)
  const list = await server.call(
    officeReceipts,
    { query: { FYear: thisSeason, from: '2026-02-30' } },
    officer,
  )
  assert.deepEqual([close.status, list.status], [400, 400])
})

test('bank lines are exported by status with their decisions, and leave an audit line', async () => {
  const accounts = await anOfficer('accounts')
  const text = aUtr()
  await anImport(server, accounts.token, [
    { narration: `=INTEREST ${text}`, amount: 77 },
    { narration: `OTHER ${aUtr()}`, amount: 78 },
  ])
  const { id, version } = await lineWith(server, accounts.token, text)
  const lines = [{ id, version }]
  await server.ask(discardLine, { lines, reason: 'Interest of the bank' }, accounts)
  const filters = { FYear: thisSeason, state: 'discarded', search: text } as const
  const viewer = await anOfficer('viewer')
  const [head, line, ...others] = (await takeCsv(server, exportBankLines, filters, viewer)).text
    .trim()
    .split('\n')
  assert.ok(head?.startsWith('Date,Account,Amount,UTR,Narration,'))
  assert.match(line ?? '', /,77,.*INTEREST.*,0,0,,Interest of the bank,/)
  assert.doesNotMatch(line ?? '', /,=INTEREST/)
  assert.deepEqual(others, [])
  assert.deepEqual(await newestChange('bank.exported'), { format: 'csv', lines: 1, filters })
  assert.equal((await takeCsv(server, exportBankLines, filters, await anOfficer('results'))).status, 403)
})

test('a day cannot be closed in its last minutes, and a line reopened meanwhile never makes its figures wrong', async () => {
  const text = aUtr()
  await anImport(server, officer.token, [{ narration: `INTEREST ${text}`, amount: 7 }])
  const line = await lineWith(server, officer.token, text)
  const body = { lines: [{ id: line.id, version: line.version }], reason: 'Interest' }
  await server.ask(discardLine, body, officer)
  const signIn = async (staffId: number) => ({ token: await officeSession(staffId, now) })
  const dayOf = async (who: { token: string }) =>
    (await server.ask(moneyDays, { FYear: thisSeason }, who)).data.find(({ day }) => day === '2026-11-21')
  const close = async (who: { token: string }) => {
    const seen = (await dayOf(who))?.seen ?? 'nothing'
    return server.call(closeDay, { body: { day: '2026-11-21', note: 'Cheques', seen } }, who)
  }
  now = new Date('2026-11-21T18:35:00Z')
  await refused('bank.day_not_over', close(await signIn(officer.id)))
  now = new Date('2026-11-22T06:00:00Z')
  const [one, other] = [await signIn(officer.id), await signIn(second.id)]
  const [closed, opened] = await Promise.all([
    close(one),
    server.call(reopenLine, { body: { lines: [{ id: line.id, version: line.version + 1 }] } }, other),
  ])
  if (closed.status !== 200) {
    assert.deepEqual([closed.body.code, opened.status], ['changed_meanwhile', 200])
    assert.equal((await close(one)).status, 200)
  }
  const shown = await dayOf(one)
  const kept = await server.deps.db
    .selectFrom('bank_lines')
    .select((of) => of.fn.sum<number>('discarded').as('discarded'))
    .where('decided_at', '<', new Date('2026-11-21T18:30:00Z'))
    .executeTakeFirst()
  assert.equal(Math.round((shown?.figures.discarded ?? 0) * 100), Number(kept?.discarded ?? 0))
  assert.ok(opened.status === 200 || opened.body.code === 'bank.day_closed')
})

const signInNow = async () => ({ token: await officeSession(officer.id, now) })

test('money matched on a later day needs no note, and open days are closed together or not at all', async () => {
  now = aDay
  const utr = aUtr()
  const early = await aPendingPayment(server, 1, { changes: { utr } })
  now = new Date('2027-01-05T06:00:00Z')
  const who = await signInNow()
  await server.ask(verifyPayment, { id: early.id, version: 1 }, who)
  now = new Date('2027-01-06T06:00:00Z')
  const later = await signInNow()
  await anImport(server, later.token, [
    { narration: `NEFT ${utr}`, amount: early.payable, day: '05/01/2027' },
  ])
  const line = await lineWith(server, later.token, utr)
  const parts = [{ key: `p${early.id}`, amount: early.payable }]
  await server.ask(bookLine, { id: line.id, version: line.version, parts }, later)
  now = new Date('2027-01-07T06:00:00Z')
  const last = await signInNow()
  const { data } = await server.ask(moneyDays, { FYear: thisSeason }, last)
  const first = data.find(({ day }) => day === '2027-01-05') ?? assert.fail()
  const { foundLater, difference, arrived, arrivedOpen } = first.figures
  assert.deepEqual([foundLater, difference, arrived, arrivedOpen], [early.payable, 0, early.payable, 0])
  const open = data.filter(({ closedAt, can }) => closedAt === null && can.close !== 'bank.day_closed')
  const days = open.map(({ day, seen }) => ({ day, seen }))
  const close = (which: typeof days) =>
    server.call(closeDays, { body: { days: which, note: 'Cheques' } }, last)
  const stale = days.map((day, index) => (index === 0 ? { ...day, seen: 'of some other moment' } : day))
  await refused('changed_meanwhile', close(stale))
  assert.equal((await close(days)).body.closed, days.length)
  const after = (await server.ask(moneyDays, { FYear: thisSeason }, last)).data
  const closed = after.find(({ day }) => day === '2027-01-05')
  assert.deepEqual([closed?.closedAt !== null, closed?.note], [true, ''])
  await refused('bank.day_closed', close(days))
  const differing = open.filter(({ figures }) => figures.difference !== 0)
  const noted = (differing.length > 0 ? differing : open.slice(0, 1)).map(({ day }) => day)
  const kept = after.filter(({ day, note }) => note !== '' && open.some((item) => item.day === day))
  assert.deepEqual(
    valuesOf(kept, 'day'),
    noted,
    'the note is saved with the days that differ, or else with the last day',
  )
})
