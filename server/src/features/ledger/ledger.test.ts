import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { bookLine } from '@podium/contract/bank/calls'
import { decideRefund, payRefund, proposeRefund } from '@podium/contract/bank/calls-credits'
import { exportLedger, officeLedger, officeStatement } from '@podium/contract/ledger/calls'
import { accountStatement } from '@podium/contract/ledger/calls-statement'
import { verifyPayment } from '@podium/contract/payments/calls-verification'
import { anImport, aUtr, lineWith } from '#test/bank-factories'
import { aDay, anOfficer, thisSeason } from '#test/factories'
import { readable } from '#test/file-call'
import { ledgerHolds, ledgerRow } from '#test/ledger-checks'
import { aPendingPayment, aSchoolThatOwes, aStudent } from '#test/payments-factories'
import { pdfText } from '#test/pdf-text'
import { type TestServer, testServer } from '#test/server'

let server: TestServer
let officer: { token: string; id: number }
let second: { token: string; id: number }
before(async () => {
  server = await testServer({ clock: () => aDay })
  officer = await anOfficer('accounts')
  second = await anOfficer('owner')
})

const list = async (query: Partial<Parameters<typeof pageOf>[0]> = {}) => (await pageOf(query)).body
const pageOf = (query: {
  search?: string
  state?: string
  standing?: 'owes' | 'credit' | 'even' | 'verifying'
  page?: string
  sort?: 'balance' | 'name'
}) => server.call(officeLedger, { query: { FYear: thisSeason, ...query } }, officer)

const verify = async (id: number) => {
  const { status } = await server.call(verifyPayment, { body: { id, version: 1 } }, officer)
  assert.equal(status, 200)
}

/** So many rupees arrive, and stand to the school's credit. */
async function credited(schoolId: number, amount: number) {
  const text = aUtr()
  await anImport(server, officer.token, [{ narration: `LEDGER ${text}`, amount }])
  const { id, version } = await lineWith(server, officer.token, `LEDGER ${text}`)
  const body = { id, version, parts: [], credits: [{ schoolId, amount }] }
  assert.equal((await server.call(bookLine, { body }, officer)).status, 200)
}

/** What a call answers with a file. */
async function fileOf(path: string, body?: object): Promise<Buffer> {
  const answer = await fetch(server.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${officer.token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  assert.equal(answer.status, 200)
  return Buffer.from(await answer.arrayBuffer())
}

test('the office sees of each school what its statement adds up to, after every step of its money', async () => {
  const { school, teacher, id } = await aPendingPayment(server, 3, { books: 1 })
  const holds = () => ledgerHolds(server, officer, { ...teacher, schoolId: school.id })
  await holds()
  assert.equal((await ledgerRow(server, officer, school.id))?.verifying, 3 * 150)
  await verify(id)
  await holds()
  await credited(school.id, 800)
  await holds()
  const proposal = { schoolId: school.id, amount: 50, payTo: 'A/c 123', reason: 'Asked for' }
  const { body } = await server.call(proposeRefund, { body: proposal }, officer)
  await holds()
  await server.call(decideRefund, { body: { id: body.id, approve: true } }, second)
  await holds()
  await server.call(payRefund, { body: { id: body.id, utr: aUtr() } }, officer)
  await holds()
  await server.deps.db
    .updateTable('students')
    .set({ active: false })
    .where('school_id', '=', school.id)
    .execute()
  await holds()
  const row = await ledgerRow(server, officer, school.id)
  assert.deepEqual(
    [row?.students, row?.gross, row?.retained, row?.payable, row?.paid, row?.credit, row?.balance],
    [0, 525, 75, 450, 450, 750, -750],
  )
})

test('schools are found by name, standing and balance, and the sums are those of all that is found', async () => {
  const name = `Kaveri ${aUtr()}`
  const worlds = []
  for (let n = 1; n <= 3; n++) worlds.push(await aSchoolThatOwes(n))
  const ids = worlds.map(({ school }) => school.id)
  for (const id of ids)
    await server.deps.db
      .updateTable('schools')
      .set({ name, name_key: name.toLowerCase() })
      .where('id', '=', id)
      .execute()
  const paid = await aPendingPayment(server, 1)
  await server.deps.db
    .updateTable('schools')
    .set({ name, name_key: name.toLowerCase() })
    .where('id', '=', paid.school.id)
    .execute()
  const waiting = await list({ search: name, standing: 'verifying' })
  assert.deepEqual(
    waiting.data.map(({ schoolId }) => schoolId),
    [paid.school.id],
  )
  await verify(paid.id)
  const every = await list({ search: name, sort: 'balance' })
  assert.deepEqual(
    every.data.map(({ balance }) => balance),
    [450, 300, 150, 0],
  )
  assert.deepEqual(
    [
      every.total,
      every.sums.students,
      every.sums.gross,
      every.sums.retained,
      every.sums.paid,
      every.sums.balance,
    ],
    [4, 7, 1225, 175, 150, 900],
  )
  const owing = await list({ search: name, standing: 'owes' })
  assert.deepEqual([owing.total, owing.sums.balance, owing.sums.paid], [3, 900, 0])
  assert.equal((await list({ search: name, standing: 'even' })).total, 1)
  assert.equal((await list({ search: name, standing: 'credit' })).total, 0)
  const beyond = await list({ search: name, page: '2' })
  assert.deepEqual([beyond.data.length, beyond.total, beyond.sums.balance], [0, 4, 900])
  assert.equal((await list({ search: '%' })).total, 0)
})

test('what schools do while the office counts is in the next count: no change is lost', async () => {
  const { school, teacher } = await aSchoolThatOwes(1)
  const who = { ...teacher, schoolId: school.id }
  await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      if (n % 3 === 0) await list({ search: school.code })
      else await aStudent({ schoolId: school.id, letters: n % 2 ? ['M'] : ['M', 'S'] })
    }),
  )
  await ledgerHolds(server, officer, who)
  assert.equal((await ledgerRow(server, officer, school.id))?.students, 9)
})

test('the file holds every school that is filtered with its sums, leaves a line in the record and starts no formula', async () => {
  const { school } = await aSchoolThatOwes(2)
  const name = `=HYPERLINK("https://x.example","${aUtr()}")`
  await server.deps.db.updateTable('schools').set({ name }).where('id', '=', school.id).execute()
  const body = { FYear: thisSeason, search: school.code, format: 'csv' }
  const [, line] = readable((await fileOf(exportLedger.path, body)).toString()).split('\r\n')
  assert.match(line ?? '', new RegExp(`^${school.code},"'=HYPERLINK`))
  assert.match(line ?? '', /,2,350(\.00)?,50(\.00)?,300(\.00)?,0(\.00)?,/)
  const told = await server.deps.db
    .selectFrom('audit')
    .select('change')
    .where('action', '=', 'ledger.exported')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  assert.equal((told.change as { schools: number }).schools, 1)
})

test('the statement of a school is the PDF that the school gets; of no school there is none', async () => {
  const { school } = await aSchoolThatOwes(2)
  const pdf = await fileOf(`${officeStatement.path}?schoolId=${school.id}&FYear=${thisSeason}`)
  const text = pdfText(pdf)
  for (const words of ['Fee statement', school.code]) assert.ok(text.includes(words), words)
  const query = { schoolId: '99999999', FYear: thisSeason }
  const none = await server.call(officeStatement, { query }, officer)
  assert.equal(none.status, 404)
})

test('who may read payments reads the ledger; results staff, schools and strangers do not', async () => {
  const { token } = await aSchoolThatOwes(1)
  const call = (who?: { token: string }) => server.call(officeLedger, { query: { FYear: thisSeason } }, who)
  assert.equal((await call(await anOfficer('viewer'))).status, 200)
  assert.equal((await call(await anOfficer('results'))).status, 403)
  assert.notEqual((await call({ token })).status, 200)
  assert.equal((await call()).status, 401)
  const own = await server.call(accountStatement, { query: { FYear: thisSeason } }, officer)
  assert.notEqual(own.status, 200)
})
