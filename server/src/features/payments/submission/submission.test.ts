import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { messages } from '@podium/contract/messages'
import {
  feeStatement,
  paymentProof,
  paymentReceipt,
  paymentSummary,
  savePayment,
} from '@podium/contract/payments/calls'
import { askWaiver } from '@podium/contract/payments/calls-waivers'
import { testDatabase } from '#test/database'
import { aDay, anOfficer, aSchool, aSeason, aTeacher, season, thisSeason } from '#test/factories'
import { auditLine } from '#test/file-call'
import { aProof, aSchoolThatOwes, aStudent, aSubmission } from '#test/payments-factories'
import { changeRows, findRows, valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'

const server = beforehand(() => testServer({ clock: () => new Date('2026-11-21T06:00:00Z') }))

const summary = (token: string) => server.call(paymentSummary, { query: { FYear: thisSeason } }, { token })
const cards = async (token: string) => (await summary(token)).body.dataList

test("a payment card shows the fees collected, the school's share and the payable amount, with bank details and a UPI link [spec 1.9 2.13.1 2.13.2 7.18 9.17]", async () => {
  const { school, token, students } = await aSchoolThatOwes(2, { letters: ['M', 'S'], books: 1 })
  const [registration, books, ...more] = await cards(token)
  assert.deepEqual(more, [])
  const { individualRegIdList, upi, ...fields } = registration ?? assert.fail('no card')
  assert.deepEqual(individualRegIdList, valuesOf(students, 'id'))
  assert.deepEqual(fields, {
    paymentFor: 'Registration Fee',
    paymentStatus: 'Pending',
    payableAmount: 600,
    accountName: 'Podium Foundation',
    bankName: 'Sahyadri Sample Bank',
    accountNo: '000012345678',
    ifsc: 'SSBX0000417',
    paymentStatus_For_School: 0,
    gross: 700,
    retained: 100,
    reference: `PD27-${school.code}-R1`,
    upiId: 'podium@samplebank',
    students: 2,
    entries: 4,
    entryFee: 175,
    lateFee: 0,
    books: 0,
    slab: null,
    sent: null,
    previous: null,
    rejected: null,
    can: { submit: true },
  })
  assert.equal(
    upi,
    `upi://pay?pa=podium@samplebank&pn=Podium%20Foundation&am=600.00&cu=INR&tn=Registration%20Fee%202026-27%20${school.code}&tr=PD27-${school.code}-R1`,
  )
  assert.equal(books?.paymentFor, 'Book Fee')
  assert.deepEqual([books?.gross, books?.retained, books?.payableAmount, books?.books], [440, 40, 400, 2])
  assert.equal(books?.reference, `PD27-${school.code}-B1`)
})

test('a school that owes nothing has no payment card, and deleted students owe nothing', async () => {
  const { school, token } = await aSchoolThatOwes(0)
  await aStudent({ schoolId: school.id, active: false, books: 2 })
  assert.deepEqual((await summary(token)).body.dataList, [])
})

test("a season does not show another season's fees", async () => {
  const { token } = await aSchoolThatOwes(1)
  const body = await server.ask(paymentSummary, { FYear: '2025-26' }, { token })
  assert.deepEqual(body.dataList, [])
})

test('a sent payment covers its students until it is decided: the card shows it and the students are locked [spec 1.9 2.13.3 7.19]', async () => {
  const { school, teacher, token, ids } = await aSchoolThatOwes(2)
  const sent = await server.call(
    savePayment,
    { body: { ...(await aSubmission(server, token)), utr: '6321 8400 7715' } },
    { token },
  )
  assert.deepEqual([sent.status, sent.body.message, sent.body.payableAmount], [200, messages.saved, 300])
  const [card, ...more] = await cards(token)
  assert.deepEqual(more, [])
  assert.equal(card?.paymentStatus_For_School, 1)
  assert.equal(card?.paymentStatus, 'Pending')
  assert.deepEqual(card?.individualRegIdList, ids)
  assert.equal(card?.sent?.utr, '632184007715')
  assert.equal(card?.sent?.proofName, 'slip.png')
  assert.equal(card?.sent?.sentBy, teacher.name)
  assert.equal(card?.upi, '')
  const { db } = await testDatabase()
  const students = await findRows('students', { school_id: school.id }, ['locked'])
  assert.deepEqual(students, [{ locked: true }, { locked: true }])
  const line = await auditLine(['action', 'actor_id'], { school_id: school.id })
  assert.deepEqual(line, { action: 'payment.submitted', actor_id: teacher.id })
  const mail = await db
    .selectFrom('outbox')
    .select('kind')
    .where('key', '=', `payment:${sent.body.id}:received:${teacher.id}`)
    .executeTakeFirst()
  assert.equal(mail?.kind, 'payment-received')
})

test('students entered after a payment get a card of their own, which waits for the decision', async () => {
  const { school, token } = await aSchoolThatOwes(2)
  await server.ask(savePayment, await aSubmission(server, token), { token })
  const later = await aStudent({ schoolId: school.id })
  const [due, pending] = await cards(token)
  assert.deepEqual(due?.individualRegIdList, [later.id])
  assert.equal(due?.can.submit, 'payments.pending_first')
  assert.equal(due?.reference, `PD27-${school.code}-R2`)
  assert.equal(pending?.paymentStatus_For_School, 1)
  await server.refuses('payments.pending_first', savePayment, await aSubmission(server, token), { token })
})

test('a student entered while the dialog is open does not block the payment for the others', async () => {
  const { school, token } = await aSchoolThatOwes(2)
  const body = await aSubmission(server, token)
  const later = await aStudent({ schoolId: school.id })
  await server.ask(savePayment, body, { token })
  assert.deepEqual((await cards(token))[0]?.individualRegIdList, [later.id])
})

for (const [field, value, message] of [
  ['paymentDate', '', messages.paymentDateRequired],
  ['paymentDate', '2026-11-22', messages.paymentDateFuture],
  ['paymentDate', '2026-03-31', messages.paymentDateEarly],
  ['remarks', '  ', messages.remarksRequired],
  ['attechment', '', messages.attachmentRequired],
  ['mode', 2, 'Mode must be 3.'],
  ['individualRegIdList', [], 'Students are required.'],
] as const) {
  test(`${field} ${JSON.stringify(value)} is refused: ${message} [spec 5.16]`, async () => {
    const { token } = await aSchoolThatOwes(1)
    const body = { ...(await aSubmission(server, token)), [field]: value }
    const refused = await server.send(savePayment, { body }, { token })
    assert.equal(refused.status, 400)
    assert.deepEqual(refused.body.issues, [{ path: field, message }])
    assert.equal((await cards(token))[0]?.paymentStatus_For_School, 0)
  })
}

test('a season that is opened before April can be paid for from the day it was created', async () => {
  const { token, school } = await aSchoolThatOwes(1)
  const next = await aSeason(season('2027-28'))
  const student = await aStudent({ schoolId: school.id, season: next })
  const due = await server.ask(paymentSummary, { FYear: next }, { token })
  const { payableAmount = 0 } = due.dataList[0] ?? {}
  const body = { ...(await aSubmission(server, token)), payableAmount, individualRegIdList: [student.id] }
  const pay = (paymentDate: string) => server.send(savePayment, { body: { ...body, paymentDate } }, { token })
  assert.equal((await pay('2026-11-20')).body.issues?.[0]?.message, messages.paymentDateEarly)
  assert.equal((await pay('2026-11-21')).status, 200)
})

test('a payment date in the last minute of a day counts for that day in India', async () => {
  const { token } = await aSchoolThatOwes(1)
  const body = { ...(await aSubmission(server, token)), paymentDate: '2026-11-21T18:29:00.000Z' }
  await server.ask(savePayment, body, { token })
  assert.equal((await cards(token))[0]?.sent?.paymentDate, '2026-11-21')
})

test('an impossible amount is refused at its field', async () => {
  const { token } = await aSchoolThatOwes(1)
  for (const payableAmount of [1e308, -1]) {
    const body = { ...(await aSubmission(server, token)), payableAmount }
    const refused = await server.send(savePayment, { body }, { token })
    assert.deepEqual([refused.status, refused.body.issues?.[0]?.path], [400, 'payableAmount'])
  }
})

test('an amount other than what is due is refused with the right figures [spec 7.19]', async () => {
  const { token } = await aSchoolThatOwes(2)
  for (const payableAmount of [299.99, 0, 3]) {
    const body = { ...(await aSubmission(server, token)), payableAmount }
    const refused = await server.refuses('payments.amount_changed', savePayment, body, { token })
    assert.deepEqual([refused.payableAmount, refused.gross, refused.retained], [300, 350, 50])
  }
})

test('a payment is refused if one of its students was deleted or paid meanwhile', async () => {
  for (const change of [{ active: false }, { paid: true }]) {
    const { token, students } = await aSchoolThatOwes(2)
    const body = await aSubmission(server, token)
    await changeRows('students', { id: students[0]?.id ?? 0 }, change)
    await server.refuses('payments.students_changed', savePayment, body, { token })
  }
})

test("another school's students are not found, alone or among the school's own", async () => {
  const { token, ids } = await aSchoolThatOwes(1)
  const other = await aSchoolThatOwes(1)
  const body = await aSubmission(server, token)
  for (const list of [other.ids, [...ids, ...other.ids], [999_999_999]]) {
    await server.refuses('not_found', savePayment, { ...body, individualRegIdList: list }, { token })
  }
  assert.equal((await cards(other.token))[0]?.paymentStatus_For_School, 0)
})

test('a specified call without the kind pays the kind of fee whose amount it has [spec 7.19]', async () => {
  const { token } = await aSchoolThatOwes(2, { books: 1 })
  const { paymentFor: _, ...registration } = await aSubmission(server, token, 'Registration Fee')
  const { paymentFor: __, ...books } = await aSubmission(server, token, 'Book Fee')
  const list = books.individualRegIdList
  assert.equal((await server.send(savePayment, { body: books }, { token })).status, 200)
  const joined = { ...registration, individualRegIdList: Array.isArray(list) ? list.join(', ') : list }
  assert.equal((await server.send(savePayment, { body: joined }, { token })).status, 200)
  assert.deepEqual(valuesOf(await cards(token), 'paymentFor', 'payableAmount', 'paymentStatus_For_School'), [
    ['Registration Fee', 300, 1],
    ['Book Fee', 400, 1],
  ])
})

test('the same payment sent several times at once is saved once, and the others are refused', async () => {
  const { token } = await aSchoolThatOwes(3)
  const body = await aSubmission(server, token)
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => server.call(savePayment, { body }, { token })),
  )
  assert.deepEqual(valuesOf(answers, 'status').sort(), [200, 409, 409, 409])
  for (const answer of answers) {
    if (answer.status === 409) assert.equal(answer.body.code, 'payments.already_sent')
  }
  assert.equal((await cards(token)).length, 1)
})

test('a retry with the same key gets the first answer; the same key for another request is refused', async () => {
  const { token } = await aSchoolThatOwes(1)
  const body = await aSubmission(server, token)
  const options = { token, headers: { 'idempotency-key': `retry-${token.slice(0, 20)}` } }
  const [first, second] = await Promise.all([
    server.call(savePayment, { body }, options),
    server.call(savePayment, { body }, options),
  ])
  assert.deepEqual([first.status, second.status], [200, 200])
  assert.equal(first.body.id, second.body.id)
  await server.refuses('request.repeated_differently', savePayment, { ...body, remarks: 'Another' }, options)
})

test('a file that is neither a picture nor a plain PDF is refused, and nothing is saved', async () => {
  const { token } = await aSchoolThatOwes(1)
  const body = await aSubmission(server, token)
  const url = (type: string, content: string | Buffer) =>
    `data:${type};base64,${Buffer.from(content).toString('base64')}`
  for (const [attechment, code, status] of [
    ['https://elsewhere.example/slip.png', 'file.unreadable', 400],
    [url('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'), 'file.unsupported', 400],
    [url('image/png', '<script>alert(1)</script>'), 'file.unsupported', 400],
    [url('application/pdf', '%PDF-1.7\n1 0 obj <</OpenAction 2 0 R>> endobj\n%%EOF'), 'file.pdf_active', 400],
    [url('image/jpeg', Buffer.alloc(5 * 1024 * 1024 + 1)), 'file.too_large', 413],
  ] as const) {
    const refused = await server.send(savePayment, { body: { ...body, attechment } }, { token })
    assert.deepEqual([refused.status, refused.body.code], [status, code])
  }
  const huge = await server.send(
    savePayment,
    { body: { ...body, attechment: 'x'.repeat(8_000_000) } },
    { token },
  )
  assert.equal(huge.status, 413)
  assert.equal((await cards(token))[0]?.paymentStatus_For_School, 0)
})

test('a school downloads its own proof; other schools, the office and visitors cannot', async () => {
  const { token } = await aSchoolThatOwes(1)
  const body = await server.ask(savePayment, await aSubmission(server, token), { token })
  const own = await server.download(paymentProof, { id: body.id }, { token })
  assert.equal(own.status, 200)
  assert.equal(own.headers.get('content-type'), 'image/png')
  assert.match(own.headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'/)
  assert.equal(own.headers.get('x-content-type-options'), 'nosniff')
  const stranger = await aTeacher()
  const statusFor = async (other: string | undefined) =>
    (await server.download(paymentProof, { id: body.id }, { token: other })).status
  assert.equal(await statusFor(stranger.token), 404)
  assert.equal(await statusFor((await anOfficer('owner')).token), 403)
  assert.equal(await statusFor(undefined), 401)
  assert.equal((await server.download(paymentReceipt, { id: body.id }, { token })).status, 404)
})

test('a request that names another school is refused, and a person without a school has no payments', async () => {
  const { token, school } = await aSchoolThatOwes(1)
  const other = await aSchool()
  const query = { FYear: thisSeason, schId: String(other.id) }
  assert.equal((await server.send(paymentSummary, { query }, { token })).status, 403)
  const own = await server.send(paymentSummary, { query: { ...query, schId: String(school.id) } }, { token })
  assert.equal(own.status, 200)
  const body = { ...(await aSubmission(server, token)), schId: other.id }
  assert.equal((await server.send(savePayment, { body }, { token })).status, 403)
  const alone = await aTeacher({ schoolId: null })
  await refused('access.no_school', summary(alone.token))
})

test('students of two seasons cannot be paid for together', async () => {
  const { school, token, ids } = await aSchoolThatOwes(1)
  const past = await aStudent({ schoolId: school.id, season: season('2025-26') })
  const body = {
    ...(await aSubmission(server, token)),
    individualRegIdList: [...ids, past.id],
    payableAmount: 300,
  }
  await server.refuses('payments.students_changed', savePayment, body, { token })
})

test("a proof's name loses its path and gets the extension of its content", async () => {
  const { token } = await aSchoolThatOwes(1)
  const body = {
    ...(await aSubmission(server, token)),
    attechment: await aProof(),
    attechmentName: '../../etc/slip.exe',
  }
  await server.send(savePayment, { body }, { token })
  assert.equal((await cards(token))[0]?.sent?.proofName, 'slip.png')
})

test("the fee statement is a PDF of the school's own, whether or not anything is due", async () => {
  for (const students of [0, 3]) {
    const { token, school } = await aSchoolThatOwes(students, { books: 1 })
    if (students > 0) await server.ask(savePayment, await aSubmission(server, token), { token })
    const answer = await server.download(feeStatement, { FYear: thisSeason }, { token })
    assert.equal(answer.status, 200)
    assert.match(answer.bytes.subarray(0, 5).toString(), /^%PDF-/)
    assert.match(
      answer.headers.get('content-disposition') ?? '',
      new RegExp(`Fee-statement-${school.code}-2026-27.pdf`),
    )
    const other = await aSchool()
    const foreign = { FYear: thisSeason, schId: String(other.id) }
    assert.equal((await server.download(feeStatement, foreign, { token })).status, 403)
  }
})

/** 29 kB that once took 1.4 GB and five seconds to check. */
const bomb = (() => {
  const packed = deflateSync(Buffer.from('#41'.repeat(10_000_000)), { level: 9 })
  const pdf = Buffer.concat([
    Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n2 0 obj<</Filter/FlateDecode>>\nstream\n'),
    packed,
    Buffer.from('\nendstream endobj\n%%EOF\n'),
  ])
  return `data:application/pdf;base64,${pdf.toString('base64')}`
})()

const codeOf = ({ body }: { body: { code?: string } }) => body.code

/** Calls the server while it checks files; returns how many answers came before the first file's. */
async function answeredBefore(files: Promise<unknown>[]): Promise<number> {
  let checked = false
  const onChecked = () => {
    checked = true
  }
  for (const file of files) file.then(onChecked, onChecked)
  let answers = 0
  while (!checked) {
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
    answers++
  }
  return answers
}

test('twenty files made to stop the server are refused, and it answers other calls meanwhile', async () => {
  const { token, ids } = await aSchoolThatOwes(20)
  const submission = { ...(await aSubmission(server, token)), attechment: bomb }
  const payments = ids.map(() => server.call(savePayment, { body: submission }, { token }))
  assert.ok((await answeredBefore(payments)) > 0)
  // An account's eleventh large body at once is not read.
  const refusals = async (calls: Promise<Parameters<typeof codeOf>[0]>[]) =>
    new Set((await Promise.all(calls)).map(codeOf).filter((code) => code !== 'busy'))
  assert.deepEqual(await refusals(payments), new Set(['file.damaged']))
  const asked = { reason: 'Her father has died.', attechment: bomb, attechmentName: 'letter.pdf' }
  const waivers = ids.map((studentId) => server.call(askWaiver, { body: { studentId, ...asked } }, { token }))
  assert.ok((await answeredBefore(waivers)) > 0)
  assert.deepEqual(await refusals(waivers), new Set(['file.damaged']))
  await server.ask(savePayment, await aSubmission(server, token), { token })
})

test('an invalid payment or waiver is refused before its file is checked', async () => {
  const { token, ids } = await aSchoolThatOwes()
  const other = await aSchoolThatOwes()
  const submission = { ...(await aSubmission(server, token)), attechment: bomb }
  const pay = (changes: object) =>
    server.call(savePayment, { body: { ...submission, ...changes } }, { token })
  const refusals = [
    await pay({ individualRegIdList: other.ids }),
    await pay({ payableAmount: 1 }),
    await pay({ paymentDate: '2026-11-30' }),
  ]
  assert.deepEqual(refusals.map(codeOf), ['not_found', 'payments.amount_changed', 'input.invalid'])
  const ask = (studentId: number, attechment: string) =>
    server.call(
      askWaiver,
      { body: { studentId, reason: 'Hers.', attechment, attechmentName: 'a.pdf' } },
      { token },
    )
  const [child = 0] = ids
  assert.equal(codeOf(await ask(other.ids[0] ?? 0, bomb)), 'not_found')
  assert.equal((await ask(child, await aProof())).status, 200)
  assert.equal(codeOf(await ask(child, bomb)), 'waivers.asked')
})

test('a payment repeated with its key gets the first answer, although it could not be sent again', async () => {
  const { token } = await aSchoolThatOwes()
  const body = await aSubmission(server, token)
  const headers = { 'idempotency-key': 'one-slip-sent-twice' }
  const send = (changes = {}) =>
    server.call(savePayment, { body: { ...body, ...changes } }, { token, headers })
  const [first, beside] = await Promise.all([send(), send()])
  assert.deepEqual([first.status, beside.status], [200, 200])
  assert.equal(first.body.id, beside.body.id)
  assert.equal((await send()).body.id, first.body.id)
  assert.equal(codeOf(await send({ remarks: 'Another' })), 'request.repeated_differently')
})

test('an account that sends too many files has to wait before the next one is checked', async () => {
  const strict = await testServer({ clock: () => aDay, limitScale: 1 })
  const { token, ids } = await aSchoolThatOwes(1)
  const body = { ...(await aSubmission(strict, token)), payableAmount: 1, attechment: bomb }
  const codes = []
  for (let n = 0; n < 61; n++) codes.push(codeOf(await strict.call(savePayment, { body }, { token })))
  assert.deepEqual([codes.at(59), codes.at(60)], ['payments.amount_changed', 'request.too_many'])
  const [studentId = 0] = ids
  const asked = { studentId, reason: 'Hers.', attechment: bomb, attechmentName: 'a.pdf' }
  assert.equal((await strict.call(askWaiver, { body: asked }, { token })).status, 429)
})
