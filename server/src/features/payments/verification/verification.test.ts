import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BodyOf } from '@podium/contract/endpoint'
import { pagesHeader } from '@podium/contract/headers'
import { messages } from '@podium/contract/messages'
import {
  paymentProof,
  paymentReceipt,
  paymentSummary,
  savePayment,
  withdrawPayment,
} from '@podium/contract/payments/calls'
import {
  officePaymentDetails,
  officePaymentProof,
  officePaymentReceipt,
  officePayments,
  rejectPayment,
  verifyPayment,
} from '@podium/contract/payments/calls-verification'
import { getStudentDetails, studentState } from '@podium/contract/students/calls'
import { getSignOffs } from '@podium/contract/students/calls-sign-off'
import { sql } from 'kysely'
import { testDatabase } from '#test/database'
import { anOfficer, aTeacher, season, thisSeason } from '#test/factories'
import { auditLines } from '#test/file-call'
import { aPendingPayment, aProof, aStudent, aSubmission } from '#test/payments-factories'
import { changeRows, findRows, valuesOf } from '#test/rows'
import { beforehand, mailsLike, refused, testServer } from '#test/server'

const server = beforehand(() => testServer({ clock: () => new Date('2026-11-21T06:00:00Z') }))
const officer = beforehand(() => anOfficer('accounts'))

const verify = (id: number, token = officer.token) =>
  server.call(verifyPayment, { body: { id, version: 1 } }, { token })
const reject = (id: number, reason = 'The slip can not be read') =>
  server.call(rejectPayment, { body: { id, version: 1, reason } }, officer)
const paymentOf = async (id: number) =>
  (await server.ask(officePaymentDetails, { id: String(id) }, officer)).payment
const summary = (token: string) => server.ask(paymentSummary, { FYear: thisSeason }, { token })
const queue = (query: object) => server.ask(officePayments, { FYear: thisSeason, ...query }, officer)

async function studentsOf(schoolId: number) {
  return findRows('students', { school_id: schoolId }, ['id', 'paid', 'locked', 'exam_roll_no'], 'id')
}

test('verifying a registration fee marks its students as paid and gives exam roll nos and a receipt number [spec 4.10 4.12]', async () => {
  const { id, school, token } = await aPendingPayment(server, 2)
  const { status, body } = await verify(id)
  assert.equal(status, 200)
  assert.match(body.receiptNo, /^PD27\/\d{6}$/)
  assert.deepEqual(
    (await studentsOf(school.id)).map(({ id: _, ...rest }) => rest),
    [
      { paid: true, locked: false, exam_roll_no: `${school.code}-07-001` },
      { paid: true, locked: false, exam_roll_no: `${school.code}-07-002` },
    ],
  )
  const { dataList, paidList } = await summary(token)
  assert.deepEqual(
    [dataList.length, dataList[0]?.paymentStatus, dataList[0]?.payableAmount],
    [1, 'Paid', 300],
  )
  const [entry] = paidList
  assert.deepEqual(
    [entry?.receiptNo, entry?.payment, entry?.paymentStatus, entry?.paymentDate],
    [body.receiptNo, 300, 'Verified', '2026-11-20'],
  )
})

test('exam roll nos are numbered per class, by section and roll no, and never reused', async () => {
  const { id, school, token } = await aPendingPayment(server, 1, { classId: 7 })
  await verify(id)
  const later = [
    await aStudent({ schoolId: school.id, classId: 7, rollNo: 90_002 }),
    await aStudent({ schoolId: school.id, classId: 7, rollNo: 90_001 }),
    await aStudent({ schoolId: school.id, classId: 12 }),
  ]
  const second = await server.ask(savePayment, await aSubmission(server, token), { token })
  await verify(second.id)
  const given = new Map((await studentsOf(school.id)).map((student) => [student.id, student.exam_roll_no]))
  assert.deepEqual(
    later.map((student) => given.get(student.id)),
    [`${school.code}-07-003`, `${school.code}-07-002`, `${school.code}-12-001`],
  )
})

test('the receipt is a PDF that school and office can download, created once whoever asks first', async () => {
  const { id, token, teacher } = await aPendingPayment(server, 2)
  const { body } = await verify(id)
  const [own, office] = await Promise.all([
    server.download(paymentReceipt, { id }, { token }),
    server.download(officePaymentReceipt, { id }, officer),
  ])
  assert.deepEqual([own.status, office.status], [200, 200])
  assert.match(own.bytes.subarray(0, 5).toString(), /^%PDF-/)
  assert.deepEqual(own.bytes, office.bytes)
  assert.match(
    own.headers.get('content-disposition') ?? '',
    new RegExp(`^attachment; filename="Receipt-${body.receiptNo.replace('/', '-')}.pdf"`),
  )
  await jobDone(id)
  const files = await findRows('files', { school_id: teacher.schoolId, kind: 'receipt' }, ['id'])
  assert.equal(files.length, 1)
  const stranger = await aTeacher()
  assert.equal((await server.download(paymentReceipt, { id }, stranger)).status, 404)
})

/** Resolves when the receipt's job has run: each query gives it a turn. */
async function jobDone(paymentId: number): Promise<void> {
  for (let looks = 0; looks < 5_000; looks++) {
    const jobs = await findRows('jobs', { kind: 'payment-receipt' }, ['state', 'input'])
    const job = jobs.find(({ input }) => JSON.stringify(input) === JSON.stringify({ paymentId }))
    assert.notEqual(job?.state, 'failed')
    if (job?.state === 'done') return
  }
  assert.fail('the receipt was not made')
}

test('the receipt is e-mailed without anyone asking for it', async () => {
  const { id, teacher } = await aPendingPayment(server, 1)
  await verify(id)
  await jobDone(id)
  const mail = await findRows('outbox', { key: `payment:${id}:verified:${teacher.id}` }, ['kind'])
  assert.deepEqual(mail, [{ kind: 'payment-verified' }])
})

test('a rejected payment is due again with the same reference and the reason, and its students are unlocked', async () => {
  const { id, school, token, teacher } = await aPendingPayment(server, 2)
  assert.equal((await reject(id, '  ₹100 short,  please send the rest ')).status, 200)
  const { dataList, paidList } = await summary(token)
  assert.deepEqual([dataList.length, dataList[0]?.paymentStatus_For_School], [1, 0])
  assert.deepEqual(dataList[0]?.rejected, {
    id,
    reason: '₹100 short, please send the rest',
    payableAmount: 300,
    paymentDate: '2026-11-20',
    decidedOn: '2026-11-21',
  })
  assert.equal(dataList[0]?.reference, `PD27-${school.code}-R1`)
  assert.deepEqual([paidList[0]?.paymentStatus, paidList[0]?.receiptNo], ['Rejected', ''])
  assert.ok((await studentsOf(school.id)).every((student) => !student.locked && !student.paid))
  const mail = await findRows('outbox', { key: `payment:${id}:rejected:${teacher.id}:2` }, ['kind'])
  assert.deepEqual(mail, [{ kind: 'payment-rejected' }])
  await server.ask(savePayment, await aSubmission(server, token), { token })
  assert.equal((await summary(token)).dataList[0]?.rejected, null)
})

test('a school withdraws a payment that is not verified yet, and sends it again with the right UTR', async () => {
  const { id, school, token, submission } = await aPendingPayment(server, 2)
  await server.ask(withdrawPayment, { id }, { token })
  assert.deepEqual(valuesOf(await studentsOf(school.id), 'paid', 'locked'), [
    [false, false],
    [false, false],
  ])
  const { dataList, paidList } = await summary(token)
  assert.deepEqual(
    [dataList[0]?.paymentStatus_For_School, dataList[0]?.payableAmount, dataList[0]?.rejected],
    [0, 300, null],
  )
  assert.deepEqual(valuesOf(paidList, 'id', 'withdrawn'), [[id, true]])
  const refusal = await refused('payments.decided', verify(id))
  assert.equal(refusal.message, 'Withdrawn by the school.')
  const again = { ...submission, utr: 'UTR2026112100042' }
  const { id: second } = await server.ask(savePayment, again, { token })
  // It may have the proof of the one that was withdrawn.
  const shown = [await paymentOf(id), await paymentOf(second)]
  assert.deepEqual(valuesOf(shown, 'withdrawn', 'doubts', 'doubtDetails'), [
    [true, [], []],
    [false, [], []],
  ])
  await verify(second)
  await refused('payments.decided', server.call(withdrawPayment, { body: { id: second } }, { token }))
  assert.equal((await paymentOf(second)).state, 'verified')
})

test('what a school sends after a withdrawal starts with what it had entered, and may bring the same proof', async () => {
  const { id, token, submission } = await aPendingPayment(server)
  const { sent } = (await summary(token)).dataList[0] ?? assert.fail('no card')
  await server.ask(withdrawPayment, { id }, { token })
  assert.deepEqual((await summary(token)).dataList[0]?.previous, sent)
  const again = { ...submission, remarks: 'Corrected', attechment: '', proofOf: id }
  const { id: second } = await server.ask(savePayment, again, { token })
  const [card] = (await summary(token)).dataList
  assert.deepEqual(
    [card?.sent?.remarks, card?.sent?.proofName, card?.previous],
    ['Corrected', 'slip.png', null],
  )
  const [one, two] = await Promise.all(
    [id, second].map((payment) => server.download(paymentProof, { id: payment }, { token })),
  )
  assert.deepEqual(one?.bytes, two?.bytes)
  // The one that was withdrawn is no longer the last one.
  await server.ask(withdrawPayment, { id: second }, { token })
  await refusesProof(token, { ...again, proofOf: id })
  await server.ask(savePayment, { ...again, proofOf: second }, { token })
})

/** Sends a payment whose proof may not be used again: the dialog asks for a file. */
async function refusesProof(token: string, body: BodyOf<typeof savePayment>) {
  const answer = await server.send(savePayment, { body }, { token })
  assert.deepEqual(
    [answer.status, answer.body.issues],
    [400, [{ path: 'attechment', message: messages.attachmentRequired }]],
  )
}

test("only the proof of the school's own last payment of this fee is used again, and only if the school withdrew it; what else a rejected one said is", async () => {
  const theirs = await aPendingPayment(server)
  await server.ask(withdrawPayment, { id: theirs.id }, { token: theirs.token })
  const { id, token, submission, school } = await aPendingPayment(server, 1, { books: 1 })
  const books = { ...(await aSubmission(server, token, 'Book Fee')), attechment: '' }
  // Another school's, one of no one, and one of another fee.
  for (const proofOf of [theirs.id, 999_999_999]) {
    await server.refuses('not_found', savePayment, { ...books, proofOf }, { token })
  }
  await server.ask(withdrawPayment, { id }, { token })
  await refusesProof(token, { ...books, proofOf: id })
  // Neither a proof nor one to use again.
  await refusesProof(token, books)
  // One that was deleted after its retention period.
  await changeRows('payments', { id }, { proof_file_id: null })
  const [card] = (await summary(token)).dataList
  assert.deepEqual([card?.previous?.attechment, card?.previous?.proofName], ['', ''])
  const again = { ...submission, attechment: '', proofOf: id }
  await refusesProof(token, again)
  // One that the foundation rejected.
  const { id: second } = await server.ask(savePayment, { ...submission, utr: 'SSBK260000000417' }, { token })
  await reject(second, 'Please send the other page.')
  const previous = (await summary(token)).dataList[0]?.previous
  assert.deepEqual(
    [previous?.id, previous?.paymentDate, previous?.utr, previous?.attechment, previous?.proofName],
    [second, submission.paymentDate, 'SSBK260000000417', '', ''],
  )
  await refusesProof(token, { ...again, proofOf: second })
  assert.deepEqual(await findRows('payments', { school_id: school.id, state: 'pending' }, ['id']), [])
})

test('of a withdrawal and a verification at once exactly one succeeds, and no school withdraws the payment of another', async () => {
  const { id, token } = await aPendingPayment(server, 1)
  const other = await aTeacher()
  await refused('not_found', server.call(withdrawPayment, { body: { id } }, other))
  const answers = await Promise.all([verify(id), server.call(withdrawPayment, { body: { id } }, { token })])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
})

test('a user who reads Hindi gets payment e-mails in Hindi, with the Hindi text of a standard reason', async () => {
  const { id, teacher } = await aPendingPayment(server, 1)
  const { db } = await testDatabase()
  await changeRows('users', { id: teacher.id }, { language: 'hi' })
  const [first] = (
    await sql<{ en: string; hi: string }>`
      select reason ->> 'en' as en, reason ->> 'hi' as hi
      from standard_reasons, jsonb_array_elements(reasons) as reason where kind = 'payment'`.execute(db)
  ).rows
  assert.equal((await reject(id, first?.en)).status, 200)
  const [mail] = await mailsLike(server, `payment:${id}:rejected:${teacher.id}:%`)
  assert.match(mail?.subject ?? '', /^कृपया अपना भुगतान जाँचें: पंजीकरण शुल्क /)
  assert.ok(first && mail?.text.includes(first.hi) && !mail.text.includes(first.en))
  assert.match(mail?.text ?? '', /managepayment\?season=\d{4}-\d\d\s/)
})

test('a rejection needs a reason', async () => {
  const { id, token } = await aPendingPayment(server)
  const refused = await reject(id, '   ')
  assert.deepEqual(
    [refused.status, refused.body.issues],
    [400, [{ path: 'reason', message: 'Please enter a reason.' }]],
  )
  assert.equal((await summary(token)).dataList[0]?.paymentStatus_For_School, 1)
})

test('verified book fees are paid but lock the student until the registration fee is paid', async () => {
  const { id, school, token } = await aPendingPayment(server, 1, { books: 2, kind: 'Book Fee' })
  const { body } = await verify(id)
  assert.match(body.receiptNo, /^PD27/)
  const { db } = await testDatabase()
  const lines = await db
    .selectFrom('payment_lines as l')
    .innerJoin('payments as p', 'p.id', 'l.payment_id')
    .select(['l.live', 'p.state', 'l.gross'])
    .where('p.school_id', '=', school.id)
    .execute()
  assert.deepEqual(lines, [{ live: true, state: 'verified', gross: 44_000 }])
  assert.deepEqual(valuesOf(await studentsOf(school.id), 'paid', 'locked', 'exam_roll_no'), [
    [false, true, null],
  ])
  const registration = await server.ask(savePayment, await aSubmission(server, token), { token })
  await verify(registration.id)
  assert.deepEqual(valuesOf(await studentsOf(school.id), 'paid', 'locked'), [[true, false]])
})

test('a student with only books sent or paid is locked, but unpaid in the list and at sign-off', async () => {
  const { id, school, token } = await aPendingPayment(server, 1, { books: 1, kind: 'Book Fee' })
  const { db } = await testDatabase()
  await sql`
    insert into participations (school_id, event_id, created_at)
    select distinct school_id, event_id, now() from enrolments where school_id = ${school.id}`.execute(db)
  const status = async () => {
    const students = await server.ask(getStudentDetails, { FYear: thisSeason }, { token })
    const lists = await server.ask(getSignOffs, { FYear: thisSeason }, { token })
    const [row] = students.data
    const missing = lists.data[0]?.checks.map((check) => check.kind) ?? []
    return [
      row && studentState(row),
      row?.can.edit,
      missing.filter((kind) => kind === 'unpaid' || kind === 'waiting').join(),
    ]
  }
  assert.deepEqual(await status(), ['unpaid', 'enrolment.locked', 'unpaid'])
  await verify(id)
  assert.deepEqual(await status(), ['unpaid', 'enrolment.locked', 'unpaid'])
  const sent = await server.ask(savePayment, await aSubmission(server, token), { token })
  assert.deepEqual(await status(), ['locked', 'enrolment.locked', 'waiting'])
  await reject(sent.id)
  assert.deepEqual(await status(), ['unpaid', 'enrolment.locked', 'unpaid'])
  const again = await server.ask(savePayment, await aSubmission(server, token), { token })
  await verify(again.id)
  assert.deepEqual(await status(), ['paid', 'enrolment.paid', ''])
})

test('a student in two pending payments stays locked when one of them is rejected', async () => {
  const { id, school, token } = await aPendingPayment(server, 1, { books: 1 })
  await server.ask(savePayment, await aSubmission(server, token, 'Book Fee'), { token })
  await reject(id)
  assert.equal((await studentsOf(school.id))[0]?.locked, true)
})

test('of officers who decide at once exactly one succeeds, and the others read who decided and how', async () => {
  const colleague = await anOfficer('owner')
  for (let round = 0; round < 4; round++) {
    const { id } = await aPendingPayment(server, 1)
    const answers = await Promise.all([verify(id), reject(id), verify(id, colleague.token)])
    const won = answers.filter((answer) => answer.status === 200)
    assert.equal(won.length, 1)
    for (const lost of answers.filter((answer) => answer.status !== 200)) {
      assert.deepEqual([lost.status, lost.body.code], [409, 'payments.decided'])
      assert.match(
        lost.body.message,
        /^Radhika Kalpanik has already (verified this payment \(receipt PD27\/\d{6}\)|rejected this payment)\.$/,
      )
    }
  }
})

test('a verified payment cannot be decided again', async () => {
  const { id } = await aPendingPayment(server)
  const { body } = await verify(id)
  await refused('payments.decided', verify(id))
  await refused('payments.decided', reject(id))
  assert.equal((await paymentOf(id)).receiptNo, body.receiptNo)
})

test('a decision sent twice with the same key is made once and answered twice', async () => {
  const { id } = await aPendingPayment(server)
  const options = { token: officer.token, headers: { 'idempotency-key': `verify-${id}-once` } }
  const answers = [
    await server.call(verifyPayment, { body: { id, version: 1 } }, options),
    await server.call(verifyPayment, { body: { id, version: 1 } }, options),
  ]
  assert.deepEqual(valuesOf(answers, 'status'), [200, 200])
  assert.equal(answers[0]?.body.receiptNo, answers[1]?.body.receiptNo)
})

test('receipt numbers have no gaps or duplicates after twenty verifications at once, with refused ones among them', async () => {
  const waiting = await Promise.all(Array.from({ length: 20 }, () => aPendingPayment(server, 1)))
  const answers = await Promise.all([
    ...waiting.map(({ id }) => verify(id)),
    ...waiting.slice(0, 5).map(({ id }) => verify(id)),
  ])
  const numbers = answers.filter((answer) => answer.status === 200).map((answer) => answer.body.receiptNo)
  assert.equal(numbers.length, 20)
  const { db } = await testDatabase()
  const all = await db
    .selectFrom('payments')
    .select('receipt_no')
    .where('season', '=', thisSeason)
    .where('receipt_no', 'is not', null)
    .orderBy('receipt_no')
    .execute()
  assert.deepEqual(
    valuesOf(all, 'receipt_no'),
    all.map((_, index) => `PD27/${String(index + 1).padStart(6, '0')}`),
  )
})

test('every payment equals the sum of its lines, and every verified one is in the activity log', async () => {
  const { db } = await testDatabase()
  const payments = await db
    .selectFrom('payments as p')
    .innerJoin('payment_lines as l', 'l.payment_id', 'p.id')
    .groupBy('p.id')
    .select((of) => [
      'p.id',
      'p.gross',
      'p.retained',
      'p.payable',
      'p.state',
      of.fn.sum<number>('l.gross').as('lines_gross'),
      of.fn.sum<number>('l.retained').as('lines_retained'),
    ])
    .execute()
  assert.ok(payments.length > 30)
  for (const payment of payments) {
    assert.equal(payment.gross, payment.lines_gross)
    assert.equal(payment.retained, payment.lines_retained)
    assert.equal(payment.payable, payment.gross - payment.retained)
  }
  const verified = payments
    .filter((payment) => payment.state === 'verified')
    .map((payment) => String(payment.id))
  const lines = await auditLines(['subject_id'], { action: 'payment.verified' })
  assert.deepEqual(valuesOf(lines, 'subject_id').sort(), verified.sort())
  const paid = await db
    .selectFrom('students as s')
    .innerJoin('payment_lines as l', (join) =>
      join.onRef('l.student_id', '=', 's.id').on('l.purpose', '=', 'registration').on('l.live', '=', true),
    )
    .innerJoin('payments as p', 'p.id', 'l.payment_id')
    .select(['s.paid', 'p.state'])
    .execute()
  for (const student of paid) assert.equal(student.paid, student.state === 'verified')
})

test('the queue shows the oldest first, is searched by school, code, UTR and reference, and counts each status', async () => {
  const first = await aPendingPayment(server, 1, { changes: { utr: '998877665544' } })
  const second = await aPendingPayment(server, 3)
  const ids = async (query: object) => (await queue(query)).data.map((row) => row.id)
  const all = await ids({})
  assert.ok(all.indexOf(first.id) < all.indexOf(second.id))
  assert.deepEqual(await ids({ search: first.school.code.toLowerCase() }), [first.id])
  assert.deepEqual(await ids({ search: first.school.name.toUpperCase() }), [first.id])
  assert.deepEqual(await ids({ search: '998877665544' }), [first.id])
  assert.deepEqual(await ids({ search: `PD27-${second.school.code}-R1` }), [second.id])
  assert.deepEqual(await ids({ search: '%' }), [])
  assert.deepEqual(await ids({ FYear: '2025-26' }), [])
  const dearest = await ids({ sort: 'amount' })
  assert.ok(dearest.indexOf(second.id) < dearest.indexOf(first.id))
  const beyond = await queue({ page: '99' })
  assert.deepEqual([beyond.data, beyond.total], [[], beyond.counts.pending])
  const found = await queue({ search: first.school.code, page: '2' })
  assert.deepEqual([found.data, found.total], [[], 1])
  const before = (await queue({})).counts
  await verify(first.id)
  const after = (await queue({})).counts
  assert.deepEqual([after.pending, after.verified], [before.pending - 1, before.verified + 1])
  assert.deepEqual(await ids({ state: 'verified', search: first.school.code }), [first.id])
})

test('a payment shows its students, its amounts and the next receipt number', async () => {
  const { id, ids, teacher } = await aPendingPayment(server, 2, { letters: ['M', 'S'] })
  const payment = await paymentOf(id)
  assert.deepEqual(
    [payment.gross, payment.retained, payment.payableAmount, payment.entries],
    [700, 100, 600, 4],
  )
  assert.deepEqual(valuesOf(payment.covered, 'id'), ids)
  assert.deepEqual([payment.covered[0]?.className, payment.covered[0]?.gross], ['Class 7', 350])
  assert.deepEqual([payment.sentBy, payment.can.decide, payment.doubts], [teacher.name, true, []])
  assert.equal((await verify(id)).body.receiptNo, payment.nextReceiptNo)
})

test('a proof or UTR that was used before is pointed out on both payments', async () => {
  const attechment = await aProof()
  const changes = { attechment, utr: 'SSBX26112000123456' }
  const first = await aPendingPayment(server, 1, { changes })
  const second = await aPendingPayment(server, 1, { changes: { ...changes, utr: 'ssbx 2611 2000 1234 56' } })
  const payment = await paymentOf(second.id)
  assert.deepEqual(payment.doubts, ['proof', 'utr'])
  assert.deepEqual(valuesOf(payment.doubtDetails, 'kind', 'paymentId', 'schCode'), [
    ['proof', first.id, first.school.code],
    ['utr', first.id, first.school.code],
  ])
  assert.deepEqual((await paymentOf(first.id)).doubts, ['proof', 'utr'])
})

/** A PDF with this many pages, each with one line. */
function aPdfProof(pages: number): string {
  const kids = Array.from({ length: pages }, (_, at) => `${at + 3} 0 R`)
  const page = (key: string) =>
    `${key.replace(' R', ' obj')} << /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >> endobj`
  const objects = [
    '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
    `2 0 obj << /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages} >> endobj`,
    ...kids.map(page),
  ]
  const text = `%PDF-1.7\n${objects.join('\n')}\ntrailer << /Root 1 0 R >>\n%%EOF\n`
  return `data:application/pdf;base64,${Buffer.from(text).toString('base64')}`
}

test('the office sees the pages of a proof as pictures; a PDF without pages can only be downloaded', async () => {
  const { token } = await anOfficer('viewer')
  const paidWith = async (attechment: string) => {
    const paid = await aPendingPayment(server, 1, { changes: { attechment, attechmentName: 'slip.pdf' } })
    return { token: paid.token, id: String(paid.id) }
  }
  const pageOf = (id: string, page: number, by = token) =>
    server.download(officePaymentProof, { id, page: String(page) }, { token: by })
  const slip = await paidWith(aPdfProof(2))
  const second = await pageOf(slip.id, 2)
  assert.deepEqual([second.status, second.headers.get('content-type')], [200, 'image/jpeg'])
  assert.deepEqual([second.headers.get(pagesHeader), second.bytes.readUInt16BE()], ['2', 0xffd8])
  for (const page of [0, 3]) assert.equal((await pageOf(slip.id, page)).status, 404)
  for (const stranger of [slip.token, (await anOfficer('results')).token])
    assert.equal((await pageOf(slip.id, 1, stranger)).status, 403)
  const { id } = await aPendingPayment(server, 1)
  const picture = await pageOf(String(id), 1)
  assert.deepEqual(
    [picture.headers.get('content-type'), picture.headers.get(pagesHeader)],
    ['image/png', '1'],
  )
  for (const page of [0, 2]) assert.equal((await pageOf(String(id), page)).status, 404)
  const empty = await paidWith(aPdfProof(0))
  const refused = await pageOf(empty.id, 1)
  assert.deepEqual([refused.status, JSON.parse(refused.bytes.toString()).code], [422, 'file.no_preview'])
  assert.equal((await server.download(officePaymentProof, { id: empty.id }, { token })).status, 200)
})

test('the office sees the pages of a receipt as pictures too', async () => {
  const { id, token } = await aPendingPayment(server)
  const pageOf = (page: number, by = officer.token) =>
    server.download(officePaymentReceipt, { id: String(id), page: String(page) }, { token: by })
  assert.equal((await pageOf(1)).status, 404)
  await verify(id)
  const first = await pageOf(1)
  assert.deepEqual([first.status, first.headers.get('content-type')], [200, 'image/jpeg'])
  assert.equal((await pageOf(Number(first.headers.get(pagesHeader)) + 1)).status, 404)
  for (const stranger of [token, (await anOfficer('results')).token])
    assert.equal((await pageOf(1, stranger)).status, 403)
})

test('fees that no longer add up to the payment are pointed out', async () => {
  const { id, ids } = await aPendingPayment(server, 1)
  await changeRows('students', { id: ids }, { reg_amount: 20_000 })
  const payment = await paymentOf(id)
  assert.deepEqual(payment.doubts, ['amount'])
  assert.equal(payment.doubtDetails[0]?.payableAmount, 175)
  await changeRows('students', { id: ids }, { reg_amount: 17_500 })
})

test('operations and viewers read payments but cannot decide them; results staff and schools see nothing', async () => {
  const { id, token } = await aPendingPayment(server)
  const query = { id: String(id) }
  for (const role of ['operations', 'viewer'] as const) {
    const reader = await anOfficer(role)
    const read = await server.call(officePaymentDetails, { query }, reader)
    assert.deepEqual([read.status, read.body.payment.can.decide], [200, 'access.denied'])
    assert.equal((await server.download(officePaymentProof, query, reader)).status, 200)
    assert.equal((await verify(id, reader.token)).status, 403)
  }
  const results = await anOfficer('results')
  for (const other of [results.token, token]) {
    assert.equal(
      (await server.send(officePayments, { query: { FYear: thisSeason } }, { token: other })).status,
      403,
    )
    assert.equal((await server.send(officePaymentDetails, { query }, { token: other })).status, 403)
    assert.equal((await server.download(officePaymentProof, query, { token: other })).status, 403)
    assert.equal(
      (await server.send(verifyPayment, { body: { id, version: 1 } }, { token: other })).status,
      403,
    )
  }
  assert.equal((await server.download(officePaymentReceipt, query)).status, 401)
  assert.equal((await paymentOf(id)).state, 'pending')
})

test('a payment that does not exist is not found', async () => {
  assert.equal((await verify(987_654_321)).status, 404)
  assert.equal((await reject(987_654_321)).status, 404)
  const query = { id: '987654321' }
  assert.equal((await server.send(officePaymentDetails, { query }, officer)).status, 404)
})

test('receipts are numbered separately in each season', async () => {
  const past = season('2025-26')
  const { school, token } = await aPendingPayment(server, 1)
  const student = await aStudent({ schoolId: school.id, season: past })
  const body = { ...(await aSubmissionFor(token, past)), individualRegIdList: [student.id] }
  const sent = await server.ask(savePayment, body, { token })
  assert.equal((await verify(sent.id)).body.receiptNo, 'PD26/000001')
})

async function aSubmissionFor(token: string, label: string) {
  const body = await server.ask(paymentSummary, { FYear: label }, { token })
  const payableAmount = body.dataList[0]?.payableAmount ?? 0
  const mode = 3 as const
  return { mode, payableAmount, paymentDate: '2026-11-20', remarks: 'Late', attechment: await aProof() }
}
