import { aStatementFile, aUtr, feesAccount, importFile, type Transfer } from '../bank-factories.ts'
import { anOfficer, aSchool, aTeacher } from '../factories.ts'
import { aPendingPayment, aProof } from '../payments-factories.ts'
import { anEnteredStudent } from '../students-factories.ts'
import { textFile } from './ask.ts'
import type { RecipeContext, Recipes } from './world.ts'

async function aPayment({ server }: RecipeContext) {
  return { id: (await aPendingPayment(server)).id, version: 1 }
}

async function somePayments(ctx: RecipeContext) {
  return { payments: [await aPayment(ctx)] }
}

async function paymentsToAssign(ctx: RecipeContext) {
  return { kind: 'payment', ids: [(await aPayment(ctx)).id], staffId: (await anOfficer('accounts')).id }
}

const aStatementOf = (transfer: Transfer) => textFile('statement.csv', aStatementFile([transfer]))

/** Returns a statement with one unknown transfer. */
const aFile = () => aStatementOf({ narration: `CREDIT ${aUtr()}`, amount: 800 })

const importTransfer = ({ server, owner }: RecipeContext, transfer: Transfer) =>
  importFile(server, owner.token ?? '', aStatementOf(transfer))

/** Imports a statement with one transfer; returns its line. */
async function aLineOf(ctx: RecipeContext, transfer: Transfer) {
  await importTransfer(ctx, transfer)
  return ctx.seen('bank_lines', `narration like '%${transfer.narration}%'`)
}

const aLine = (ctx: RecipeContext) => aLineOf(ctx, { narration: `CREDIT ${aUtr()}`, amount: 800 })

/** Imports a statement with a transfer that names a payment's reference and amount. */
async function anExactLine(ctx: RecipeContext) {
  const { id } = await aPendingPayment(ctx.server)
  const { reference, payable } = await ctx.row<{ reference: string; payable: number }>(
    `select reference, payable from payments where id = ${id}`,
  )
  return aLineOf(ctx, { narration: `NEFT ${reference}`, amount: payable / 100, utr: aUtr() })
}

/** Returns a line to be booked as a school's credit. */
async function aLineToBook(ctx: RecipeContext) {
  const { id: schoolId } = await aSchool()
  return { ...(await aLine(ctx)), parts: [], credits: [{ schoolId, amount: 800 }], schoolId }
}

async function aBookedLine(ctx: RecipeContext) {
  const line = await aLineToBook(ctx)
  await ctx.done('POST office/bank/book', { ...line, undoable: true })
  return ctx.seen('bank_lines', line.id)
}

async function aDiscardedLine(ctx: RecipeContext) {
  const line = await aLine(ctx)
  await ctx.done('POST office/bank/discard', { lines: [line] })
  return ctx.seen('bank_lines', line.id)
}

/** Creates a school with a credit, part of which may be refunded. */
async function aCreditedSchool(ctx: RecipeContext) {
  const { schoolId, ...line } = await aLineToBook(ctx)
  await ctx.done('POST office/bank/book', line)
  return { schoolId, amount: 50 }
}

const toPayByHand = { payTo: 'A/c 123' }
const toAnAccount = {
  account: { accountName: 'Kalpanik Public School', accountNo: '000011112222', ifsc: 'SSBX0000417' },
}

/** Creates a refund proposed by another officer, who may withdraw it. */
async function aProposedRefund(ctx: RecipeContext, to: object = toPayByHand) {
  const caller = await anOfficer('accounts')
  const { id } = await ctx.done('POST office/credits/propose', {
    ...(await aCreditedSchool(ctx)),
    ...to,
    caller,
  })
  return { id, caller }
}

async function anApprovedRefund(ctx: RecipeContext) {
  const { id } = await aProposedRefund(ctx, toAnAccount)
  await ctx.done('POST office/credits/decide', { id })
  return { id, utr: aUtr() }
}

/** Creates a statement with balances and one line, which is ignored. */
async function aStatement(ctx: RecipeContext) {
  const { id: line } = await aDiscardedLine(ctx)
  const { id, due } = await ctx.row<{ id: number; due: number }>(
    `update bank_statements set balances_read = false
     where id = (select statement_id from bank_lines where id = ${line})
     returning id, incoming - outgoing_amount as due`,
  )
  return { id, opening: 0, closing: due / 100 }
}

/** Only one change of account may be pending at a time: an existing one is withdrawn first. */
async function anAccount(ctx: RecipeContext) {
  await ctx.row(
    `with gone as (update bank_account_changes set state = 'withdrawn' where state = 'proposed') select 1`,
  )
  return { purpose: 'registration', accountNo: `9${aUtr()}`, ifsc: 'SSBX0000417' }
}

async function aProposedAccount(ctx: RecipeContext) {
  const caller = await anOfficer('accounts')
  await ctx.done('POST office/accounts/propose', { ...(await anAccount(ctx)), caller })
  return { id: await ctx.newest('bank_account_changes'), caller }
}

async function aStudentToWaive({ server }: RecipeContext) {
  const caller = await aTeacher()
  const { id: studentId } = await anEnteredStudent(server, caller)
  return { caller, studentId, attechment: await aProof(), attechmentName: 'letter.png' }
}

async function aRequestedWaiver(ctx: RecipeContext) {
  const { id } = await ctx.done('POST ManageStudent/AskWaiver', await aStudentToWaive(ctx))
  return { id }
}

interface Day {
  day: string
  seen: string
  can: { close: unknown }
}

async function daysToClose(ctx: RecipeContext) {
  const { data } = await ctx.done('GET office/closing/days')
  return (data as Day[]).filter(({ can }) => can.close === true).map(({ day, seen }) => ({ day, seen }))
}

/** Recipes for payments, bank statements, credits, closings, accounts and waivers. */
export const moneyRecipes: Recipes = {
  'POST office/payments/verify': aPayment,
  'POST office/payments/reject': aPayment,
  'POST office/payments/reopen': async (ctx) => {
    const { id } = await ctx.done('POST office/payments/reject', {
      ...(await aPayment(ctx)),
      reason: 'By mistake',
    })
    return { id, version: 2 }
  },
  'POST office/assignments/assign': paymentsToAssign,
  'POST office/assignments/look': paymentsToAssign,
  'POST office/payments/verifyMany': somePayments,
  'POST office/payments/verifyExact': async (ctx) => {
    await anExactLine(ctx)
    return { payments: [await ctx.seen('payments', await ctx.newest('payments'))] }
  },
  'POST office/payments/rejectMany': somePayments,
  'POST office/bank/look': () => ({ upload: aFile() }),
  'POST office/bank/import': async (ctx) => {
    const upload = aFile()
    const { mapping } = await ctx.done('POST office/bank/look', { upload })
    const columns = ['day', 'narration', 'utr', 'credit', 'debit', 'amount', 'sign', 'order']
    const columnOf = mapping as Record<string, string | number>
    return { mapping: columns.map((name) => columnOf[name]).join('.'), accountNo: feesAccount, upload }
  },
  'GET office/bank/job': async (ctx) => {
    await aLine(ctx)
    return ctx.row<{ jobId: string }>(
      'select job_id as "jobId" from bank_statements where job_id is not null order by id desc limit 1',
    )
  },
  'POST office/bank/book': aLineToBook,
  'POST office/bank/undo': aBookedLine,
  'POST office/bank/undoMany': async (ctx) => ({ lines: [await aBookedLine(ctx)] }),
  'POST office/bank/reconcile': aStatement,
  'POST office/bank/reopenStatement': async (ctx) => {
    const statement = await aStatement(ctx)
    await ctx.done('POST office/bank/reconcile', statement)
    return { id: statement.id }
  },
  'POST office/bank/bookExact': async (ctx) => ({ lines: [await anExactLine(ctx)] }),
  'POST office/bank/discard': async (ctx) => ({ lines: [await aLine(ctx)] }),
  'GET office/bank/rulePreview': () => ({ contains: 'INTEREST' }),
  'POST office/bank/rule': () => ({ contains: `INTEREST ${aUtr()}` }),
  'POST office/bank/revokeRule': async (ctx) => ({
    id: (await ctx.done('POST office/bank/rule', { contains: aUtr() })).id,
  }),
  'POST office/bank/returned': async (ctx) => {
    const line = await anExactLine(ctx)
    const { payment, amount, utr, day } = await ctx.row<{
      payment: number
      amount: number
      utr: string
      day: string
    }>(
      `select max(p.id)::int as payment, l.amount, l.utr, to_char(l.day, 'DD/MM/YYYY') as day
       from payments p, bank_lines l where l.id = ${line.id} group by l.id`,
    )
    const parts = [{ key: `p${payment}`, amount: amount / 100 }]
    await ctx.done('POST office/bank/book', { ...line, parts, credits: [], used: [] })
    await importTransfer(ctx, { narration: 'RTN', amount: -amount / 100, utr, day })
    return { ...(await ctx.seen('bank_lines', line.id)), decision: 'reverse' }
  },
  'POST office/bank/reopen': async (ctx) => ({ lines: [await aDiscardedLine(ctx)] }),
  'POST office/bank/match': () => ({}),
  'POST office/closing/close': async (ctx) => ({ ...(await daysToClose(ctx))[0] }),
  'POST office/closing/closeMany': async (ctx) => ({ days: (await daysToClose(ctx)).slice(0, 1) }),
  'POST office/closing/export': () => ({ from: '2026-11-01', until: '2026-11-20', format: 'csv' }),
  'POST office/credits/propose': async (ctx) => ({ ...(await aCreditedSchool(ctx)), ...toPayByHand }),
  'POST office/credits/decide': async (ctx) => ({ id: (await aProposedRefund(ctx)).id }),
  'POST office/credits/pay': anApprovedRefund,
  'POST office/credits/return': anApprovedRefund,
  'POST office/credits/transfers': async (ctx) => {
    await anApprovedRefund(ctx)
    return { again: true }
  },
  'POST office/credits/withdraw': (ctx) => aProposedRefund(ctx),
  'POST office/accounts/propose': anAccount,
  'POST office/accounts/decide': async (ctx) => ({ id: (await aProposedAccount(ctx)).id }),
  'POST office/accounts/withdraw': aProposedAccount,
  'POST office/accounts/stop': async (ctx) => {
    const { id } = await aProposedAccount(ctx)
    await ctx.done('POST office/accounts/decide', { id })
    return { id }
  },
  'POST office/waivers/ask': async (ctx) => {
    const { caller: _, ...waiver } = await aStudentToWaive(ctx)
    return waiver
  },
  'POST office/waivers/approve': async (ctx) => {
    const waiver = await aRequestedWaiver(ctx)
    const { data } = await ctx.done('GET office/waivers/list', { sort: 'amount' })
    const rows = data as { id: number; amount: number }[]
    return { ...waiver, amount: rows.find(({ id }) => id === waiver.id)?.amount }
  },
  'POST office/waivers/decline': aRequestedWaiver,
  'POST ManageStudent/AskWaiver': aStudentToWaive,
  'POST ManageStudent/WithdrawWaiver': async (ctx) => {
    const waiver = await aStudentToWaive(ctx)
    const { id } = await ctx.done('POST ManageStudent/AskWaiver', waiver)
    return { id, caller: waiver.caller }
  },
}
