import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import {
  bankLineDetails,
  bankLines,
  bookLine,
  decideReturned,
  discardLine,
  exactLines,
  exportBankLines,
} from '@podium/contract/bank/calls'
import { foldName } from '@podium/contract/names'
import { officePayments, rejectPayment, verifyPayment } from '@podium/contract/payments/calls-verification'
import {
  acceptQuestion,
  exportQuestions,
  officeQuestions,
  saveTeacherQuestion,
} from '@podium/contract/questions/calls'
import {
  exportApplications,
  getApplication,
  listApplications,
  rejectApplication,
} from '@podium/contract/schools/calls-applications'
import {
  type AssignableKind,
  assign,
  assignees,
  reportViewing,
} from '@podium/contract/staff/calls-assignments'
import { anImport, aUtr, lineWith } from '#test/bank-factories'
import { aDay, anOfficer, aSeason, aTeacher, thisSeason } from '#test/factories'
import { takeCsv } from '#test/file-call'
import { aPendingPayment } from '#test/payments-factories'
import { addRow, changeRows, valuesOf } from '#test/rows'
import { beforehand, testServer } from '#test/server'

type Officer = Awaited<ReturnType<typeof anOfficer>>

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
const radhika = beforehand(() => anOfficer('accounts'))
const owner = beforehand(() => anOfficer('owner'))

const assignTo = (by: Officer, kind: AssignableKind, ids: number[], to: Officer | null) =>
  server.call(assign, { body: { kind, ids, ...(to ? { staffId: to.id } : {}) } }, by)

async function payments(by: Officer, assigned?: string, state: 'pending' | 'rejected' = 'pending') {
  const query = { FYear: thisSeason, state, sort: 'newest', ...(assigned ? { assigned } : {}) } as const
  return await server.ask(officePayments, query, by)
}
const idsOf = async (by: Officer, assigned?: string) =>
  (await payments(by, assigned)).data.map(({ id }) => id)

async function anApplication() {
  const { id: user_id } = await aTeacher({ schoolId: null })
  const name = `Kalpanik Vidya Mandir ${randomInt(1e9)}`
  const place = { city: 'Namunapur', state: 'Karnataka', district: 'Namunapur', country: 'India' }
  const { id } = await addRow('applications', {
    ...{ ...place, user_id, school_name: name, name_key: foldName(name), submitted_at: aDay },
    ...{ address: '4 Udaharan Street', pin_code: '560099', phone: '9000000001' },
  })
  return { id, name }
}

const reportPresence = async (by: Officer, kind: AssignableKind, ids: number[]) =>
  (await server.ask(reportViewing, { kind, ids }, by)).others

const changesOf = async (kind: AssignableKind, id: number) =>
  (
    await server.deps.db
      .selectFrom('audit')
      .select(['actor_id', 'change'])
      .where('action', 'like', '%.assigned')
      .where('subject_kind', '=', kind)
      .where('subject_id', '=', String(id))
      .orderBy('id')
      .execute()
  ).map(({ actor_id, change }) => ({ by: actor_id, change }))

test('a payment is assigned to one officer, to another and to no one; the list shows it and can be filtered by it', async () => {
  const { id } = await aPendingPayment(server, 1)
  const meera = await anOfficer('accounts')
  assert.equal((await assignTo(radhika, 'payment', [id], radhika)).status, 200)
  const { data, total } = await payments(radhika, 'me')
  assert.deepEqual(
    [total, valuesOf(data, 'id', 'assignee')],
    [1, [[id, { staffId: radhika.id, name: radhika.name }]]],
  )
  assert.deepEqual(await idsOf(owner, String(radhika.id)), [id])
  assert.deepEqual(await idsOf(owner, 'me'), [])
  await assignTo(owner, 'payment', [id], meera)
  assert.deepEqual([await idsOf(radhika, 'me'), await idsOf(meera, 'me')], [[], [id]])
  assert.ok(!(await idsOf(owner, 'none')).includes(id))
  await assignTo(meera, 'payment', [id], null)
  assert.equal((await payments(owner)).data.find((row) => row.id === id)?.assignee, null)
  assert.ok((await idsOf(owner, 'none')).includes(id))
})

test('each assignment is logged with the old and new officer, and one that changes nothing is not', async () => {
  const { id } = await aPendingPayment(server, 1)
  await assignTo(radhika, 'payment', [id], radhika)
  await assignTo(radhika, 'payment', [id], radhika)
  await assignTo(owner, 'payment', [id], null)
  assert.deepEqual(await changesOf('payment', id), [
    { by: radhika.id, change: { from: { assignee: '' }, to: { assignee: radhika.name } } },
    { by: owner.id, change: { from: { assignee: radhika.name }, to: { assignee: '' } } },
  ])
})

test('a payment is assigned only to an officer who may decide on it; otherwise the assignment stays', async () => {
  const { id } = await aPendingPayment(server, 1)
  const gone = await anOfficer('accounts')
  await changeRows('staff', { id: gone.id }, { disabled_at: aDay })
  await assignTo(radhika, 'payment', [id], radhika)
  for (const to of [await anOfficer('viewer'), await anOfficer('operations'), gone]) {
    const { status, body } = await assignTo(owner, 'payment', [id], to)
    assert.deepEqual(
      [status, body.message],
      [409, 'This person cannot decide on it. Please choose someone who can.'],
    )
  }
  assert.deepEqual(await idsOf(radhika, 'me'), [id])
})

test('a role that may not decide on a payment assigns nothing, and one that may not read it learns nothing', async () => {
  const { id } = await aPendingPayment(server, 1)
  for (const role of ['viewer', 'operations', 'results'] as const)
    assert.equal((await assignTo(await anOfficer(role), 'payment', [id], radhika)).status, 403)
  assert.equal((await assignTo(radhika, 'application', [(await anApplication()).id], owner)).status, 403)
  const results = await anOfficer('results')
  assert.equal((await server.call(assignees, { query: { kind: 'payment' } }, results)).status, 403)
  assert.equal(
    (await server.call(reportViewing, { body: { kind: 'payment', ids: [id] } }, results)).status,
    403,
  )
  assert.deepEqual(await changesOf('payment', id), [])
})

test('several payments are assigned together, or none if one is decided or unknown', async () => {
  const [first, second] = [await aPendingPayment(server, 1), await aPendingPayment(server, 1)]
  const meera = await anOfficer('accounts')
  await assignTo(owner, 'payment', [first.id, second.id], meera)
  assert.deepEqual((await idsOf(meera, 'me')).sort(), [first.id, second.id].sort())
  await server.ask(rejectPayment, { id: second.id, version: 1, reason: 'Not ours' }, owner)
  const late = await assignTo(owner, 'payment', [first.id, second.id], radhika)
  assert.deepEqual([late.status, late.body.message], [409, 'This payment has already been decided.'])
  assert.equal((await assignTo(owner, 'payment', [first.id, 2_000_000_000], radhika)).status, 404)
  assert.deepEqual(await idsOf(meera, 'me'), [first.id])
  // Decided tasks show who they were assigned to.
  const { data } = await payments(meera, 'me', 'rejected')
  assert.deepEqual(valuesOf(data, 'id'), [second.id])
})

test('the answer to an assignment names the previous officers, so that it can be undone', async () => {
  const [first, second] = [await aPendingPayment(server, 1), await aPendingPayment(server, 1)]
  await assignTo(owner, 'payment', [first.id], radhika)
  const { before } = (await assignTo(owner, 'payment', [first.id, second.id], owner)).body
  assert.deepEqual(
    before.toSorted((a, b) => Number(a.staffId) - Number(b.staffId)),
    [
      { staffId: null, ids: [second.id] },
      { staffId: radhika.id, ids: [first.id] },
    ],
  )
  // Without a change there is nothing to undo.
  assert.deepEqual((await assignTo(owner, 'payment', [first.id], owner)).body.before, [])
})

test('undoing an assignment leaves what another officer has assigned or decided since', async () => {
  const [kept, passedOn, decided] = await Promise.all([1, 1, 1].map((n) => aPendingPayment(server, n)))
  assert(kept && passedOn && decided)
  const meera = await anOfficer('accounts')
  const ids = [kept.id, passedOn.id, decided.id]
  await assignTo(owner, 'payment', ids, radhika)
  await assignTo(owner, 'payment', [passedOn.id], meera)
  await server.ask(rejectPayment, { id: decided.id, version: 1, reason: 'No such transfer.' }, owner)
  const undone = await server.ask(assign, { kind: 'payment', ids, from: radhika.id }, owner)
  assert.deepEqual(undone.before, [{ staffId: radhika.id, ids: [kept.id] }])
  assert.deepEqual(await idsOf(meera, 'me'), [passedOn.id])
  const { data } = await payments(radhika, 'me', 'rejected')
  assert.deepEqual(valuesOf(data, 'id'), [decided.id])
})

test('an assignment is no lock: another officer can still decide on the payment', async () => {
  const { id } = await aPendingPayment(server, 1)
  await assignTo(radhika, 'payment', [id], radhika)
  await server.ask(verifyPayment, { id, version: 1 }, owner)
})

test('an application is assigned in the same way, and its officer is shown in the list, on its page and in the file', async () => {
  const operations = await anOfficer('operations')
  const { id, name } = await anApplication()
  await assignTo(owner, 'application', [id], operations)
  const mine = { state: 'submitted', assigned: 'me' } as const
  const list = () => server.ask(listApplications, mine, operations)
  const { data, total } = await list()
  const assignee = { staffId: operations.id, name: operations.name }
  assert.deepEqual([total, valuesOf(data, 'id', 'assignee')], [1, [[id, assignee]]])
  const { application } = await server.ask(getApplication, { id: String(id) }, owner)
  assert.deepEqual(application.assignee, assignee)
  const { text } = await takeCsv(server, exportApplications, { ...mine, search: '' }, operations)
  const [head, ...rows] = text.trim().split('\r\n')
  assert.match(head ?? '', /,Assigned to$/)
  assert.deepEqual(
    [rows.length, rows[0]?.startsWith(name), rows[0]?.endsWith(operations.name)],
    [1, true, true],
  )
  await server.ask(rejectApplication, { id, version: 1, reason: 'Not a school' }, owner)
  assert.equal((await list()).total, 0)
  assert.equal(
    (await assignTo(owner, 'application', [id], null)).body.message,
    'Someone else has already decided on this application.',
  )
})

test('the officers who may decide are offered by name, and one who no longer may is marked', async () => {
  const meera = await anOfficer('accounts')
  await assignTo(owner, 'payment', [(await aPendingPayment(server, 1)).id], meera)
  await changeRows('staff', { id: meera.id }, { role: 'viewer' })
  const viewer = await anOfficer('viewer')
  const { data } = await server.ask(assignees, { kind: 'payment' }, viewer)
  const told = (who: Officer) => data.find(({ staffId }) => staffId === who.id)?.decides
  assert.deepEqual([told(radhika), told(owner), told(meera), told(viewer)], [true, true, false, undefined])
})

test('two officers with the same payment open see each other, until one has been away for 45 seconds', async () => {
  const { id } = await aPendingPayment(server, 1)
  const look = (by: Officer, one: number = id) => reportPresence(by, 'payment', [one])
  assert.deepEqual(await look(radhika), [])
  assert.deepEqual([await look(owner), await look(radhika)], [[radhika.name], [owner.name]])
  // A role that can only read gets an error, and no one is notified.
  const viewer = await anOfficer('viewer')
  assert.equal((await look(viewer)).length, 2)
  assert.deepEqual(await look(owner), [radhika.name])
  await look(radhika, id + 1)
  assert.deepEqual(await look(owner), [])
  await look(radhika)
  now = new Date(now.getTime() + 45_000)
  assert.deepEqual(await look(owner), [])
})

/** A question from a school that stays the same during a test. */
async function aQuestion(teacher: Awaited<ReturnType<typeof aTeacher>>) {
  const question = `Which number is prime, ${randomInt(1e9)}?`
  const asked = { FYear: thisSeason, classId: 7, eventLetter: 'M', chapter: 'Chapter03', question, answer: 1 }
  const options = { option1: '57', option2: '58', option3: '59', option4: '60' }
  const body = await server.ask(saveTeacherQuestion, { ...asked, ...options }, teacher)
  return body.id
}

test("a teacher's question is assigned in the list and in the file until it is decided", async () => {
  await aSeason()
  const [operations, teacher] = [await anOfficer('operations'), await aTeacher()]
  const [mine, other] = [await aQuestion(teacher), await aQuestion(teacher)]
  await assignTo(owner, 'question', [mine], operations)
  const query = { FYear: thisSeason, status: 'sent', letter: '', classId: '' } as const
  const listed = (by: Officer, assigned: string) => server.ask(officeQuestions, { ...query, assigned }, by)
  const { data, counts } = await listed(operations, 'me')
  const assignee = { staffId: operations.id, name: operations.name }
  assert.deepEqual([valuesOf(data, 'id', 'assignee'), counts], [[[mine, assignee]], { sent: 1 }])
  const free = (await listed(operations, 'none')).data.map(({ id }) => id)
  assert.deepEqual([free.includes(other), free.includes(mine)], [true, false])
  const { text } = await takeCsv(
    server,
    exportQuestions,
    { ...query, search: '', assigned: 'me' },
    operations,
  )
  assert.equal(text.trim().split('\r\n').length, 2)
  assert.match(text, new RegExp(`,${operations.name},`))
  await server.ask(acceptQuestion, { id: mine, version: 1 }, owner)
  const late = await assignTo(owner, 'question', [mine, other], null)
  assert.deepEqual(
    [late.status, late.body.message],
    [409, 'Someone else has already decided on this question.'],
  )
  assert.deepEqual(await changesOf('question', mine), [
    { by: owner.id, change: { from: { assignee: '' }, to: { assignee: operations.name } } },
  ])
})

test('two officers with the same page of questions open see each other, and on different pages they do not', async () => {
  await aSeason()
  const [operations, teacher] = [await anOfficer('operations'), await aTeacher()]
  const [first, second, third] = [
    await aQuestion(teacher),
    await aQuestion(teacher),
    await aQuestion(teacher),
  ]
  assert.deepEqual(await reportPresence(operations, 'question', [first, second]), [])
  assert.deepEqual(await reportPresence(owner, 'question', [second, third]), [operations.name])
  assert.deepEqual(await reportPresence(operations, 'question', [first]), [])
  assert.deepEqual(await reportPresence(owner, 'question', [first, third]), [operations.name])
  // The previous page's tasks no longer count, and another kind's ids never do.
  assert.deepEqual(await reportPresence(owner, 'question', [second]), [])
  assert.deepEqual(await reportPresence(radhika, 'payment', [first]), [])
})

test('bank lines are assigned one by one or as a whole list; its figures, file and bulk steps follow', async () => {
  const [meera, utrs] = [await anOfficer('accounts'), [aUtr(), aUtr(), aUtr()]]
  await anImport(
    server,
    radhika.token,
    utrs.map((utr, index) => ({ narration: `CASH COUNTER ${utr}`, utr, amount: 100 + index })),
  )
  const ids = []
  for (const utr of utrs) ids.push((await lineWith(server, radhika.token, utr)).id)
  const [first = 0, second = 0, third = 0] = ids
  const before = await server.ask(bankLines, { FYear: thisSeason }, meera)
  await assignTo(radhika, 'bank-line', [first, second], meera)
  const mine = { FYear: thisSeason, assigned: 'me' } as const
  const { data, total, counts, waiting, sums } = await server.ask(bankLines, mine, meera)
  const assignee = { staffId: meera.id, name: meera.name }
  assert.deepEqual(
    [total, valuesOf(data, 'id', 'assignee')],
    [
      2,
      [
        [first, assignee],
        [second, assignee],
      ],
    ],
  )
  assert.deepEqual([counts.unknown, counts.exact.lines], [{ lines: 2, amount: 201 }, 0])
  assert.deepEqual([counts.all, waiting, sums], [before.counts.all, before.waiting, before.sums])
  const one = (await server.ask(bankLineDetails, { id: String(first) }, radhika)).line
  assert.deepEqual(one.assignee, assignee)
  const taken = { query: { ...mine, state: 'unknown' } } as const
  const { lines } = (await server.call(exactLines, taken, meera)).body
  assert.deepEqual(valuesOf(lines, 'id'), [first, second])
  const file = { ...mine, state: 'unknown', search: '' } as const
  const { text } = await takeCsv(server, exportBankLines, file, meera)
  assert.equal(text.trim().split('\r\n').length, 3)
  assert.match(text, new RegExp(`,${meera.name},`))
  const discarded = { lines: [{ id: first, version: one.version }], reason: 'Not from a school' }
  await server.ask(discardLine, discarded, radhika)
  const late = await assignTo(radhika, 'bank-line', [first, third], radhika)
  assert.deepEqual([late.status, late.body.message], [409, 'Someone else has already decided on this line.'])
  assert.deepEqual(await changesOf('bank-line', first), [
    { by: radhika.id, change: { from: { assignee: '' }, to: { assignee: meera.name } } },
  ])
})

test('a matched line can be assigned only while returned money on it waits for a decision', async () => {
  const utr = aUtr()
  const { payable } = await aPendingPayment(server, 2, { changes: { utr } })
  const credit = { narration: `NEFT ${utr}`, utr, amount: payable, day: '18/11/2026' }
  await anImport(server, radhika.token, [credit])
  const { id, version, proposal } = await lineWith(server, radhika.token, utr)
  const booking = { id, version, parts: proposal.parts, credits: [], used: [] }
  await server.ask(bookLine, booking, radhika)
  const meera = await anOfficer('accounts')
  const refused = async () => (await assignTo(radhika, 'bank-line', [id], meera)).body.code
  assert.equal(await refused(), 'bank.decided')
  await anImport(server, radhika.token, [
    { ...credit, narration: 'RTN', amount: -payable, day: '20/11/2026' },
  ])
  assert.equal((await assignTo(radhika, 'bank-line', [id], meera)).status, 200)
  const query = { FYear: thisSeason, state: 'bounced', assigned: 'me' } as const
  const { data, counts } = await server.ask(bankLines, query, meera)
  assert.deepEqual([valuesOf(data, 'id'), counts.bounced.lines], [[id], 1])
  const [line] = data
  const kept = { id, version: line?.version ?? 0, decision: 'keep', reason: 'It came again' } as const
  await server.ask(decideReturned, kept, meera)
  assert.equal(await refused(), 'bank.decided')
})

test('a question or bank line is neither assigned by nor to a role that does not decide on it', async () => {
  await aSeason()
  const question = await aQuestion(await aTeacher())
  const utr = aUtr()
  await anImport(server, radhika.token, [{ narration: `CASH COUNTER ${utr}`, utr, amount: 7 }])
  const { id: line } = await lineWith(server, radhika.token, utr)
  const operations = await anOfficer('operations')
  assert.equal((await assignTo(radhika, 'question', [question], operations)).status, 403)
  assert.equal((await assignTo(operations, 'bank-line', [line], radhika)).status, 403)
  assert.equal((await assignTo(operations, 'question', [question], radhika)).status, 409)
  assert.equal((await assignTo(radhika, 'bank-line', [line], operations)).status, 409)
  // The accounts role can't read questions, and the results role can't read bank lines.
  assert.equal((await server.call(assignees, { query: { kind: 'question' } }, radhika)).status, 403)
  const results = await anOfficer('results')
  const look = { body: { kind: 'bank-line' as const, ids: [line] } }
  assert.equal((await server.call(reportViewing, look, results)).status, 403)
  assert.deepEqual([await changesOf('question', question), await changesOf('bank-line', line)], [[], []])
})
