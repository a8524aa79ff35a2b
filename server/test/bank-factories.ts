import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { bankLineDetails, bankLines, bookLine } from '@podium/contract/bank/calls'
import {
  importStatement,
  mappingText,
  previewStatement,
  type StatementMapping,
} from '@podium/contract/bank/calls-statements'
import { officePaymentDetails } from '@podium/contract/payments/calls-verification'
import { testDatabase } from './database.ts'
import { thisSeason } from './factories.ts'
import { aFoundation, aPendingPayment } from './payments-factories.ts'
import type { TestServer } from './server.ts'

/** A transfer on a statement; the amount in rupees, negative for money out. */
export interface Transfer {
  narration: string
  amount: number
  /** `18/11/2026` */
  day?: string
  utr?: string
}

export const feesAccount = '000012345678'

/** Returns a UTR of twelve digits that no other test has. */
export const aUtr = (): string => String(randomInt(1e11, 9.9e11))

/** Returns a statement as a bank writes it: rows above the headings, money out among money in, a total below. */
export function aStatementFile(transfers: readonly Transfer[]): string {
  const rows = transfers.map(
    ({ day = '19/11/2026', narration, utr = '', amount }) =>
      `${day},"${narration}",${utr},${amount < 0 ? `"${-amount.toFixed(2)}",` : `,"${amount.toFixed(2)}"`},1000.00`,
  )
  return [
    'Sahyadri Sample Bank,,,,,',
    `Account No,0000 1234 5678,,,,`,
    'Txn Date,Narration,Ref No,Withdrawal Amt,Deposit Amt,Balance',
    ...rows,
    '19/11/2026,NEFT CHARGES,,11.80,,988.20',
    ',Total,,11.80,1.00,',
  ].join('\r\n')
}

const bytes = (text: string) => new TextEncoder().encode(text)

/** Imports a statement of these transfers with the guessed columns, and lets the matching run. */
export async function anImport(server: TestServer, token: string, transfers: readonly Transfer[]) {
  await aFoundation()
  const file = { name: 'statement.csv', bytes: bytes(aStatementFile(transfers)) }
  return importFile(server, token, file)
}

export async function importFile(
  server: TestServer,
  token: string,
  file: { name: string; bytes: Uint8Array<ArrayBuffer> },
  mapping?: StatementMapping,
) {
  const look = await server.call(
    previewStatement,
    mapping ? { query: { mapping: mappingText(mapping) } } : {},
    { token, file },
  )
  if (look.body.result !== 'success') throw new Error(look.body.message)
  const query = { mapping: mappingText(look.body.mapping), accountNo: feesAccount }
  const imported = await server.ask(importStatement, query, { token, file })
  await server.jobs.drain()
  return { look: look.body, imported: imported }
}

/** Returns the statement line whose narration contains this text. */
export async function lineWith(server: TestServer, token: string, text: string) {
  const { db } = await testDatabase()
  const { id } = await db
    .selectFrom('bank_lines')
    .select('id')
    .where('narration', 'like', `%${text}%`)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return (await server.ask(bankLineDetails, { id: String(id) }, { token })).line
}

/** Creates a pending payment, and the line that matches its reference exactly. */
export async function anExactLine(server: TestServer, officer: { token: string }) {
  const utr = aUtr()
  const world = await aPendingPayment(server, 2)
  const { reference } = (await server.ask(officePaymentDetails, { id: String(world.id) }, officer)).payment
  await anImport(server, officer.token, [{ narration: `NEFT ${reference} ${utr}`, amount: world.payable }])
  const line = await lineWith(server, officer.token, utr)
  assert.equal(line.state, 'exact')
  return { ...world, utr, line }
}

/** Has this many rupees arrive at the bank, and books them as a school's credit. */
export async function aCredit(
  server: TestServer,
  officer: { token: string },
  schoolId: number,
  amount: number,
) {
  const text = `CREDIT ${aUtr()}`
  await anImport(server, officer.token, [{ narration: text, amount }])
  const { id, version } = await lineWith(server, officer.token, text)
  const body = { id, version, parts: [], credits: [{ schoolId, amount }] }
  const { credited } = await server.ask(bookLine, body, officer)
  assert.equal(credited, amount)
}

/** Lists the lines of a statement. */
export async function linesOf(
  server: TestServer,
  token: string,
  statement: number,
  state: 'exact' | 'booked' = 'exact',
) {
  const query = { FYear: thisSeason, statement: String(statement), state }
  return await server.ask(bankLines, query, { token })
}
