import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BankLine, bookLine, discardLine, reopenLine } from '@podium/contract/bank/calls'
import {
  decideRefund,
  officeCredits,
  payRefund,
  proposeRefund,
  returnRefund,
  withdrawRefund,
} from '@podium/contract/bank/calls-credits'
import { getSubject } from '@podium/contract/catalogue/calls'
import { accountStatement, shareLedger } from '@podium/contract/ledger/calls-statement'
import { fromRupees } from '@podium/contract/money'
import { officeMessages } from '@podium/contract/office/messages'
import { paymentSummary, savePayment } from '@podium/contract/payments/calls'
import { rejectPayment, verifyPayment } from '@podium/contract/payments/calls-verification'
import {
  deleteStudentPost,
  getStudentDetails,
  restoreStudent,
  saveStudentDetails,
} from '@podium/contract/students/calls'
import { checkRows, enterRows } from '@podium/contract/students/calls-grid'
import { cancelStudent } from '@podium/contract/students/calls-register'
import { type RowField, rowFields } from '@podium/contract/students/rules-row'
import fc from 'fast-check'
import { sql } from 'kysely'
import { journal } from '#features/ledger/closing/queries'
import { mergeOf } from '#test/accounts-factories'
import { anImport, aUtr, lineWith } from '#test/bank-factories'
import { aDay, anOfficer, aSeason, thisSeason } from '#test/factories'
import { auditLines } from '#test/file-call'
import { aFoundation, aPendingPayment, aSubmission, ledgerHolds, setShare } from '#test/payments-factories'
import { changeRows, findRow, valuesOf } from '#test/rows'
import { before, beforehand, testServer } from '#test/server'
import { anEnteredStudent, anEntry, aTeacherInSeason } from '#test/students-factories'

/** The share in slabs by head count: docs/algorithms/season.md. */

const slabs = [
  { from: 1, share: 20 },
  { from: 3, share: 25 },
  { from: 5, share: 30.5 },
]
const shareAt = (heads: number) => slabs.findLast(({ from }) => from <= heads)?.share ?? 20

const server = beforehand(() => testServer({ clock: () => aDay }))
const officer = beforehand(() => anOfficer('owner'))
before(async () => {
  await aSeason()
  await aFoundation()
})
const accounts = beforehand(() => anOfficer('accounts'))
const owner = beforehand(() => anOfficer('owner'))

type Teacher = Awaited<ReturnType<typeof aTeacherInSeason>>

async function aSchoolInSlabs(): Promise<Teacher> {
  const set = await setShare(server, officer, { kind: 'slabs', slabs })
  assert.equal(set.status, 200, set.body.message)
  return aTeacherInSeason()
}

const list = async (teacher: Teacher) =>
  (await server.ask(getStudentDetails, { FYear: thisSeason }, teacher)).data
const shares = async (teacher: Teacher) =>
  (await list(teacher)).filter(({ status }) => status).map((row) => row.school_Expenses)
const enter = (teacher: Teacher, traits: object = {}) =>
  anEnteredStudent(server, teacher, { subjectName: 'M', cb: '', ...traits })
const remove = (teacher: Teacher, studentId: number) =>
  server.call(deleteStudentPost, { body: { studentId } }, teacher)
const cardOf = async (teacher: Teacher) =>
  (await server.ask(paymentSummary, { FYear: thisSeason }, teacher)).dataList.find(
    (item) => item.paymentFor === 'Registration Fee' && item.paymentStatus_For_School === 0,
  )
async function pay(teacher: Teacher) {
  const body = await aSubmission(server, teacher.token)
  const sent = await server.ask(savePayment, body, teacher)
  return sent.id
}

test('schools merged after their season was closed have one head count, by which the bank is matched', async () => {
  const [one, other] = [await aSchoolInSlabs(), await aSchoolInSlabs()]
  for (const teacher of [one, other]) {
    await enter(teacher)
    await enter(teacher)
  }
  const { reference } = (await cardOf(one)) ?? assert.fail('nothing is due')
  await changeRows('seasons', { label: thisSeason }, { state: 'closed' })
  const pair = { target: one.schoolId, source: other.schoolId }
  assert.equal((await mergeOf(server, owner, pair)).status, 200)
  const utr = aUtr()
  await anImport(server, accounts.token, [{ narration: `NEFT ${reference} ${utr}`, amount: 4 * (175 - 25) }])
  await changeRows('seasons', { label: thisSeason }, { state: 'open' })
  assert.equal((await lineWith(server, accounts.token, utr)).state, 'exact')
})

test('slabs with a gap, without a first student or with a falling share are refused at their fields', async () => {
  for (const [wrong, path, message] of [
    [[{ from: 2, share: 20 }], 'share.slabs.0.from', officeMessages.slabFirst],
    [
      [
        { from: 1, share: 20 },
        { from: 1, share: 25 },
      ],
      'share.slabs.1.from',
      officeMessages.slabRising,
    ],
    [
      [
        { from: 1, share: 20 },
        { from: 9, share: 19.5 },
      ],
      'share.slabs.1.share',
      officeMessages.slabShareFalls,
    ],
    [[{ from: 1, share: 20.505 }], 'share.slabs.0.share', officeMessages.amountDecimals],
  ] as const) {
    const { status, body } = await setShare(server, officer, { kind: 'slabs', slabs: wrong })
    assert.equal(status, 400)
    assert.deepEqual(body.issues, [{ path, message }])
  }
  assert.equal((await setShare(server, officer, { kind: 'slabs', slabs: [] })).status, 400)
})

test('a student who brings the school into the next slab raises the share of all unpaid students', async () => {
  const teacher = await aSchoolInSlabs()
  await enter(teacher)
  await enter(teacher)
  assert.deepEqual(await shares(teacher), [20, 20])
  const query = { FYear: thisSeason, classId: '7' }
  const offered = await server.ask(getSubject, query, teacher)
  assert.equal(offered.data[0]?.retainFee, 25, 'shown in the form for the third student')
  const third = await enter(teacher, { school_Expenses: 25 })
  assert.equal(third.school_Expenses, 25)
  assert.deepEqual(await shares(teacher), [25, 25, 25])
  const card = await cardOf(teacher)
  assert.deepEqual(
    [card?.gross, card?.retained, card?.payableAmount, card?.slab],
    [525, 75, 450, { heads: 3, share: 25, next: { from: 5, share: 30.5 } }],
  )
  await remove(teacher, third.id)
  assert.deepEqual(await shares(teacher), [20, 20])
  await server.ask(restoreStudent, { studentId: third.id }, teacher)
  assert.deepEqual(await shares(teacher), [25, 25, 25])
  const lines = await auditLines(['change'], { action: 'school.share_followed', school_id: teacher.schoolId })
  assert.deepEqual(valuesOf(lines, 'change'), [
    { heads: 3, share: 25, students: 2 },
    { heads: 2, share: 20, students: 2 },
    { heads: 3, share: 25, students: 2 },
  ])
})

test('a paid entry keeps its share; after a rejection it follows the number of students again', async () => {
  const teacher = await aSchoolInSlabs()
  for (let n = 0; n < 3; n++) await enter(teacher)
  const id = await pay(teacher)
  const before = await findRow('payments', { id })
  assert.equal(before.payable, 45_000)
  await enter(teacher)
  await enter(teacher)
  assert.deepEqual((await shares(teacher)).toSorted(), [25, 25, 25, 30.5, 30.5])
  assert.equal((await cardOf(teacher))?.payableAmount, 289)
  const rejection = { id, version: 1, reason: 'Nothing has come' }
  await server.ask(rejectPayment, rejection, officer)
  assert.deepEqual(await shares(teacher), [30.5, 30.5, 30.5, 30.5, 30.5])
  const again = await pay(teacher)
  await server.ask(verifyPayment, { id: again, version: 1 }, officer)
  const [gone] = await list(teacher)
  const version = (await findRow('students', { id: gone?.id ?? 0 })).version
  const cancelled = await server.ask(
    cancelStudent,
    { id: gone?.id ?? 0, version, reason: 'Has left the school' },
    officer,
  )
  assert.equal(cancelled.credit, 144.5, 'what was paid for the student, less the share at that time')
  assert.deepEqual(await shares(teacher), [30.5, 30.5, 30.5, 30.5])
  await enter(teacher)
  await remove(teacher, (await enter(teacher)).id)
  assert.equal((await cardOf(teacher))?.retained, 30.5, 'four are paid and one is new')
})

test('a payment is refused with the new amount when the number of students has changed it', async () => {
  const teacher = await aSchoolInSlabs()
  await enter(teacher)
  const second = await enter(teacher)
  const body = await aSubmission(server, teacher.token)
  await enter(teacher)
  const refused = await server.refuses('payments.amount_changed', savePayment, body, teacher)
  assert.equal(refused.payableAmount, 300)
  const agreed = { ...body, payableAmount: 300 }
  await server.ask(savePayment, agreed, teacher)
  assert.equal((await list(teacher)).find(({ id }) => id === second.id)?.school_Expenses, 25)
})

test('a new rule leaves the share of every entry, and rows entered together get the slab they reach', async () => {
  const teacher = await aSchoolInSlabs()
  await enter(teacher)
  await enter(teacher)
  await setShare(server, officer, { kind: 'percent', percent: 10 })
  await enter(teacher)
  assert.deepEqual((await shares(teacher)).toSorted(), [17.5, 20, 20])
  const later = new Date(aDay.getTime() - 1)
  await sql`update enrolments set created_at = ${later}
    where school_id = ${teacher.schoolId}`.execute(server.deps.db)
  await setShare(server, officer, { kind: 'slabs', slabs })
  const texts = (at: number): Partial<Record<RowField, string>> => ({
    ...{ classId: '7', section: 'A', rollno: String(at), studentName: `Kavya Udaharan ${at}` },
    ...{ subjectName: 'M, S', cb: at === 1 ? 'M' : '' },
  })
  const rows = [1, 2].map((row) => ({ row, cells: rowFields.map((field) => texts(row)[field] ?? '') }))
  const checked = await server.ask(checkRows, { FYear: thisSeason, rows }, teacher)
  assert.deepEqual(checked.faults, [])
  assert.equal(checked.school_Expenses, 4 * 30.5, 'two subjects each, for a school of five')
  assert.equal(checked.book_school_Expenses, 20, 'the fixed share of a book')
  const { regAmount, bookAmount } = checked
  await server.ask(enterRows, { FYear: thisSeason, rows, regAmount, bookAmount }, teacher)
  await server.jobs.drain()
  assert.deepEqual((await shares(teacher)).toSorted(), [17.5, 20, 20, 61, 61])
})

test('an entry from an earlier rule keeps its share in another class; one under slabs follows them', async () => {
  await setShare(server, officer, { kind: 'perHead' })
  const teacher = await aTeacherInSeason()
  const [moved, stays] = [await enter(teacher), await enter(teacher)]
  const { retained: had } = await findRow('enrolments', { student_id: stays.id })
  assert.notEqual(had, 2_000)
  const earlier = new Date(aDay.getTime() - 1)
  await sql`update enrolments set created_at = ${earlier}
    where school_id = ${teacher.schoolId}`.execute(server.deps.db)
  await setShare(server, officer, { kind: 'slabs', slabs })
  const moveToClass8 = async (id: number, subjectName: string) => {
    const query = { FYear: thisSeason, classId: '8', studentId: String(id) }
    const { data } = await server.ask(getSubject, query, teacher)
    const shown = data.find(({ eventLetter }) => eventLetter === 'M')?.retainFee
    const row = await findRow('students', { id }, ['version', 'roll_no'])
    const entry = anEntry({ classId: 8, subjectName, cb: '', rollno: row.roll_no })
    const body = { ...entry, id, version: row.version }
    await server.ask(saveStudentDetails, body, teacher)
    return shown
  }
  assert.equal(await moveToClass8(moved.id, 'M'), had / 100, 'the form shows what is saved')
  assert.deepEqual(await shares(teacher), [had / 100, had / 100])
  const under = await enter(teacher)
  await moveToClass8(under.id, 'M')
  assert.deepEqual((await shares(teacher)).toSorted(), [had / 100, had / 100, 25])
  await enter(teacher)
  await enter(teacher)
  assert.deepEqual((await shares(teacher)).toSorted(), [had / 100, had / 100, 30.5, 30.5, 30.5])
})

/** All amounts shown to a school add up, and open items have the slab's share. */
async function checkAmounts(teacher: Teacher, paidAt: ReadonlyMap<number, number>) {
  const rows = (await list(teacher)).filter(({ status }) => status)
  const share = shareAt(rows.length)
  for (const { id, school_Expenses, eventLetter } of rows) {
    const each = paidAt.get(id) ?? share
    assert.equal(school_Expenses, each * eventLetter.split(',').length)
  }
  const card = await cardOf(teacher)
  if (card) assert.equal(card.gross - card.retained, card.payableAmount)
  const query = { FYear: thisSeason }
  const { totals } = await server.ask(accountStatement, query, teacher)
  const ledger = await server.ask(shareLedger, query, teacher)
  const retained = ledger.data.reduce((sum, row) => sum + fromRupees(row.retained), 0)
  assert.equal(retained, fromRupees(totals.retained))
  assert.equal(
    fromRupees(totals.balance),
    fromRupees(card?.payableAmount ?? 0) + fromRupees(totals.beingVerified) - fromRupees(totals.credit),
  )
  await ledgerHolds(server, officer, teacher)
}

const step = fc.record({
  what: fc.constantFrom('enter', 'enter', 'enter', 'remove', 'restore', 'pay', 'verify', 'reject'),
  at: fc.nat(20),
})

test('whatever a school enters, deletes and pays, shares follow the number of students and sums add up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 14 }), async (steps) => {
      const teacher = await aSchoolInSlabs()
      const paidAt = new Map<number, number>()
      let waiting: { id: number; of: number[] } | undefined
      for (const { what, at } of steps) {
        const all = await list(teacher)
        const free = all.filter(({ id, status }) => status === (what === 'remove') && !paidAt.has(id))
        const student = free[at % Math.max(1, free.length)]
        if (what === 'enter') await enter(teacher, { subjectName: at % 2 === 0 ? 'M' : 'M,S' })
        if (what === 'remove' && student) assert.equal((await remove(teacher, student.id)).status, 200)
        if (what === 'restore' && student)
          await server.ask(restoreStudent, { studentId: student.id }, teacher)
        const due = what === 'pay' && !waiting ? await cardOf(teacher) : undefined
        if (due) {
          const share = shareAt(all.filter(({ status }) => status).length)
          waiting = { id: await pay(teacher), of: due.individualRegIdList }
          for (const id of waiting.of) paidAt.set(id, share)
        }
        if (waiting && (what === 'verify' || what === 'reject')) {
          const body = { id: waiting.id, version: 1, reason: 'Nothing has come' }
          if (what === 'verify') await server.ask(verifyPayment, { id: body.id, version: 1 }, officer)
          else {
            await server.ask(rejectPayment, body, officer)
            for (const id of waiting.of) paidAt.delete(id)
          }
          waiting = undefined
        }
        await checkAmounts(teacher, paidAt)
      }
    }),
    { numRuns: 3, seed: 35, endOnFailure: true },
  )
})

test('students entered at the same moment are all counted', async () => {
  const teacher = await aSchoolInSlabs()
  const bodies = [1, 2, 3].map(() => anEntry({ subjectName: 'M', cb: '' }))
  await Promise.all(bodies.map((body) => server.call(saveStudentDetails, { body }, teacher)))
  const card = await cardOf(teacher)
  assert.deepEqual(await shares(teacher), [25, 25, 25])
  assert.equal(card?.payableAmount, 450)
})

type World = Awaited<ReturnType<typeof aWorld>>

/** Two schools with pending payments, and lines: one for each payment, a duplicate of each, one too large, one too small, one of unknown origin. */
async function aWorld() {
  const schools = [await aPendingPayment(server, 2), await aPendingPayment(server, 1)] as const
  const texts = schools.flatMap(({ payable }) =>
    [payable, payable, payable + 120.5, payable - 49.75].map((amount) => ({ text: aUtr(), amount })),
  )
  await anImport(
    server,
    accounts.token,
    texts.map(({ text, amount }) => ({ narration: `SEQ ${text}`, amount })),
  )
  const lines: number[] = []
  for (const { text } of texts) lines.push((await lineWith(server, accounts.token, text)).id)
  return { schools, lines }
}

const db = () => server.deps.db
const lineOf = (id: number) =>
  db().selectFrom('bank_lines').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Actions based on the state just before, run concurrently with another officer's. */
const actions = {
  /** The line pays the school's payment; the difference goes to credit or comes from it. */
  async book({ schools, lines }: World, at: number) {
    const line = await lineOf(lines[at % lines.length] ?? 0)
    const { id, school, payable } = schools[at % 2] ?? schools[0]
    const amount = line.amount / 100
    const parts: BankLine['proposal']['parts'] = [{ key: `p${id}`, amount: payable }] as never
    const more = Math.round((amount - payable) * 100) / 100
    const credits = more > 0 ? [{ schoolId: school.id, amount: more }] : []
    const used = more < 0 ? [{ schoolId: school.id, amount: -more }] : []
    const body = { id: line.id, version: line.version, parts, credits, used }
    return (who: { token: string }) => server.call(bookLine, { body }, who)
  },
  async credit({ schools, lines }: World, at: number) {
    const line = await lineOf(lines[at % lines.length] ?? 0)
    const credits = [{ schoolId: (schools[at % 2] ?? schools[0]).school.id, amount: line.amount / 100 }]
    const body = { id: line.id, version: line.version, parts: [], credits }
    return (who: { token: string }) => server.call(bookLine, { body }, who)
  },
  async discard({ lines }: World, at: number) {
    const { id, version } = await lineOf(lines[at % lines.length] ?? 0)
    return (who: { token: string }) =>
      server.call(discardLine, { body: { lines: [{ id, version }], reason: 'Not ours' } }, who)
  },
  async reopen({ lines }: World, at: number) {
    const { id, version } = await lineOf(lines[at % lines.length] ?? 0)
    return (who: { token: string }) => server.call(reopenLine, { body: { lines: [{ id, version }] } }, who)
  },
  async verify({ schools }: World, at: number) {
    const { id } = schools[at % 2] ?? schools[0]
    return (who: { token: string }) => server.call(verifyPayment, { body: { id, version: 1 } }, who)
  },
  async reject({ schools }: World, at: number) {
    const { id } = schools[at % 2] ?? schools[0]
    return (who: { token: string }) =>
      server.call(rejectPayment, { body: { id, version: 1, reason: 'Nothing has come' } }, who)
  },
  async propose({ schools }: World, at: number) {
    const body = {
      schoolId: (schools[at % 2] ?? schools[0]).school.id,
      amount: 10.25 * (1 + (at % 5)),
      payTo: 'A/c 123',
      reason: 'Asked for',
    }
    return (who: { token: string }) => server.call(proposeRefund, { body }, who)
  },
  async approve(_: World, at: number) {
    const id = await waitingRefund()
    const body = { id, approve: at % 3 > 0 }
    return (who: { token: string }) => server.call(decideRefund, { body }, who)
  },
  async pay(_: World, at: number) {
    const id = await waitingRefund('approved')
    const body = { id, utr: `REFUND${at}` }
    return (who: { token: string }) => server.call(payRefund, { body }, who)
  },
  async sendBack() {
    const id = await waitingRefund('approved')
    const body = { id, reason: 'Account closed' }
    return (who: { token: string }) => server.call(returnRefund, { body }, who)
  },
  async withdraw() {
    const id = await waitingRefund()
    return (who: { token: string }) => server.call(withdrawRefund, { body: { id } }, who)
  },
}

async function waitingRefund(wanted: 'proposed' | 'approved' = 'proposed'): Promise<number> {
  const body = await server.ask(officeCredits, { search: '' }, accounts)
  return body.refunds.find(({ state }) => state === wanted)?.id ?? 1
}

/** Invariants of all money in the database; the query returns each violation with its row. */
async function violations(): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select 'line ' || l.id || ' booked for other money than it brought' as what from bank_lines l
      where l.state <> 'open' and l.to_payments + l.to_credit + l.discarded <> l.amount
        or l.state = 'open' and exists (select from bank_line_payments b where b.line_id = l.id)
    union all
    select 'line ' || l.id || ' has other parts than it says' from bank_lines l
      where l.to_payments <> (select coalesce(sum(b.amount), 0) from bank_line_payments b where b.line_id = l.id)
        or l.to_credit <> (select coalesce(sum(c.amount), 0) from school_credits c where c.line_id = l.id and c.kind = 'received')
    union all
    select 'payment ' || p.id || ' got other money than it is of' from payments p
      join bank_line_payments b on b.payment_id = p.id
      where p.state <> 'verified' or p.payable <> b.amount + (
        select coalesce(-sum(c.amount), 0) from school_credits c where c.payment_id = p.id and c.kind = 'used')
    union all
    select 'payment ' || payment_id || ' got its money twice' from bank_line_payments group by payment_id having count(*) > 1
    union all
    select 'school ' || school_id || ' has less than nothing to its credit' from (
      select school_id, amount from school_credits
      union all select school_id, -amount from refunds where state in ('proposed', 'approved')) x
      group by school_id having sum(amount) < 0
    union all
    select 'refund ' || r.id || ' and its counter-entry differ' from refunds r
      where coalesce((select -sum(c.amount) from school_credits c where c.refund_id = r.id), 0)
        <> case r.state when 'paid' then r.amount else 0 end
    union all
    select 'payment ' || p.id || ' and its receipt differ' from payments p where (p.state = 'verified') <> (p.receipt_no is not null)
    union all
    select 'a receipt number is missing or twice' from payments where receipt_no is not null
      group by season having count(*) <> max(split_part(receipt_no, '/', 2)::int) or count(distinct receipt_no) <> count(*)
    union all
    select 'payment ' || subject_id || ' was decided twice' from audit where action in ('payment.verified', 'payment.rejected')
      group by subject_id having count(*) > 1
    union all
    select 'refund ' || subject_id || ' was decided twice' from audit
      where action in ('refund.approved', 'refund.rejected', 'refund.withdrawn') group by subject_id having count(*) > 1
    union all
    select 'refund ' || subject_id || ' was settled twice' from audit
      where action in ('refund.paid', 'refund.returned') group by subject_id having count(*) > 1`.execute(
    db(),
  )
  return rows.map(({ what }) => what)
}

/** Each decision about money is in the journal once, and the journal explains everything in the accounts except charges. */
async function checkJournal(): Promise<void> {
  const rows = await db()
    .transaction()
    .execute((tx) => journal(tx, '2020-01-01', '2030-01-01'))
  const journalSum = (kind: RegExp) =>
    rows.filter((row) => kind.test(row.kind)).reduce((sum, row) => sum + Number(row.amount), 0)
  const totals = await sql<{ paid: number; linked: number; credit: number; discarded: number; rows: number }>`
    select (select coalesce(sum(payable), 0) from payments where state = 'verified') as paid,
      (select coalesce(sum(amount), 0) from bank_line_payments) as linked,
      (select coalesce(sum(amount), 0) from school_credits) as credit,
      (select coalesce(sum(amount), 0) from bank_lines where state = 'discarded') as discarded,
      (select count(*) from payments where state = 'verified') + (select count(*) from bank_line_payments)
        + (select count(*) from school_credits) + (select count(*) from bank_lines where state = 'discarded')
        + (select count(*) from waivers where state = 'approved') as rows`.execute(db())
  assert.deepEqual(
    {
      paid: journalSum(/^Payment verified/),
      linked: journalSum(/^Bank line matched/),
      credit: journalSum(/^Credit/),
      discarded: journalSum(/^Bank line ignored/),
      rows: rows.length,
    },
    totals.rows[0],
  )
}

const names = Object.keys(actions) as (keyof typeof actions)[]
const simultaneous = fc.record({
  what: fc.constantFrom(...names, 'book', 'credit', 'propose', 'approve'),
  with: fc.constantFrom(...names),
  at: fc.nat(39),
  same: fc.boolean(),
})

test('whatever two officers do at once with lines, payments and refunds, no money counts twice and all adds up', async () => {
  let done = 0
  await fc.assert(
    fc.asyncProperty(fc.array(simultaneous, { minLength: 8, maxLength: 14 }), async (steps) => {
      const world = await aWorld()
      for (const { what, with: beside, at, same } of steps) {
        const name = what as keyof typeof actions
        // The same action by both, or two actions on the same line, payment or refund.
        const [mine, theirs] = [
          await actions[name](world, at),
          await actions[same ? name : beside](world, at),
        ]
        const answers = await Promise.all([mine(accounts), theirs(owner)])
        done += answers.filter(({ status }) => status === 200).length
        assert.ok(answers.every(({ status }) => status < 500))
        assert.deepEqual(await violations(), [])
      }
      for (const { school, teacher } of world.schools)
        await ledgerHolds(server, accounts, { ...teacher, schoolId: school.id })
      await checkJournal()
    }),
    { numRuns: 3, seed: 11, endOnFailure: true },
  )
  // Enough of the actions succeeded.
  assert.ok(done > 10, `${done} actions succeeded`)
})
