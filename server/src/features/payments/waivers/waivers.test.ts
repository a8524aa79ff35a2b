import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pagesHeader } from '@podium/contract/headers'
import { accountStatement } from '@podium/contract/ledger/calls-statement'
import { paymentSummary, savePayment } from '@podium/contract/payments/calls'
import {
  approveWaiver,
  askOfficeWaiver,
  askWaiver,
  declineWaiver,
  exportWaivers,
  officeWaivers,
  schoolWaivers,
  waiverEvidence,
  withdrawWaiver,
} from '@podium/contract/payments/calls-waivers'
import { startActing } from '@podium/contract/staff/calls-act-as-school'
import { saveStudentDetails } from '@podium/contract/students/calls'
import { officeStudents } from '@podium/contract/students/calls-register'
import { aDay, anOfficer, aSeason, aTeacher, thisSeason } from '#test/factories'
import { auditLine, takeCsv } from '#test/file-call'
import { aFoundation, aProof, aSubmission, yesToWaiver } from '#test/payments-factories'
import { changeRows, findRow, valuesOf } from '#test/rows'
import { before, beforehand, mailsLike, refused, testServer } from '#test/server'
import { anEnteredStudent, anEntry } from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))
before(async () => {
  await aSeason()
  await aFoundation()
})
const operations = beforehand(() => anOfficer('operations'))
const accounts = beforehand(() => anOfficer('accounts'))

const reason = 'Her father has died; the school keeps its share out as well.'

async function aRequest(studentId: number) {
  return { studentId, reason, attechment: await aProof(), attechmentName: 'letter.pdf' }
}

/** A student whose school has requested a waiver. */
async function aRequestedWaiver(traits: Parameters<typeof anEnteredStudent>[2] = {}) {
  const teacher = await aTeacher()
  const child = await anEnteredStudent(server, teacher, traits)
  const body = await server.ask(askWaiver, await aRequest(child.id), teacher)
  return { teacher, child, id: body.id }
}
const decision = (id: number) => ({ body: { id, version: 1 } })

const approval = (id: number) => yesToWaiver(server, operations, id)
const studentOf = (id: number) => findRow('students', { id })

test('a waived fee counts as paid, gives an exam roll no and is a line of its own in the account', async () => {
  const { teacher, child, id } = await aRequestedWaiver()
  const query = { FYear: thisSeason }
  const due = await server.ask(accountStatement, query, teacher)
  assert.equal((await server.call(approveWaiver, await approval(id), accounts)).status, 200)
  const student = await studentOf(child.id)
  assert.deepEqual([student.paid, student.waived, student.locked], [true, true, false])
  assert.match(student.exam_roll_no ?? '', /-07-001$/)
  const { data, totals } = await server.ask(accountStatement, query, teacher)
  const line = data.find(({ kind }) => kind === 'waived')
  const amount = child.regAmount - child.school_Expenses
  assert.deepEqual(
    [line?.credit, line?.reference, totals.waived],
    [amount, `Class 7 A, ${child.rollNo}`, amount],
  )
  assert.equal(totals.balance, due.totals.balance - amount)
  assert.equal(totals.balance, data.at(-1)?.balance)
  const cards = (await server.ask(paymentSummary, query, teacher)).dataList
  assert.deepEqual(valuesOf(cards, 'paymentFor', 'payableAmount'), [
    ['Book Fee', child.bookAmount - child.book_school_Expenses],
  ])
  const [shown] = (await server.ask(schoolWaivers, query, teacher)).data
  assert.deepEqual([shown?.state, shown?.amount], ['approved', amount])
  const list = await server.ask(
    officeStudents,
    { FYear: thisSeason, search: child.studentName, fee: 'waived' },
    operations,
  )
  assert.deepEqual(valuesOf(list.data, 'id', 'fee'), [[child.id, 'waived']])
  const [mail] = await mailsLike(server, `waiver-decided:${id}`)
  assert.match(mail?.text ?? '', /the student Class [^.]* was waived/)
  assert.match(mail?.text ?? '', /managepayment\?season=\d{4}-\d\d\s/)
  assert.doesNotMatch(`${mail?.subject}${mail?.text}`, new RegExp(child.studentName))
})

test('a waiver whose fee has changed since it was shown is refused, and the queue shows the current fee', async () => {
  const teacher = await aTeacher()
  const body = anEntry({ subjectName: 'S', cb: '' })
  const id = (await anEnteredStudent(server, teacher, body)).id
  const waiver = await server.ask(askWaiver, await aRequest(id), teacher)
  const seen = await approval(waiver.id)
  assert.equal(seen.body.amount, 150)
  const more = { ...body, id, version: 1, subjectName: 'M,S' }
  await server.ask(saveStudentDetails, more, teacher)
  const refused = await server.call(approveWaiver, seen, accounts)
  assert.deepEqual(
    [refused.status, refused.body.code, (refused.body as { amount?: number }).amount],
    [409, 'waivers.amount_changed', 300],
  )
  assert.equal((await studentOf(id)).paid, false)
  const query = { FYear: thisSeason, sort: 'amount' } as const
  const row = (await server.ask(officeWaivers, query, operations)).data.find((row) => row.id === waiver.id)
  assert.deepEqual([row?.amount, row?.amountAsked], [300, 150])
  const [shown] = (await server.ask(schoolWaivers, { FYear: thisSeason }, teacher)).data
  assert.equal(shown?.amount, 300)
  assert.equal((await server.call(approveWaiver, await approval(waiver.id), accounts)).status, 200)
  const account = await server.ask(accountStatement, { FYear: thisSeason }, teacher)
  assert.deepEqual([account.totals.waived, account.totals.balance], [300, 0])
})

test('a declined waiver leaves the fee due, shows the reason, and can be requested again', async () => {
  const { teacher, child, id } = await aRequestedWaiver()
  const body = { id, version: 1, reason: 'The letter is of another child.' }
  await server.ask(declineWaiver, body, accounts)
  assert.equal((await studentOf(child.id)).paid, false)
  const [shown] = (await server.ask(schoolWaivers, { FYear: thisSeason }, teacher)).data
  assert.deepEqual([shown?.state, shown?.decision], ['declined', body.reason])
  await server.ask(askWaiver, await aRequest(child.id), teacher)
})

test('an officer who requests a waiver while signed in as a school cannot approve it', async () => {
  const teacher = await aTeacher()
  const child = await anEnteredStudent(server, teacher)
  const owner = await anOfficer('owner')
  const acting = { id: teacher.schoolId, reason: 'They asked us on the phone', minutes: '15' as const }
  const { token } = await server.ask(startActing, acting, owner)
  const body = await server.ask(askWaiver, await aRequest(child.id), { token })
  assert.deepEqual(
    (await server.call(approveWaiver, await approval(body.id), owner)).body.code,
    'waivers.own',
  )
  assert.equal((await server.call(approveWaiver, await approval(body.id), accounts)).status, 200)
})

test('the officer who requested a waiver cannot decide it, and it is decided once', async () => {
  const child = await anEnteredStudent(server, await aTeacher())
  const owner = await anOfficer('owner')
  const body = await server.ask(askOfficeWaiver, await aRequest(child.id), owner)
  await refused('waivers.own', server.call(approveWaiver, await approval(body.id), owner))
  const row = (await server.ask(officeWaivers, { FYear: thisSeason }, owner)).data.find(
    (row) => row.id === body.id,
  )
  assert.deepEqual([row?.can.decide, row?.byOffice], ['waivers.own', true])
  const both = await Promise.all([
    server.call(approveWaiver, await approval(body.id), accounts),
    server.call(declineWaiver, { body: { id: body.id, version: 1, reason } }, await anOfficer('accounts')),
  ])
  assert.deepEqual(valuesOf(both, 'status').sort(), [200, 409])
})

test('a person who requested a waiver with a school account cannot decide it with an office account', async () => {
  const { teacher, id } = await aRequestedWaiver()
  const same = await anOfficer('owner')
  const email = teacher.email.toUpperCase()
  await changeRows('staff', { id: same.id }, { email })
  const { data } = await server.ask(officeWaivers, { FYear: thisSeason }, same)
  assert.equal(data.find((row) => row.id === id)?.can.decide, 'waivers.own')
  await refused('waivers.own', server.call(approveWaiver, await approval(id), same))
  assert.equal((await server.call(approveWaiver, await approval(id), accounts)).status, 200)
})

test("an officer who joined after a colleague's request cannot approve it, but can approve a school's request", async () => {
  const child = await anEnteredStudent(server, await aTeacher())
  const body = await server.ask(askOfficeWaiver, await aRequest(child.id), operations)
  const made = await anOfficer('accounts')
  const created_at = new Date(aDay.getTime() + 60_000)
  await changeRows('staff', { id: made.id }, { created_at })
  await refused('second.too_new', server.call(approveWaiver, await approval(body.id), made))
  const no = { body: { id: body.id, version: 1, reason } }
  assert.equal((await server.call(declineWaiver, no, made)).status, 200)
  const { id } = await aRequestedWaiver()
  assert.equal((await server.call(approveWaiver, await approval(id), made)).status, 200)
})

test('operations request but do not decide, accounts decide but do not request, results and viewers do neither', async () => {
  const { child, id } = await aRequestedWaiver()
  const statusOf = async (role: 'operations' | 'accounts' | 'results' | 'viewer') => {
    const by = await anOfficer(role)
    const ask = await server.call(askOfficeWaiver, { body: await aRequest(child.id) }, by)
    const decide = await server.call(declineWaiver, { body: { id, version: 9, reason } }, by)
    const read = await server.call(officeWaivers, { query: { FYear: thisSeason } }, by)
    return [ask.status, decide.status, read.status]
  }
  assert.deepEqual(await statusOf('operations'), [409, 403, 200])
  assert.deepEqual(await statusOf('accounts'), [403, 409, 200])
  assert.deepEqual(await statusOf('results'), [403, 403, 403])
  assert.deepEqual(await statusOf('viewer'), [403, 403, 200])
})

test('a waiver is refused for a paid, pending, deleted or already requested student, and without a reason or file', async () => {
  const teacher = await aTeacher()
  const child = await anEnteredStudent(server, teacher)
  const codeFor = async (traits: object = {}) => {
    const body = { ...(await aRequest(child.id)), ...traits }
    return (await server.call(askWaiver, { body }, teacher)).body.code
  }
  const set = (values: object) =>
    server.deps.db.updateTable('students').set(values).where('id', '=', child.id).execute()
  assert.equal(await codeFor({ reason: ' ' }), 'input.invalid')
  assert.equal(await codeFor({ attechment: '' }), 'input.invalid')
  assert.equal(await codeFor({ attechment: 'data:text/plain;base64,aGVsbG8=' }), 'file.unsupported')
  await set({ paid: true })
  assert.equal(await codeFor(), 'waivers.paid')
  await set({ paid: false, active: false })
  assert.equal(await codeFor(), 'enrolment.deleted')
  await set({ active: true })
  assert.equal(await codeFor(), undefined)
  assert.equal(await codeFor(), 'waivers.asked')
  const other = await anEnteredStudent(server, teacher)
  await server.ask(savePayment, await aSubmission(server, teacher.token, 'Registration Fee'), teacher)
  await server.refuses('waivers.being_verified', askWaiver, await aRequest(other.id), teacher)
  const waiting = (await server.ask(schoolWaivers, { FYear: thisSeason }, teacher)).data
  await refused(
    'waivers.being_verified',
    server.call(approveWaiver, await approval(waiting[0]?.id ?? 0), accounts),
  )
})

test('a school can withdraw its request; another school finds neither the student nor the waiver', async () => {
  const { teacher, child, id } = await aRequestedWaiver()
  const stranger = await aTeacher()
  assert.equal((await server.call(askWaiver, { body: await aRequest(child.id) }, stranger)).status, 404)
  assert.equal((await server.call(withdrawWaiver, decision(id), stranger)).status, 404)
  assert.equal((await server.call(withdrawWaiver, decision(id), teacher)).status, 200)
  await refused('waivers.decided', server.call(withdrawWaiver, decision(id), teacher))
  await refused('waivers.decided', server.call(approveWaiver, await approval(id), accounts))
})

test('a school cannot withdraw a request made by the office', async () => {
  const teacher = await aTeacher()
  const child = await anEnteredStudent(server, teacher)
  const body = await server.ask(askOfficeWaiver, await aRequest(child.id), operations)
  const [line] = (await server.ask(schoolWaivers, { FYear: thisSeason }, teacher)).data
  assert.deepEqual([line?.id, line?.can.withdraw], [body.id, 'waivers.by_office'])
  await refused('waivers.by_office', server.call(withdrawWaiver, decision(body.id), teacher))
  assert.equal((await server.call(approveWaiver, await approval(body.id), accounts)).status, 200)
})

test('the evidence is shown to roles that read waivers and to no one else', async () => {
  const { id, teacher } = await aRequestedWaiver()
  const shown = await server.download(waiverEvidence, { id }, operations)
  assert.equal(shown.status, 200)
  assert.ok(shown.bytes.length > 100)
  assert.equal((await server.download(waiverEvidence, { id }, await anOfficer('results'))).status, 403)
  assert.equal((await server.download(waiverEvidence, { id }, teacher)).status, 403)
  assert.equal((await server.download(waiverEvidence, { id: 999_999_999 }, operations)).status, 404)
  const page = await server.download(waiverEvidence, { id, page: 1 }, operations)
  assert.deepEqual([page.status, page.headers.get(pagesHeader)], [200, '1'])
  assert.equal((await server.download(waiverEvidence, { id, page: 2 }, operations)).status, 404)
  assert.equal(
    (await server.download(waiverEvidence, { id, page: 1 }, await anOfficer('results'))).status,
    403,
  )
  assert.equal((await server.download(waiverEvidence, { id, page: 1 }, teacher)).status, 403)
})

test('the office finds and sorts waivers by student and school, and exports them with an audit line', async () => {
  const first = await aRequestedWaiver()
  const second = await aRequestedWaiver({ subjectName: 'Mathematics' })
  const query = { FYear: thisSeason, search: first.child.studentName.toUpperCase() }
  const found = await server.ask(officeWaivers, query, operations)
  assert.deepEqual(valuesOf(found.data, 'id'), [first.id])
  assert.equal(found.total, 1)
  const schCode = found.data[0]?.schCode ?? ''
  const bySchool = await server.ask(
    officeWaivers,
    { FYear: thisSeason, search: schCode, sort: 'school' },
    operations,
  )
  assert.deepEqual(valuesOf(bySchool.data, 'id'), [first.id])
  const nobody = await server.ask(officeWaivers, { FYear: thisSeason, search: '%' }, operations)
  assert.equal(nobody.total, 0)
  const all = await server.ask(officeWaivers, { FYear: thisSeason, sort: 'amount' }, operations)
  const places = [first.id, second.id].map((id) => all.data.findIndex((row) => row.id === id))
  assert.ok((places[0] ?? 0) < (places[1] ?? 0) && places[0] !== -1, 'two subjects before one')
  const { lines } = await takeCsv(server, exportWaivers, query, operations)
  assert.equal(lines.length, 2)
  assert.ok(lines[1]?.startsWith(`${first.child.studentName},Class 7,A,`), lines[1] ?? '')
  assert.match(lines[1] ?? '', /,To decide,/)
  const line = await auditLine(['change'], { action: 'waiver.exported' })
  assert.deepEqual(line.change, {
    format: 'csv',
    waivers: 1,
    filters: { ...query, state: 'asked', sort: '' },
  })
})
