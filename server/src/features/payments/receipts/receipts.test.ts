import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bookLine, decideReturned } from '@podium/contract/bank/calls'
import type { WrittenLanguage } from '@podium/contract/languages'
import { resendMails } from '@podium/contract/office/calls-mails'
import { feeStatement, paymentReceipt, paymentSummary } from '@podium/contract/payments/calls'
import {
  cancelReceiptsZip,
  exportReceipts,
  officeReceipts,
  receiptsZip,
  receiptsZipFile,
  startReceiptsZip,
} from '@podium/contract/payments/calls-receipts'
import {
  exportPayments,
  officePaymentDetails,
  rejectPayment,
  verifyPayment,
} from '@podium/contract/payments/calls-verification'
import { formatSentence } from '@podium/contract/sentences'
import { filesOf, pdfLines, pdfText } from '#test/archives'
import { anImport, aUtr, lineWith } from '#test/bank-factories'
import { anOfficer, aTeacher, thisSeason } from '#test/factories'
import { auditLines, newestChange, takeCsv } from '#test/file-call'
import { aPendingPayment } from '#test/payments-factories'
import { changeRows, findRow, findRows, valuesOf } from '#test/rows'
import { before, beforehand, mailsTo, testServer } from '#test/server'
import { receiptPdf } from './documents.ts'
import { receiptData } from './queries.ts'

let now = new Date('2026-11-21T06:00:00Z')
const server = beforehand(() => testServer({ clock: () => now }))
/** Runs no jobs: what it starts stays waiting until the other one is drained. */
const waiting = beforehand(() => testServer({ clock: () => now }))
before(() => waiting.jobs.stop())
let officer = beforehand(() => anOfficer('accounts'))

test('receipts are found by school, number and bank status, totalled, and exported with an audit line', async () => {
  const { id, school } = await aPendingPayment(server, 2)
  const body = await server.ask(verifyPayment, { id, version: 1 }, officer)
  const list = (query: object) => server.ask(officeReceipts, { FYear: thisSeason, ...query }, officer)
  const found = await list({ search: school.code })
  assert.deepEqual(valuesOf(found.data, 'receiptNo', 'found'), [[body.receiptNo, false]])
  assert.deepEqual([found.total, found.sums], [1, { gross: 350, retained: 50, payable: 300 }])
  assert.equal((await list({ search: school.code, bank: 'found' })).total, 0)
  assert.equal((await list({ search: school.code, bank: 'missing' })).total, 1)
  const [row] = found.data
  assert.ok(row)
  for (const search of [row.reference, row.utr, row.schName.toUpperCase()])
    assert.ok(
      (await list({ search })).data.some(({ paymentId }) => paymentId === id),
      search,
    )
  for (const sort of ['oldest', 'amount', 'school'])
    assert.deepEqual((await list({ search: school.code, sort })).data, found.data, sort)
  const beyond = await list({ search: school.code, page: '2' })
  assert.deepEqual([beyond.data, beyond.total, beyond.sums], [[], 1, found.sums])
  const all = await list({ sort: 'amount' })
  assert.equal(all.total, all.data.length)
  assert.deepEqual(
    valuesOf(all.data, 'payableAmount'),
    valuesOf(all.data, 'payableAmount').toSorted((a, b) => b - a),
  )
  assert.equal((await list({ search: body.receiptNo, paymentFor: 'Book Fee' })).total, 0)
  const { text: file } = await takeCsv(
    server,
    exportReceipts,
    { FYear: thisSeason, search: school.code },
    officer,
  )
  assert.equal(file.split('\r\n').length, 3)
  const queue = { FYear: thisSeason, state: 'verified' as const, search: school.code }
  const { text: payments } = await takeCsv(server, exportPayments, queue, officer)
  assert.ok(payments.includes(`,Verified,${body.receiptNo},`), payments)
  assert.equal(payments.split('\r\n').length, 3)
  const { text: none } = await takeCsv(server, exportPayments, { ...queue, state: 'rejected' }, officer)
  assert.equal(none.split('\r\n').length, 2, 'the export has the filtered payments')
  const trail = await auditLines(['change'], { action: 'payments.exported' })
  assert.deepEqual(
    trail.map(({ change }) => (change as { payments?: number }).payments),
    [1, 0],
  )
  assert.equal(((await newestChange('receipts.exported')) as { receipts?: number }).receipts, 1)
})

async function aReceipt(students: number) {
  const { id, school } = await aPendingPayment(server, students)
  const body = await server.ask(verifyPayment, { id, version: 1 }, officer)
  return { id, school, name: `Receipt-${body.receiptNo.replaceAll('/', '-')}.pdf` }
}
const jobNow = async (who = officer) => (await server.ask(receiptsZip, {}, who)).job
const downloadZip = (jobId: string, by = officer) => server.download(receiptsZipFile, { jobId }, by)

/** A matched payment, and a function that reverses it because the bank returned its money. */
async function aBookedPayment() {
  const utr = aUtr()
  const world = await aPendingPayment(server, 2, { changes: { utr } })
  await anImport(server, officer.token, [{ narration: `NEFT ${utr}`, amount: world.payable }])
  const { proposal, ...line } = await lineWith(server, officer.token, utr)
  const booking = { id: line.id, version: line.version, parts: proposal.parts, credits: [], used: [] }
  const [receiptNo = ''] = (await server.ask(bookLine, booking, officer)).receipts
  await server.jobs.drain()
  const reverse = async (reason: string) => {
    const debit = { narration: 'RTN', amount: -world.payable, day: '20/11/2026', utr }
    await anImport(server, officer.token, [debit])
    const { id, version } = await lineWith(server, officer.token, utr)
    const body = { id, version, decision: 'reverse' as const, reason }
    await server.ask(decideReturned, body, officer)
    await server.jobs.drain()
  }
  return { ...world, receiptNo, reverse }
}

test('a cancelled receipt stays in the list, the export and the ZIP, and its PDF says when and why', async () => {
  const { id, school, teacher, payable, receiptNo, reverse } = await aBookedPayment()
  const pdf = async () => {
    const { status, bytes } = await server.download(paymentReceipt, { id }, teacher)
    assert.equal(status, 200)
    return pdfText(bytes)
  }
  assert.doesNotMatch(await pdf(), /Cancelled/)
  const filters = { FYear: thisSeason, search: school.code }
  const { jobId } = await server.ask(startReceiptsZip, filters, officer)
  await server.jobs.drain()
  const inZip = async () => {
    const [zipped] = await filesOf((await downloadZip(jobId)).bytes)
    return pdfText(zipped?.content ?? Buffer.alloc(0))
  }
  assert.doesNotMatch(await inZip(), /Cancelled/)
  const reason = 'Returned: account closed'
  await reverse(reason)

  const list = (bank: '' | 'found' | 'missing' | 'cancelled') =>
    server.ask(officeReceipts, { ...filters, bank }, officer)
  for (const bank of ['', 'cancelled'] as const) {
    const { data, sums } = await list(bank)
    assert.deepEqual(valuesOf(data, 'receiptNo', 'payableAmount', 'cancelledOn', 'reason'), [
      [receiptNo, payable, '2026-11-21', reason],
    ])
    assert.deepEqual(sums, { gross: 0, retained: 0, payable: 0 }, 'its money is gone')
  }
  for (const bank of ['found', 'missing'] as const) assert.equal((await list(bank)).total, 0)
  const { text } = await takeCsv(server, exportReceipts, filters, officer)
  assert.match(text, /,2026-11-21,Returned: account closed\r\n/)
  assert.match(await pdf(), /Cancelled on 21-Nov-2026: Returned: account closed/)
  assert.match(await inZip(), /Cancelled on 21-Nov-2026/, 'the ZIP made before is made again')

  const statement = await server.download(feeStatement, { FYear: thisSeason }, teacher)
  const [payments = ''] = pdfText(statement.bytes).split('Statement of account')
  assert.match(payments, /Cancelled/)
  assert.doesNotMatch(payments, /Rejected/)
  const { paidList } = await server.ask(paymentSummary, { FYear: thisSeason }, teacher)
  assert.deepEqual(valuesOf(paidList, 'receiptNo', 'state', 'cancelledOn'), [
    [receiptNo, 'rejected', '2026-11-21'],
  ])
  const { payment } = await server.ask(officePaymentDetails, { id: String(id) }, officer)
  assert.deepEqual(
    [payment.reversedBy, payment.reversedAt, payment.receiptNo],
    [payment.decidedBy, now.toISOString(), receiptNo],
  )
})

test('an e-mail that could not bring a receipt is not sent again once the receipt is cancelled', async () => {
  const { id, teacher, reverse } = await aBookedPayment()
  await server.drain()
  const { id: mail } = await findRow('outbox', { key: `payment:${id}:verified:${teacher.id}` })
  const { receipt_file_id: fileId } = await findRow('payments', { id })
  const attachments = [{ filename: 'Receipt.pdf', mediaType: 'application/pdf', fileId }]
  const payload = { to: { name: '', address: teacher.email }, subject: 'S', text: 'T', attachments }
  await changeRows(
    'outbox',
    { id: mail },
    { done_at: null, failed_at: now, payload: JSON.stringify(payload) },
  )
  await reverse('Returned: account closed')
  await server.refuses('mails.not_failed', resendMails, { ids: [mail] }, await anOfficer('owner'))
})

test('a school reads in its language that the bank returned its money, and a reason only if the officer wrote one', async () => {
  const day = '20-Nov-2026'
  const offered = formatSentence('returnedByBank', { day })
  const mailOf = async (language: WrittenLanguage, reason: string) => {
    const { id, teacher, receiptNo, reverse } = await aBookedPayment()
    const { db } = server.deps
    await changeRows('users', { id: teacher.id }, { language })
    await reverse(reason)
    const { email } = await findRow('users', { id: teacher.id })
    const sent = await db
      .selectFrom('outbox')
      .select('kind')
      .where('key', 'like', `payment:${id}:reversed:%`)
      .execute()
    assert.deepEqual(valuesOf(sent, 'kind'), ['payment-reversed'])
    const mails = (await mailsTo(server, email)).map(({ text }) => text.replaceAll(/\s+/g, ' '))
    return mails.find((text) => text.includes(receiptNo) && text.includes(day)) ?? ''
  }
  const [english, hindi] = [await mailOf('en', offered), await mailOf('hi', offered)]
  assert.match(english, /^Dear .*On 20-Nov-2026 the bank returned/)
  assert.match(hindi, /बैंक ने 20-Nov-2026 को/)
  assert.doesNotMatch(hindi, /Returned by|कारण/)
  assert.doesNotMatch(english, /The reason/)
  assert.match(await mailOf('hi', 'Account closed'), /कारण: Account closed/)
})

test('a user who has left the school gets no more e-mails about the payment they sent; the others do', async () => {
  const mailed = async (coordinator: boolean) => {
    const { id, school, teacher } = await aPendingPayment(server, 1)
    const successor = await aTeacher({ schoolId: school.id, coordinator })
    await changeRows(
      'users',
      { id: teacher.id },
      { school_id: coordinator ? null : (await aTeacher()).schoolId },
    )
    const rejection = { id, version: 1, reason: 'The slip can not be read' }
    await server.ask(rejectPayment, rejection, officer)
    const mails = await findRows('outbox', { kind: 'payment-rejected' }, ['key'])
    const keys = valuesOf(mails, 'key').filter((key) => key.startsWith(`payment:${id}:`))
    assert.deepEqual(keys, [`payment:${id}:rejected:${successor.id}:2`])
  }
  await mailed(true)
  await mailed(false)
})

test('every page of a cancelled receipt says so', async () => {
  const { id, reverse } = await aBookedPayment()
  await reverse('Returned: account closed')
  const receipt = await receiptData(server.deps.db, id)
  assert.ok(receipt)
  const classes = Array.from({ length: 40 }, () => receipt.classes).flat()
  const pdf = await receiptPdf({ ...receipt, classes }, { name: 'Podium' })
  const pages = pdfLines(pdf).split('\f').slice(0, -1)
  assert.ok(pages.length > 1)
  for (const page of pages) assert.match(page, /CANCELLED/)
})

test('a ZIP without receipts is refused, and a cancelled one is not created', async () => {
  now = new Date(now.getTime() + 60_000)
  const none = { FYear: thisSeason, search: 'no such school anywhere' }
  await server.refuses('receipts.none', startReceiptsZip, none, officer)
  const { school } = await aReceipt(1)
  const body = { FYear: thisSeason, search: school.code }
  await server.jobs.drain()
  const { jobId } = await waiting.ask(startReceiptsZip, body, officer)
  const stopped = await server.call(cancelReceiptsZip, { body: { jobId } }, officer)
  assert.equal(stopped.body.result, 'success')
  await server.jobs.drain()
  assert.deepEqual([(await jobNow())?.state, (await downloadZip(jobId)).status], ['cancelled', 404])
  const other = await server.call(cancelReceiptsZip, { body: { jobId: 'no-such-job' } }, officer)
  assert.equal(other.status, 404)
})

test('the filtered receipts are downloaded as one ZIP of PDFs within a day, with audit lines', async () => {
  now = new Date(now.getTime() + 60_000)
  const [first, second] = [await aReceipt(1), await aReceipt(2)]
  const body = { FYear: thisSeason, search: first.school.code }
  // A receipt that was never stored is drawn only for the ZIP: nothing is stored, or sent twice.
  await server.jobs.drain()
  await changeRows('payments', { id: first.id }, { receipt_file_id: null })
  const { jobId } = await waiting.ask(startReceiptsZip, body, officer)
  assert.deepEqual([(await jobNow())?.file, (await downloadZip(jobId)).status], [null, 404], 'not ready')
  await server.jobs.drain()
  const done = await jobNow(await anOfficer('viewer'))
  assert.deepEqual([done?.jobId, done?.state, done?.done, done?.total], [jobId, 'done', 1, 1])
  const { status, bytes } = await downloadZip(jobId)
  assert.deepEqual([status, bytes.length], [200, done?.file?.bytes])
  assert.ok(bytes.includes(first.name) && bytes.includes('%PDF-') && !bytes.includes(second.name))
  const { receipt_file_id } = await findRow('payments', { id: first.id })
  assert.equal(receipt_file_id, null)
  for (const act of ['asked', 'fetched'])
    assert.equal(((await newestChange(`receipts.zip_${act}`)) as { receipts?: number }).receipts, 1)
  const results = await anOfficer('results')
  assert.equal((await downloadZip(jobId, results)).status, 403)
  assert.equal((await server.call(startReceiptsZip, { body }, results)).status, 403)
  now = new Date(now.getTime() + 24 * 3_600_000 + 1)
  officer = await anOfficer('accounts', now)
  assert.deepEqual([(await downloadZip(jobId)).status, await jobNow()], [404, null])
})
