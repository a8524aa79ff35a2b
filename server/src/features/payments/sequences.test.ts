import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type BankLine, bookLine, discardLine, reopenLine } from '@podium/contract/bank/calls'
import {
  decideRefund,
  officeCredits,
  payRefund,
  proposeRefund,
  returnRefund,
  withdrawRefund,
} from '@podium/contract/bank/calls-credits'
import { rejectPayment, verifyPayment } from '@podium/contract/payments/calls-verification'
import fc from 'fast-check'
import { sql } from 'kysely'
import { journal } from '#features/ledger/closing/queries'
import { anImport, aUtr, lineWith } from '#test/bank-factories'
import { aDay, anOfficer } from '#test/factories'
import { ledgerHolds } from '#test/ledger-checks'
import { aPendingPayment } from '#test/payments-factories'
import { type TestServer, testServer } from '#test/server'

/** Whatever officers do with the money, in whatever order and at the same moment: nothing is booked twice, and all adds up. */

let server: TestServer
let one: { token: string; id: number }
let other: { token: string; id: number }
before(async () => {
  server = await testServer({ clock: () => aDay })
  one = await anOfficer('accounts')
  other = await anOfficer('owner')
})

type World = Awaited<ReturnType<typeof aWorld>>

/** Two schools whose payments wait, and lines: of each payment, of each again, of more, of less, of nobody. */
async function aWorld() {
  const schools = [await aPendingPayment(server, 2), await aPendingPayment(server, 1)] as const
  const texts = schools.flatMap(({ payable }) =>
    [payable, payable, payable + 120.5, payable - 49.75].map((amount) => ({ text: aUtr(), amount })),
  )
  await anImport(
    server,
    one.token,
    texts.map(({ text, amount }) => ({ narration: `SEQ ${text}`, amount })),
  )
  const lines: number[] = []
  for (const { text } of texts) lines.push((await lineWith(server, one.token, text)).id)
  return { schools, lines }
}

const db = () => server.deps.db
const lineOf = (id: number) =>
  db().selectFrom('bank_lines').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** What somebody does, with what stands in the database just before; at once with the same by another. */
const acts = {
  /** The line is for the school's payment as far as it goes: the rest to credit, or from credit. */
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
    return (who: { token: string }) => server.call(reopenLine, { body: { id, version } }, who)
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

async function waitingRefund(its: 'proposed' | 'approved' = 'proposed'): Promise<number> {
  const { body } = await server.call(officeCredits, { query: { search: '' } }, one)
  return body.refunds.find(({ state }) => state === its)?.id ?? 1
}

/** What must hold of all money of the database; the statement names what does not, and by which row. */
async function broken(): Promise<string[]> {
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

/** Every decision upon money is in the journal once, and the journal explains all that is not charged in the accounts. */
async function journalHolds(): Promise<void> {
  const rows = await db()
    .transaction()
    .execute((tx) => journal(tx, '2020-01-01', '2030-01-01'))
  const told = (kind: RegExp) =>
    rows.filter((row) => kind.test(row.kind)).reduce((sum, row) => sum + Number(row.amount), 0)
  const kept = await sql<{ paid: number; linked: number; credit: number; discarded: number; rows: number }>`
    select (select coalesce(sum(payable), 0) from payments where state = 'verified') as paid,
      (select coalesce(sum(amount), 0) from bank_line_payments) as linked,
      (select coalesce(sum(amount), 0) from school_credits) as credit,
      (select coalesce(sum(amount), 0) from bank_lines where state = 'discarded') as discarded,
      (select count(*) from payments where state = 'verified') + (select count(*) from bank_line_payments)
        + (select count(*) from school_credits) + (select count(*) from bank_lines where state = 'discarded')
        + (select count(*) from waivers where state = 'approved') as rows`.execute(db())
  assert.deepEqual(
    {
      paid: told(/^Payment verified/),
      linked: told(/^Money of a bank line/),
      credit: told(/^Credit/),
      discarded: told(/^Bank line discarded/),
      rows: rows.length,
    },
    kept.rows[0],
  )
}

const names = Object.keys(acts) as (keyof typeof acts)[]
const step = fc.record({
  what: fc.constantFrom(...names, 'book', 'credit', 'propose', 'approve'),
  with: fc.constantFrom(...names),
  at: fc.nat(39),
  same: fc.boolean(),
})

test('whatever officers do at the same moment with lines, payments and refunds, no money counts twice and all adds up', async () => {
  let done = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 14 }), async (steps) => {
      const world = await aWorld()
      for (const { what, with: beside, at, same } of steps) {
        const name = what as keyof typeof acts
        // The same thing by both, or two things about the same line, payment or refund.
        const [mine, theirs] = [await acts[name](world, at), await acts[same ? name : beside](world, at)]
        const answers = await Promise.all([mine(one), theirs(other)])
        done += answers.filter(({ status }) => status === 200).length
        assert.ok(answers.every(({ status }) => status < 500))
        assert.deepEqual(await broken(), [])
      }
      for (const { school, teacher } of world.schools)
        await ledgerHolds(server, one, { ...teacher, schoolId: school.id })
      await journalHolds()
    }),
    { numRuns: 3, seed: 11, endOnFailure: true },
  )
  // Not all of it was refused.
  assert.ok(done > 10, `${done} acts were done`)
})
