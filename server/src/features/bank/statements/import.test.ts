import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importStatement, mappingText, previewStatement } from '@podium/contract/bank/calls-statements'
import { writeXlsx } from '#platform/sheets/spreadsheet-write'
import { anImport, aStatementFile, aUtr, feesAccount, importFile, lineWith } from '#test/bank-factories'
import { anOfficer } from '#test/factories'
import { valuesOf } from '#test/rows'
import { beforehand, testServer } from '#test/server'

const now = new Date('2026-11-21T06:00:00Z')
const server = beforehand(() => testServer({ clock: () => now }))
const officer = beforehand(() => anOfficer('accounts'))

const csv = (text: string) => ({ name: 's.csv', bytes: new TextEncoder().encode(text) })

test("a statement's columns are guessed; outgoing money and the total are skipped", async () => {
  const utr = aUtr()
  const { look, imported } = await anImport(server, officer.token, [
    { narration: `ONE ${utr}`, amount: 1_24_500.5, utr, day: '18/11/2026' },
  ])
  assert.deepEqual(
    [
      look.headingRow,
      look.lines,
      look.amount,
      look.outgoing,
      look.unreadRows,
      look.accountNo,
      look.mapping.order,
    ],
    [3, 1, 124_500.5, 1, 0, feesAccount, 'dmy'],
  )
  assert.deepEqual([imported.lines, imported.fresh], [1, 1])
  const line = await lineWith(server, officer.token, utr)
  assert.deepEqual([line.day, line.amount, line.utr, line.state], ['2026-11-18', 124_500.5, utr, 'unknown'])
})

test('columns in any order and amounts with Cr or Dr are read, and the mapping is remembered for these headings', async () => {
  const [utr, otherUtr] = [aUtr(), aUtr()]
  const file = (utr: string) =>
    csv(
      `Dr / Cr;Betrag;Wann;Wofür;Nummer\nCR;"1,500.00";18-Nov-26;Fees ${utr};${utr}\nDR;20.00;18-Nov-26;Charges;1`,
    )
  const mapping = {
    day: 2,
    narration: 3,
    utr: 4,
    credit: -1,
    debit: -1,
    amount: 1,
    sign: 0,
    order: 'dmy' as const,
  }
  const first = await importFile(server, officer.token, file(utr), mapping)
  assert.deepEqual([first.look.lines, first.look.outgoing, first.imported.fresh], [1, 1, 1])
  const second = await importFile(server, officer.token, file(otherUtr))
  assert.deepEqual([second.look.remembered, second.look.mapping, second.imported.fresh], [true, mapping, 1])
})

test('a credit whose amount can not be read is listed as unread, and a dash or “nil” is no amount', async () => {
  const text = `Date,Narration,Ref No,Debit,Credit,Balance
18/11/2026,FEES A,,-,"1 250,00",\n18/11/2026,FEES B,,nil,500.00,\n18/11/2026,CHARGES,,11.80,-,\n18/11/2026,NOTE,,,,`
  const { look } = await importFile(server, officer.token, csv(text))
  assert.deepEqual([look.lines, look.outgoing, valuesOf(look.unread, 'row')], [1, 1, [2]])
})

test('unknown headings are those above the first transaction; a file without any loses no line', async () => {
  const [utr, other] = [aUtr(), aUtr()]
  const above = `Sample Bank,,\nAccount,${feesAccount},\nWann,Wofür,Betrag\n`
  const rows = `18/11/2026,Fees ${utr},"1,500.00"\n18/11/2026,Fees ${other},20.00`
  const preview = async (text: string, mapping?: string) => {
    const query = mapping ? { mapping } : {}
    return (await server.call(previewStatement, { query }, { token: officer.token, file: csv(text) })).body
  }
  const unknown = await preview(above + rows)
  assert.deepEqual(
    [unknown.headings, unknown.headingRow, unknown.lines, unknown.accountNo],
    [['Wann', 'Wofür', 'Betrag'], 3, 0, feesAccount],
  )
  assert.equal((await preview(rows, '0.1.-1.2.-1.-1.-1.dmy')).lines, 2)
  assert.equal((await preview(`Txn Dt,Remarks,Cr Amt\n${rows}`)).lines, 2)
})

test('an Excel statement is read like a CSV one', async () => {
  const utr = aUtr()
  const columns = [
    { title: 'Value Date', kind: 'date' },
    { title: 'Particulars' },
    { title: 'Deposits', kind: 'money' },
  ] as const
  const chunks: Buffer[] = []
  for await (const chunk of writeXlsx('Statement', columns, [['2026-11-18', `NEFT ${utr}`, 500.25]]))
    chunks.push(Buffer.from(chunk))
  const file = { name: 's.xlsx', bytes: new Uint8Array(Buffer.concat(chunks)) }
  const { look } = await importFile(server, officer.token, file)
  assert.deepEqual([look.lines, look.amount, look.firstDay], [1, 500.25, '2026-11-18'])
})

test('a repeated or overlapping statement adds only new lines, and equal transfers of one day stay two', async () => {
  const [utr, otherUtr] = [aUtr(), aUtr()]
  const twins = { narration: `CASH ${utr}`, amount: 500 }
  const first = await anImport(server, officer.token, [twins, twins])
  assert.deepEqual([first.imported.fresh, first.imported.known], [2, 0])
  const again = await anImport(server, officer.token, [twins, twins])
  assert.deepEqual([again.imported.fresh, again.imported.known], [0, 2])
  const overlapping = await anImport(server, officer.token, [
    twins,
    twins,
    { narration: `CASH ${otherUtr}`, amount: 500 },
  ])
  assert.deepEqual([overlapping.imported.fresh, overlapping.imported.known], [1, 2])
})

test('two simultaneous imports of one file save its lines once; sent again with its key, it is one statement', async () => {
  const utr = aUtr()
  const file = csv(aStatementFile([{ narration: `CASH ${utr}`, amount: 5 }]))
  const query = { mapping: '0.1.2.4.3.-1.-1.dmy', accountNo: feesAccount }
  const send = (headers = {}) =>
    server.call(importStatement, { query }, { token: officer.token, file, headers })
  const [one, two] = await Promise.all([send(), send()])
  assert.equal(one.body.fresh + two.body.fresh, 1)
  const key = { 'idempotency-key': `statement-${utr}` }
  assert.deepEqual((await send(key)).body, (await send(key)).body)
})

test('a statement of an unknown account, without columns or without lines is refused', async () => {
  const send = async (mapping: string, accountNo: string, text: string) =>
    (
      await server.call(
        importStatement,
        { query: { mapping, accountNo } },
        { token: officer.token, file: csv(text) },
      )
    ).body
  const text = aStatementFile([{ narration: 'X', amount: 5 }])
  const good = '0.1.2.4.3.-1.-1.dmy'
  assert.equal((await send(good, '999', text)).code, 'bank.unknown_account')
  assert.equal((await send('-1.1.2.4.3.-1.-1.dmy', feesAccount, text)).code, 'bank.no_columns')
  assert.equal(
    (await send(good, feesAccount, 'Date,Narration,Ref,Debit,Credit\nTotal,,,,')).code,
    'bank.no_lines',
  )
})

test('a column mapping is written as one short text', () => {
  assert.equal(
    mappingText({ day: 0, narration: 1, utr: -1, credit: 3, debit: 2, amount: -1, sign: -1, order: 'dmy' }),
    '0.1.-1.3.2.-1.-1.dmy',
  )
})
