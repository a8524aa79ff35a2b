import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bookLine, decideReturned } from '@podium/contract/bank/calls'
import { decideRefund, officeAccount, payRefund, proposeRefund } from '@podium/contract/bank/calls-credits'
import { exportDays } from '@podium/contract/ledger/calls'
import { verifyPayment } from '@podium/contract/payments/calls-verification'
import { anImport, aUtr, lineWith } from '#test/bank-factories'
import { anOfficer, thisSeason } from '#test/factories'
import { takeCsv } from '#test/file-call'
import { aPendingPayment } from '#test/payments-factories'
import { changeRows, valuesOf } from '#test/rows'
import { beforehand, testServer } from '#test/server'
import { figuresBetween } from './queries.ts'

const now = new Date('2026-11-21T06:00:00Z')
const today = { from: '2026-11-21', until: '2026-11-21' }
const server = beforehand(() => testServer({ clock: () => now }))
const officer = beforehand(() => anOfficer('accounts'))

type Booking = Parameters<typeof server.call<typeof bookLine>>[1]
type Booked = NonNullable<NonNullable<Booking>['body']>

/** A matched transfer of this many rupees. */
async function matched(amount: number, to: Pick<Booked, 'parts' | 'credits' | 'used'>) {
  const narration = `CREDIT ${aUtr()}`
  await anImport(server, officer.token, [{ narration, amount }])
  const { id, version } = await lineWith(server, officer.token, narration)
  const { body } = await server.call(bookLine, { body: { id, version, ...to } }, officer)
  assert.equal(body.result, 'success', body.message)
}

/** The vouchers of a Tally file with their entries, and the ledgers in it. */
function parsed(xml: string) {
  const fields = (part: string, tag: string) =>
    [...part.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, text]) => text ?? '')
  const vouchers = [...xml.matchAll(/<VOUCHER REMOTEID="([^"]*)" VCHTYPE="(\w+)".*?<\/VOUCHER>/g)].map(
    ([all, id = '', type = '']) => ({
      ...{ id, type, date: fields(all, 'DATE'), number: fields(all, 'VOUCHERNUMBER') },
      entries: fields(all, 'LEDGERNAME').map((ledger, index) => ({
        ledger,
        debit: fields(all, 'ISDEEMEDPOSITIVE')[index] === 'Yes',
        amount: Number(fields(all, 'AMOUNT')[index]),
      })),
    }),
  )
  return { vouchers, ledgers: [...xml.matchAll(/<LEDGER NAME="([^"]*)"/g)].map(([, name]) => name) }
}

test('the journal for Tally has a voucher for each receipt and refund, and the same totals as the spreadsheet', async () => {
  const { id, payable, school } = await aPendingPayment(server, 2)
  const name = 'Zuvya & “Sons” <School>'
  await changeRows('schools', { id: school.id }, { name })
  const schoolId = school.id
  await matched(150, { parts: [], credits: [{ schoolId, amount: 150 }] })
  // The transfer for this one is 100 short, which comes from credit.
  const parts = [{ key: `p${id}`, amount: payable }]
  await matched(payable - 100, { parts, credits: [], used: [{ schoolId, amount: 100 }] })
  const byHand = await aPendingPayment(server, 1)
  await server.ask(verifyPayment, { id: byHand.id, version: 1 }, officer)
  const refund = { schoolId, amount: 30, payTo: 'A/c 123', reason: 'Asked for' }
  const proposed = await server.ask(proposeRefund, refund, officer)
  const owner = await anOfficer('owner')
  await server.ask(decideRefund, { id: proposed.id, approve: true }, owner)
  await server.ask(payRefund, { id: proposed.id, utr: aUtr() }, officer)

  const { text } = await takeCsv(server, exportDays, today, officer)
  const rows = text
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','))
  const moneyOf = (kinds: readonly string[]) =>
    rows.reduce((sum, row) => sum + (kinds.includes(row[1] ?? '') ? Number(row[9]) : 0), 0)

  const answer = await server.post(exportDays, { ...today, format: 'tally' }, officer)
  assert.match(answer.headers.get('content-disposition') ?? '', /Journal.*\.xml/)
  const { vouchers, ledgers } = parsed(await answer.text())
  for (const { entries } of vouchers) {
    assert.equal(
      entries.reduce((sum, { amount }) => sum + amount, 0),
      0,
    )
    // Debits are negative there.
    for (const { amount, debit } of entries) assert.equal(amount < 0, debit)
  }
  const ofSchool = `Zuvya &amp; “Sons” &lt;School&gt; (${school.code})`
  const other = `${byHand.school.name} (${byHand.school.code})`
  const parties = vouchers.map(({ type, entries: [party, bank] }) => [type, party?.ledger, bank?.amount])
  assert.deepEqual(parties, [
    ['Receipt', ofSchool, -(payable - 100)],
    ['Receipt', other, -byHand.payable],
    ['Receipt', ofSchool, -150],
    ['Payment', ofSchool, 30],
  ])
  assert.deepEqual(ledgers, ['Bank', ofSchool, other])
  assert.ok(vouchers.every(({ date }) => date[0] === '20261121'))
  assert.equal(new Set(valuesOf(vouchers, 'id')).size, vouchers.length)
  const atBank = vouchers.flatMap(({ entries }) => entries.filter(({ ledger }) => ledger === 'Bank'))
  assert.equal(
    -atBank.reduce((sum, { amount }) => sum + amount, 0),
    moneyOf(['Payment verified', 'Credit received', 'Credit used', 'Refund paid']),
  )
})

test('credit that the bank has returned is named so in journal and account, and counts among what the day reversed', async () => {
  const { school } = await aPendingPayment(server, 1)
  const utr = aUtr()
  const line = { narration: `NEFT ${utr}`, amount: 200, utr }
  await anImport(server, officer.token, [line])
  const arrived = await lineWith(server, officer.token, utr)
  const credits = [{ schoolId: school.id, amount: 200 }]
  await server.ask(
    bookLine,
    { id: arrived.id, version: arrived.version, parts: [], credits, used: [] },
    officer,
  )
  await anImport(server, officer.token, [{ ...line, narration: 'RTN', amount: -200 }])
  const { id, version } = await lineWith(server, officer.token, utr)
  const reason = 'Returned: account closed'
  await server.ask(decideReturned, { id, version, decision: 'reverse', reason }, officer)
  const { text } = await takeCsv(server, exportDays, today, officer)
  const kinds = text.split('\r\n').filter((row) => row.includes(school.code))
  assert.deepEqual(
    kinds.map((row) => row.split(',')[1]),
    ['Credit received', 'Credit returned by the bank'],
  )
  const tally = await server.post(exportDays, { ...today, format: 'tally' }, officer)
  const { vouchers } = parsed(await tally.text())
  const ofSchool = vouchers.filter(({ entries }) => entries[0]?.ledger.includes(school.code))
  assert.deepEqual(valuesOf(ofSchool, 'type'), ['Receipt', 'Payment'])
  const day = (await figuresBetween(server.deps.db, today.from, today.until)).get(today.from)
  assert.deepEqual([day?.reversals, day?.reversalsAmount], [0, 200])
  const account = { schoolId: String(school.id), FYear: thisSeason }
  const { data } = await server.ask(officeAccount, account, officer)
  assert.deepEqual([data.at(-1)?.kind, data.at(-1)?.reason], ['refund', reason])
})
