import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bookLine } from '@podium/contract/bank/calls'
import {
  decideRefund,
  exportCredits,
  officeAccount,
  officeCredits,
  payRefund,
  proposeRefund,
  returnRefund,
  withdrawRefund,
} from '@podium/contract/bank/calls-credits'
import { seasonTrack } from '@podium/contract/dashboard/calls'
import { closeDay, exportDays, moneyDays } from '@podium/contract/ledger/calls'
import { accountStatement } from '@podium/contract/ledger/calls-statement'
import { fromRupees } from '@podium/contract/money'
import { paymentSummary } from '@podium/contract/payments/calls'
import {
  decideAccount,
  payAccounts,
  proposeAccount,
  stopAccount,
  withdrawAccount,
} from '@podium/contract/payments/calls-accounts'
import { verifyPayment } from '@podium/contract/payments/calls-verification'
import { sql } from 'kysely'
import { openSession } from '#platform/auth/session'
import { aCredit, anImport, aUtr, lineWith } from '#test/bank-factories'
import { testDatabase, whileHeld } from '#test/database'
import { aDay, anOfficer, aTeacher, eventOf, officeSession, thisSeason } from '#test/factories'
import { auditLines, takeCsv } from '#test/file-call'
import { aFoundation, aPendingPayment, aSchoolThatOwes } from '#test/payments-factories'
import { valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'

let now = new Date('2026-11-21T06:00:00Z')
const server = beforehand(() => testServer({ clock: () => now }))
const officer = beforehand(() => anOfficer('accounts'))
const second = beforehand(() => anOfficer('owner'))

/** Moves the clock; these users sign in again. */
async function moveClock(moment: string, teacher?: { id: number; token: string }) {
  now = new Date(moment)
  for (const who of [officer, second]) who.token = await officeSession(who.id, now)
  if (!teacher) return ''
  const session = { kind: 'account', userId: teacher.id, source: '127.0.0.1', agent: 'test' } as const
  return server.deps.db.transaction().execute((tx) => openSession(tx, now, session))
}

/** A school with this many rupees of credit. */
async function aSchoolWithCredit(amount: number) {
  const world = await aSchoolThatOwes(1)
  await aCredit(server, officer, world.school.id, amount)
  return { ...world, schoolId: world.school.id }
}
const propose = async (schoolId: number, amount: number) =>
  (
    await server.call(
      proposeRefund,
      { body: { schoolId, amount, payTo: 'A/c 123', reason: 'Asked for by the school' } },
      officer,
    )
  ).body
const decide = (id: number, approve: boolean, who = second) =>
  server.call(decideRefund, { body: { id, approve } }, who)
const pay = (id: number, utr: string, who = officer) => server.call(payRefund, { body: { id, utr } }, who)
const creditOf = async (schoolId: number, code: string) =>
  (await server.ask(officeCredits, { search: code }, officer)).credits.find(
    (credit) => credit.schoolId === schoolId,
  )

test('an approved and paid refund appears in the account, the same for school and office', async () => {
  const { schoolId, school, token } = await aSchoolWithCredit(500)
  const { id } = await propose(schoolId, 200)
  assert.deepEqual((await creditOf(schoolId, school.code))?.promised, 200)
  assert.equal((await decide(id, true)).status, 200)
  assert.deepEqual((await creditOf(schoolId, school.code))?.promised, 200)
  assert.equal((await pay(id, '4271 1800 4412')).status, 200)
  assert.equal((await creditOf(schoolId, school.code))?.amount, 300)
  const own = await server.ask(accountStatement, { FYear: thisSeason }, { token })
  assert.deepEqual(valuesOf(own.data.slice(-2), 'kind', 'debit', 'credit', 'reference'), [
    ['credit', 0, 500, own.data.at(-2)?.reference],
    ['refund', 200, 0, '427118004412'],
  ])
  assert.deepEqual([own.totals.credit, own.totals.balance], [300, 150 - 300])
  const query = { schoolId: String(schoolId), FYear: thisSeason }
  const seen = await server.ask(officeAccount, query, officer)
  assert.deepEqual(seen.data, own.data)
})

test('the officer who proposed a refund cannot approve it; of several decisions at once, one counts', async () => {
  const { schoolId } = await aSchoolWithCredit(100)
  const { id } = await propose(schoolId, 100)
  await refused('refund.own', decide(id, true, officer))
  const third = await anOfficer('accounts')
  const answers = await Promise.all([decide(id, true), decide(id, true, third), decide(id, false, third)])
  assert.deepEqual(valuesOf(answers, 'status').sort(), [200, 409, 409])
})

test('an approved refund is paid once, with a UTR of its own, or returned', async () => {
  const { schoolId, school } = await aSchoolWithCredit(300)
  const [first, other, third] = [
    (await propose(schoolId, 100)).id,
    (await propose(schoolId, 100)).id,
    (await propose(schoolId, 100)).id,
  ]
  await refused('refund.not_approved', pay(first, aUtr()))
  for (const id of [first, other, third]) await decide(id, true)
  assert.equal((await pay(first, ' ')).status, 400)
  const utr = aUtr()
  const answers = await Promise.all([pay(first, utr), pay(other, utr, second)])
  assert.deepEqual(valuesOf(answers, 'status').sort(), [200, 409])
  const [paid, left] = answers[0]?.status === 200 ? [first, other] : [other, first]
  assert.equal((await pay(paid, utr)).status, 200)
  await refused('refund.settled', pay(paid, aUtr()))
  await refused('refund.utr_used', pay(left, utr))
  assert.equal((await creditOf(schoolId, school.code))?.amount, 200)
  const back = (id: number, reason = 'Account closed') =>
    server.call(returnRefund, { body: { id, reason } }, officer)
  assert.equal((await back(left, '')).status, 400)
  assert.equal((await back(left)).status, 200)
  await refused('refund.settled', pay(left, aUtr()))
  await refused('refund.settled', back(paid))
  const body = await server.ask(officeCredits, { search: school.code }, officer)
  assert.deepEqual(valuesOf(body.refunds, 'id', 'state', 'settleNote'), [
    [third, 'approved', ''],
    [Math.max(paid, left), paid > left ? 'paid' : 'returned', paid > left ? '' : 'Account closed'],
    [Math.min(paid, left), paid < left ? 'paid' : 'returned', paid < left ? '' : 'Account closed'],
  ])
  assert.deepEqual((await creditOf(schoolId, school.code))?.promised, 100)
})

test('a decision on a refund that is sent again because its answer was lost is answered as done', async () => {
  const { schoolId } = await aSchoolWithCredit(300)
  const decided = { id: (await propose(schoolId, 100)).id, approve: true }
  const withKey = (key: string) => ({ ...second, headers: { 'idempotency-key': key } })
  for (let sent = 0; sent < 2; sent++) await server.ask(decideRefund, decided, withKey('the-same-key'))
  await server.refuses('refund.decided', decideRefund, decided, withKey('another-key'))
})

test('a refund that is paid while its school is merged is refused, and paid afterwards', async () => {
  const { schoolId: from } = await aSchoolWithCredit(100)
  const { schoolId: to, school } = await aSchoolWithCredit(50)
  const { id } = await propose(from, 100)
  await decide(id, true)
  const merging = sql`
    with refund as (update refunds set school_id = ${to} where school_id = ${from}),
      credit as (update school_credits set school_id = ${to} where school_id = ${from})
    update schools set active = false, merged_into = ${to}, merged_at = now() where id = ${from}`
  const utr = aUtr()
  await refused('schools.merged', (await whileHeld(merging, [() => pay(id, utr)]))[0] ?? assert.fail())
  assert.equal((await pay(id, utr)).status, 200)
  assert.equal((await creditOf(to, school.code))?.amount, 50)
})

test('credit that is promised to a refund, or does not exist, cannot be promised again', async () => {
  const { schoolId, school } = await aSchoolWithCredit(100)
  const { id } = await propose(schoolId, 60)
  assert.equal((await propose(schoolId, 60)).code, 'credit.too_little')
  await server.ask(withdrawRefund, { id }, officer)
  const again = await propose(schoolId, 100)
  await decide(again.id, false)
  assert.deepEqual(await creditOf(schoolId, school.code), {
    schoolId,
    schCode: school.code,
    schName: school.name,
    amount: 100,
    promised: 0,
  })
  const both = await Promise.all([propose(schoolId, 70), propose(schoolId, 70)])
  assert.equal(both.filter(({ result }) => result === 'success').length, 1)
})

const account = {
  purpose: 'books' as const,
  accountName: 'Podium Foundation',
  bankName: 'Namuna Bank',
  accountNo: '9988 7766 55',
  ifsc: 'nmna0001234',
  upiId: 'Podium.New@namuna',
  reason: 'The old account is closed',
}
const shownTo = async (token: string) => {
  const { dataList } = await server.ask(paymentSummary, { FYear: thisSeason }, { token })
  const books = dataList.find(({ paymentFor }) => paymentFor === 'Book Fee')
  return [books?.accountNo, books?.ifsc, books?.upiId]
}

test('a new bank account needs two people and a day, and owners are told of each step', async () => {
  const school = await aSchoolThatOwes(1, { books: 1 })
  const before = await shownTo(school.token)
  const { id } = await server.ask(proposeAccount, account, officer)
  await server.refuses('account.change_own', decideAccount, { id, approve: true }, officer)
  await server.refuses('account.change_open', proposeAccount, account, second)
  assert.deepEqual(await shownTo(school.token), before)
  const approved = await server.ask(decideAccount, { id, approve: true }, second)
  assert.equal(approved.validFrom, new Date(now.getTime() + 86_400_000).toISOString())
  assert.deepEqual(await shownTo(school.token), before)
  const { db } = await testDatabase()
  const mails = await db
    .selectFrom('outbox')
    .select('key')
    .where('key', 'like', `account-change:${id}:%:${second.id}`)
    .execute()
  assert.deepEqual(mails.map(({ key }) => key.split(':')[2]).sort(), ['approved', 'proposed'])
  const token = await moveClock('2026-11-22T06:00:00Z', school.teacher)
  assert.deepEqual(await shownTo(token), ['9988776655', 'NMNA0001234', 'podium.new@namuna'])
  await server.refuses('account.change_decided', stopAccount, { id, reason: 'Too late' }, officer)
  await server.refuses('account.change_none', proposeAccount, account, officer)
})

test('an approved account change is stopped by one person; rejected and withdrawn changes never take effect', async () => {
  const school = await aSchoolThatOwes(1, { books: 1 })
  const today = await moveClock('2026-11-22T07:00:00Z', school.teacher)
  const before = await shownTo(today)
  const proposed = async (accountNo: string) =>
    (await server.ask(proposeAccount, { ...account, accountNo }, officer)).id
  const stopped = await proposed('111111111')
  await server.ask(decideAccount, { id: stopped, approve: true }, second)
  await server.ask(stopAccount, { id: stopped, reason: 'Nobody knows this account' }, officer)
  const rejected = await proposed('222222222')
  await server.ask(decideAccount, { id: rejected, approve: false }, second)
  const withdrawn = await proposed('333333333')
  await server.ask(withdrawAccount, { id: withdrawn }, officer)
  await server.refuses('account.change_decided', decideAccount, { id: withdrawn, approve: true }, second)
  const later = await moveClock('2026-11-25T06:00:00Z', school.teacher)
  assert.deepEqual(await shownTo(later), before)
  const { changes } = await server.ask(payAccounts, {}, officer)
  assert.deepEqual(valuesOf(changes.slice(0, 3), 'state'), ['withdrawn', 'rejected', 'stopped'])
})

test('an invalid account number, IFSC or UPI id is refused at its field', async () => {
  const fields = async (changes: object) => {
    const { body } = await server.call(proposeAccount, { body: { ...account, ...changes } }, officer)
    return (body as unknown as { issues?: { path: string }[] }).issues?.map(({ path }) => path)
  }
  assert.deepEqual(await fields({ accountNo: '12A' }), ['accountNo'])
  assert.deepEqual(await fields({ ifsc: 'NMNA1001234' }), ['ifsc'])
  assert.deepEqual(await fields({ upiId: 'https://x' }), ['upiId'])
})

test('a day adds up and is closed in order once it is over, with a note for money without a bank line, and stays closed', async () => {
  now = new Date('2026-11-21T06:00:00Z')
  await aFoundation()
  const byHand = await aPendingPayment(server, 1)
  const another = await aPendingPayment(server, 1)
  const utr = aUtr()
  await aPendingPayment(server, 2, { changes: { utr } })
  await moveClock('2026-12-10T06:00:00Z')
  await anImport(server, officer.token, [{ narration: `NEFT ${utr}`, amount: 320 }])
  await server.ask(verifyPayment, { id: byHand.id, version: 1 }, officer)
  const line = await lineWith(server, officer.token, utr)
  const credits = line.proposal.credits.map(({ schoolId, amount }) => ({ schoolId, amount }))
  await server.ask(
    bookLine,
    { id: line.id, version: line.version, parts: line.proposal.parts, credits },
    officer,
  )
  const dayOf = async (day: string, token = officer.token) =>
    (await server.ask(moneyDays, { FYear: thisSeason }, { token })).data.find((row) => row.day === day)
  const close = async (day: string, note = '', seen?: string) => {
    const body = { day, note, seen: seen ?? (await dayOf(day))?.seen ?? 'nothing' }
    return (await server.call(closeDay, { body }, officer)).body
  }
  const open = await dayOf('2026-12-10')
  const { figures } = open ?? {}
  assert.deepEqual(
    [
      figures?.linesAmount,
      figures?.toPayments,
      figures?.toCredit,
      figures?.paymentsAmount,
      figures?.fromLines,
      figures?.difference,
    ],
    [320, 300, 20, 450, 300, 150],
  )
  assert.deepEqual(
    figures?.receipts.map(({ count, gaps }) => [count, gaps]),
    [[2, 0]],
  )
  assert.deepEqual(
    [open?.can.close, (await close('2026-12-10')).code],
    ['bank.day_not_over', 'bank.day_not_over'],
  )
  await moveClock('2026-12-11T06:00:00Z')
  assert.equal((await close('2026-12-10')).code, 'bank.note_needed')
  const stale = await close('2026-12-10', 'Paid by cheque', 'figures of some other moment')
  assert.equal(stale.code, 'changed_meanwhile')
  assert.equal((await close('2026-12-10', 'Paid by cheque')).result, 'success')
  assert.equal((await close('2026-12-10', 'Again')).code, 'bank.day_closed')
  // That payment's money is found a day later and counts for that day.
  const late = aUtr()
  await anImport(server, officer.token, [{ narration: `CHQ ${late}`, amount: 150 }])
  const found = await lineWith(server, officer.token, late)
  const parts = [{ key: `p${byHand.id}`, amount: 150 }]
  await server.ask(bookLine, { id: found.id, version: found.version, parts }, officer)
  const after = await dayOf('2026-12-10')
  assert.deepEqual(
    [after?.figures, after?.note, after?.foundSince, after?.can.close],
    [figures, 'Paid by cheque', 150, 'bank.day_closed'],
  )
  assert.deepEqual(
    [(await dayOf('2026-12-11'))?.figures.toEarlier, (await dayOf('2026-12-11'))?.figures.difference],
    [150, 0],
  )
  await moveClock('2026-12-12T06:00:00Z')
  await server.ask(verifyPayment, { id: another.id, version: 1 }, officer)
  await moveClock('2026-12-13T06:00:00Z')
  assert.equal((await close('2026-12-12', 'Early')).code, 'bank.earlier_day_open')
  // A role that can't close days is not offered to.
  const viewer = await anOfficer('viewer', now)
  assert.equal((await dayOf('2026-12-12', viewer.token))?.can.close, 'access.denied')
  assert.equal((await close('2026-12-11')).result, 'success')
  const period = { from: '2026-12-10', until: '2026-12-11' }
  const { lines } = await takeCsv(server, exportDays, period, officer)
  const kinds = lines.slice(1).map((row) => row.split(',')[1])
  assert.deepEqual(kinds, [
    'Payment verified',
    'Payment verified',
    'Bank line matched',
    'Credit received',
    'Bank line matched',
  ])
})

test('credits and refunds are exported as searched, each with an audit line', async () => {
  await moveClock('2026-11-21T06:00:00Z')
  const { schoolId, school } = await aSchoolWithCredit(500)
  await propose(schoolId, 200)
  const take = async (which: 'credits' | 'refunds', token = officer.token) => {
    const file = await takeCsv(server, exportCredits, { which, search: school.code }, { token })
    return { status: file.status, lines: file.lines.slice(1) }
  }
  const credits = await take('credits')
  assert.deepEqual(credits.lines, [`${school.code},${school.name},500,200`])
  const refunds = await take('refunds')
  assert.equal(refunds.lines.length, 1)
  assert.match(refunds.lines[0] ?? '', /,200,.*123,Asked for by the school,Needs approval,/)
  const rows = await auditLines(['action', 'change'], { action: ['credit.exported', 'refund.exported'] })
  const change = { format: 'csv', rows: 1, filters: { search: school.code } }
  assert.deepEqual(rows, [
    { action: 'credit.exported', change },
    { action: 'refund.exported', change },
  ])
  const results = await anOfficer('results')
  assert.equal((await take('credits', results.token)).status, 403)
})

test('a viewer sees credits but can neither propose a refund or an account nor close a day', async () => {
  await moveClock('2026-11-21T06:00:00Z')
  const viewer = await anOfficer('viewer', now)
  const { schoolId } = await aSchoolWithCredit(50)
  await server.ask(officeCredits, {}, viewer)
  const refused = await Promise.all([
    server.call(proposeRefund, { body: { schoolId, amount: 5, payTo: 'x', reason: 'x' } }, viewer),
    server.call(proposeAccount, { body: account }, viewer),
    server.call(closeDay, { body: { day: '2026-12-01', note: 'x', seen: 'x' } }, viewer),
  ])
  assert.deepEqual(valuesOf(refused, 'status'), [403, 403, 403])
})

/** This many schools with students, books and library orders, at random pending, verified, rejected or due. */
async function schoolsAtRandom(many: number): Promise<number[]> {
  const { db } = await testDatabase()
  await aFoundation()
  const event = await eventOf('M')
  const { id: userId } = await aTeacher()
  return db.transaction().execute(async (tx) => {
    const at = sql`${aDay}::timestamptz`
    const state = sql`(array['due', 'pending', 'verified', 'rejected'])[1 + floor(random() * 4)::int]`
    await sql`select setseed(0.27)`.execute(tx)
    await sql`insert into files (id, kind, name, media_type, bytes, sha256, created_at)
      values ('of-schools-at-random', 'payment-proof', 'slip.png', 'image/png', 1, 'x', ${at})
      on conflict do nothing`.execute(tx)
    const { rows } = await sql<{ id: number }>`
      insert into schools (code, name, name_key, address, city, district, state, zone, country, pin_code, phone, email, created_at)
      select 'RANDOM' || n, 'Random ' || n, 'random ' || n, '', '', '', 'Karnataka', 'South', 'India', '', '', n || '@random.example', ${at}
      from generate_series(1, ${many}::int) n returning id`.execute(tx)
    const ids = rows.map(({ id }) => id)
    await sql`
      insert into students (school_id, season, class_id, section, roll_no, name, name_key, subject_names, letters,
        reg_amount, reg_retained, book_count, book_amount, book_retained, active, created_at, updated_at)
      select id, ${thisSeason}, 7, 'A', n, 'Namuna', 'namuna', 'Mathematics', 'M', 17500 + n * 50, floor(random() * 3000),
        b, b * 22000, b * 2000, n > 1, ${at}, ${at}
      from unnest(${ids}::bigint[]) id, generate_series(1, 7) n, lateral (select floor(random() * 3 + n * 0)::int as b) b
      where n < 3 or random() < 0.6`.execute(tx)
    await sql`
      create temp table sent on commit drop as
      select s.id, s.school_id, c.purpose, c.gross, c.retained, ${state} as state
      from students s cross join lateral (values ('registration', s.reg_amount, s.reg_retained),
        ('books', s.book_amount, s.book_retained)) c (purpose, gross, retained)
      where s.school_id = any(${ids}::bigint[]) and s.active and c.gross > 0`.execute(tx)
    await sql`
      insert into library_lines (school_id, season, event_id, class_id, kind, quantity, price, retained, created_by, created_at, updated_at)
      select id, ${thisSeason}, ${event.id}, 7, kind, 1 + floor(random() * 9), 22000, 2000, ${userId}, ${at}, ${at}
      from unnest(${ids}::bigint[]) id, unnest(array['cb', 'pyqp', 'genex']) kind
      where random() < 0.7`.execute(tx)
    await sql`
      create temp table ordered on commit drop as
      select id, school_id, quantity * price as gross, quantity * retained as retained, ${state} as state
      from library_lines where school_id = any(${ids}::bigint[])`.execute(tx)
    await sql`
      insert into payments (school_id, season, purpose, reference, gross, retained, payable, paid_on, remarks, proof_file_id,
        proof_sha256, state, receipt_no, submitted_by, submitted_at, decided_at)
      select school_id, ${thisSeason}, purpose, 'R' || row_number() over (), sum(gross), sum(retained), sum(gross) - sum(retained),
        '2026-11-20', 'x', 'of-schools-at-random', 'x', state,
        case state when 'verified' then 'R/' || row_number() over () end, ${userId}, ${at},
        case state when 'pending' then null else ${at} end
      from (select school_id, purpose, state, gross, retained from sent
        union all select school_id, 'library', state, gross, retained from ordered) x
      where state <> 'due' group by school_id, purpose, state`.execute(tx)
    await sql`
      insert into payment_lines (payment_id, student_id, purpose, gross, retained, live)
      select p.id, x.id, x.purpose, x.gross, x.retained, x.state <> 'rejected'
      from sent x join payments p
        on (p.school_id, p.purpose, p.state) = (x.school_id, x.purpose, x.state)`.execute(tx)
    await sql`update students s set paid = x.state = 'verified', locked = x.state = 'pending'
      from sent x where x.id = s.id and x.purpose = 'registration'`.execute(tx)
    await sql`
      update library_lines l set payment_id = p.id, paid = x.state = 'verified'
      from ordered x join payments p on (p.school_id, p.purpose, p.state) = (x.school_id, 'library', x.state)
      where l.id = x.id and x.state in ('pending', 'verified')`.execute(tx)
    await sql`
      insert into school_credits (school_id, season, kind, amount, created_by, created_at)
      select id, ${thisSeason}, 'received', 1 + floor(random() * 900000), ${officer.id}, ${at}
      from unnest(${ids}::bigint[]) id where random() < 0.3`.execute(tx)
    return ids
  })
}

test('dashboard, payments page and account of 200 schools show the same amounts, to the paisa', async () => {
  await moveClock(aDay.toISOString())
  const query = { FYear: thisSeason }
  const kinds = { payNow: 0, payLater: 0, beingVerified: 0, credit: 0 }
  const check = async (schoolId: number) => {
    const teacher = await aTeacher({ schoolId })
    const [track, payments, account] = await Promise.all([
      server.call(seasonTrack, { query }, teacher),
      server.call(paymentSummary, { query }, teacher),
      server.call(accountStatement, { query }, teacher),
    ])
    const { money } = track.body
    assert.deepEqual(payments.body.money, money)
    assert.deepEqual(account.body.money, money)
    const cards = (sent: 0 | 1, can?: boolean) =>
      payments.body.dataList
        .filter(
          (card) =>
            card.paymentStatus === 'Pending' &&
            card.paymentStatus_For_School === sent &&
            (can === undefined || (card.can.submit === true) === can),
        )
        .reduce((sum, card) => sum + fromRupees(card.payableAmount), 0)
    assert.equal(cards(0, true), fromRupees(money.payNow))
    assert.equal(cards(0, false), fromRupees(money.payLater))
    assert.equal(cards(1), fromRupees(money.beingVerified))
    assert.equal(cards(0) + cards(1), fromRupees(money.total))
    if (track.body.next?.key === 'payment') assert.equal(track.body.next.payable, money.payNow)
    const { totals } = account.body
    assert.equal(totals.beingVerified, money.beingVerified)
    assert.equal(fromRupees(totals.balance), fromRupees(money.total) - fromRupees(money.credit))
    for (const kind of ['payNow', 'payLater', 'beingVerified', 'credit'] as const)
      if (money[kind] > 0) kinds[kind]++
  }
  const schools = await schoolsAtRandom(200)
  while (schools.length > 0) await Promise.all(schools.splice(0, 8).map(check))
  // None of the sums agree just because they are zero.
  for (const [kind, many] of Object.entries(kinds)) assert.ok(many > 30, `${kind} in ${many} schools`)
})
