import { aStatementFile, aUtr, feesAccount, importFile } from '../bank-factories.ts'
import { anOfficer, aSchool, aTeacher, thisSeason } from '../factories.ts'
import { aPendingPayment, aProof } from '../payments-factories.ts'
import { anEnteredStudent } from '../students-factories.ts'
import type { RecipeContext, Recipes } from './world.ts'

const FYear = thisSeason
const bytes = (text: string) => new TextEncoder().encode(text)

async function aPayment({ server }: RecipeContext) {
  return { id: (await aPendingPayment(server)).id, version: 1 }
}

/** Imports a statement with one unknown transfer; returns the line. */
async function aLine(ctx: RecipeContext, amount = 800) {
  const narration = `CREDIT ${aUtr()}`
  const file = { name: 'statement.csv', bytes: bytes(aStatementFile([{ narration, amount }])) }
  await importFile(ctx.server, ctx.owner.token ?? '', file)
  return ctx.seen('bank_lines', `narration like '%${narration}%'`)
}

/** Imports a statement with a transfer that names a payment's reference and amount. */
async function anExactLine(ctx: RecipeContext) {
  const { id } = await aPendingPayment(ctx.server)
  const { reference, payable } = await ctx.row<{ reference: string; payable: number }>(
    `select reference, payable from payments where id = ${id}`,
  )
  const transfers = [{ narration: `NEFT ${reference}`, amount: payable / 100, utr: aUtr() }]
  const file = { name: 'statement.csv', bytes: bytes(aStatementFile(transfers)) }
  await importFile(ctx.server, ctx.owner.token ?? '', file)
  return ctx.seen('bank_lines', `narration like '%${reference}%'`)
}

const someFile = () => ({
  name: 'statement.csv',
  bytes: bytes(aStatementFile([{ narration: `CREDIT ${aUtr()}`, amount: 800 }])),
})

async function aDiscardedLine(ctx: RecipeContext) {
  const line = await aLine(ctx)
  await ctx.done('POST office/bank/discard', { body: { lines: [line], reason: 'Not ours' } })
  return ctx.seen('bank_lines', `id = ${line.id}`)
}

/** Creates a school with a credit and a refund of part of it, proposed by another officer. */
async function aCreditedSchool(ctx: RecipeContext) {
  const { id: schoolId } = await aSchool()
  const line = await aLine(ctx)
  await ctx.done('POST office/bank/book', {
    body: { ...line, parts: [], credits: [{ schoolId, amount: 800 }] },
  })
  return { schoolId, amount: 50, payTo: 'A/c 123', reason: 'Asked for' }
}

async function aProposedRefund(ctx: RecipeContext) {
  const as = await anOfficer('accounts')
  const { id } = await ctx.done('POST office/credits/propose', { body: await aCreditedSchool(ctx), as })
  return { id, as }
}

async function anApprovedRefund(ctx: RecipeContext) {
  const { payTo: _, ...body } = await aCreditedSchool(ctx)
  const account = { accountName: 'Kalpanik Public School', accountNo: '000011112222', ifsc: 'SSBX0000417' }
  const as = await anOfficer('accounts')
  const { id } = await ctx.done('POST office/credits/propose', { body: { ...body, account }, as })
  await ctx.done('POST office/credits/decide', { body: { id, approve: true } })
  return Number(id)
}

/** Creates a statement with balances and one line, which is ignored. */
async function aStatement(ctx: RecipeContext) {
  const { id } = await aDiscardedLine(ctx)
  const { statement } = await ctx.row<{ statement: number }>(
    `with s as (update bank_statements set balances_read = false
       where id = (select statement_id from bank_lines where id = ${id}) returning id) select id as statement from s`,
  )
  const { due } = await ctx.row<{ due: number }>(
    `select incoming - outgoing_amount as due from bank_statements where id = ${statement}`,
  )
  return { id: statement, opening: 0, closing: due / 100 }
}

const anAccount = () => ({
  purpose: 'registration',
  accountName: 'Podium Foundation',
  bankName: 'Sahyadri Sample Bank',
  accountNo: `9${aUtr()}`,
  ifsc: 'SSBX0000417',
  reason: 'A new branch',
})

/** Only one change of account may be pending at a time: an existing one is withdrawn first. */
async function proposedAccount(ctx: RecipeContext) {
  const as = await anOfficer('accounts')
  await ctx.row(
    `with gone as (update bank_account_changes set state = 'withdrawn' where state = 'proposed') select 1`,
  )
  await ctx.done('POST office/accounts/propose', { body: anAccount(), as })
  const { id } = await ctx.row<{ id: number }>('select max(id) as id from bank_account_changes')
  return { id, as }
}

async function waiverBody() {
  return { reason: 'No income this year.', attechment: await aProof(), attechmentName: 'letter.png' }
}

async function aRequestedWaiver(ctx: RecipeContext) {
  const as = await aTeacher()
  const { id: studentId } = await anEnteredStudent(ctx.server, as)
  const { id } = await ctx.done('POST ManageStudent/AskWaiver', {
    body: { studentId, ...(await waiverBody()) },
    as,
  })
  return { id: Number(id), version: 1 }
}

/** Recipes for payments, bank statements, credits, closings, accounts and waivers. */
export const moneyRecipes: Recipes = {
  'POST office/payments/verify': async (ctx) => ({ body: await aPayment(ctx) }),
  'POST office/payments/reject': async (ctx) => ({ body: { ...(await aPayment(ctx)), reason: 'Not ours' } }),
  'POST office/assignments/assign': async (ctx) => {
    const staffId = (await anOfficer('accounts')).id
    return { body: { kind: 'payment', ids: [(await aPayment(ctx)).id], staffId } }
  },
  'POST office/assignments/look': async (ctx) => ({
    body: { kind: 'payment', ids: [(await aPayment(ctx)).id] },
  }),
  'POST office/payments/verifyMany': async (ctx) => ({ body: { payments: [await aPayment(ctx)] } }),
  'POST office/payments/verifyExact': async (ctx) => {
    await anExactLine(ctx)
    const { id } = await ctx.row<{ id: number }>('select max(id) as id from payments')
    return { body: { payments: [await ctx.seen('payments', `id = ${id}`)] } }
  },
  'POST office/payments/rejectMany': async (ctx) => ({
    body: { payments: [await aPayment(ctx)], reason: 'Not ours' },
  }),
  'POST office/bank/look': () => ({ file: someFile() }),
  'POST office/bank/import': async (ctx) => {
    const file = someFile()
    const { mapping } = await ctx.done('POST office/bank/look', { file })
    const columns = ['day', 'narration', 'utr', 'credit', 'debit', 'amount', 'sign', 'order']
    const columnOf = mapping as Record<string, string | number>
    return {
      query: { mapping: columns.map((name) => columnOf[name]).join('.'), accountNo: feesAccount },
      file,
    }
  },
  'GET office/bank/job': async (ctx) => {
    await aLine(ctx)
    const { id } = await ctx.row<{ id: string }>(
      'select job_id as id from bank_statements where job_id is not null order by id desc limit 1',
    )
    return { query: { jobId: id } }
  },
  'POST office/bank/book': async (ctx) => {
    const line = await aLine(ctx)
    return { body: { ...line, parts: [], credits: [{ schoolId: (await aSchool()).id, amount: 800 }] } }
  },
  'POST office/bank/undo': async (ctx) => {
    const line = await aLine(ctx)
    const credits = [{ schoolId: (await aSchool()).id, amount: 800 }]
    await ctx.done('POST office/bank/book', { body: { ...line, parts: [], credits, undoable: true } })
    return { body: await ctx.seen('bank_lines', `id = ${line.id}`) }
  },
  'POST office/bank/undoMany': async (ctx) => {
    const line = await aLine(ctx)
    const credits = [{ schoolId: (await aSchool()).id, amount: 800 }]
    await ctx.done('POST office/bank/book', { body: { ...line, parts: [], credits, undoable: true } })
    return { body: { lines: [await ctx.seen('bank_lines', `id = ${line.id}`)] } }
  },
  'POST office/bank/reconcile': async (ctx) => ({ body: await aStatement(ctx) }),
  'POST office/bank/reopenStatement': async (ctx) => {
    const body = await aStatement(ctx)
    await ctx.done('POST office/bank/reconcile', { body })
    return { body: { id: body.id, reason: 'Closed too early' } }
  },
  'POST office/bank/bookExact': async (ctx) => ({ body: { lines: [await anExactLine(ctx)] } }),
  'POST office/bank/discard': async (ctx) => ({ body: { lines: [await aLine(ctx)], reason: 'Not ours' } }),
  'GET office/bank/rulePreview': async () => ({ query: { contains: 'INTEREST' } }),
  'POST office/bank/rule': async () => ({ body: { contains: `INTEREST ${aUtr()}`, reason: 'Interest' } }),
  'POST office/bank/revokeRule': async (ctx) => ({
    body: {
      id: (await ctx.done('POST office/bank/rule', { body: { contains: aUtr(), reason: 'Interest' } })).id,
    },
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
    await ctx.done('POST office/bank/book', { body: { ...line, parts, credits: [], used: [] } })
    const out = [{ narration: 'RTN', amount: -amount / 100, utr, day }]
    const file = { name: 'statement.csv', bytes: bytes(aStatementFile(out)) }
    await importFile(ctx.server, ctx.owner.token ?? '', file)
    const seen = await ctx.seen('bank_lines', `id = ${line.id}`)
    return { body: { ...seen, decision: 'reverse', reason: 'Returned by the bank' } }
  },
  'POST office/bank/reopen': async (ctx) => ({ body: { lines: [await aDiscardedLine(ctx)] } }),
  'POST office/bank/match': async () => ({}),
  'POST office/closing/close': async (ctx) => {
    const { day } = await ctx.row<{ day: string }>(
      `select min((decided_at at time zone 'Asia/Kolkata')::date)::text as day from payments
       where state = 'verified' and decided_at at time zone 'Asia/Kolkata' > coalesce((select max(day) from day_closings) + 1, '2000-01-01')`,
    )
    const { data } = (await ctx.done('GET office/closing/days', { query: { FYear } })) as {
      data: { day: string; seen: string }[]
    }
    const seen = data.find((row) => row.day === day)?.seen
    return { body: { day, seen, note: 'Looked through' } }
  },
  'POST office/closing/closeMany': async (ctx) => {
    const { data } = (await ctx.done('GET office/closing/days', {
      query: { FYear: '2026-27' },
    })) as unknown as {
      data: { day: string; seen: string; can: { close: unknown } }[]
    }
    const days = data.filter(({ can }) => can.close === true).map(({ day, seen }) => ({ day, seen }))
    return { body: { days: days.slice(0, 1), note: 'Looked through' } }
  },
  'POST office/closing/export': () => ({ body: { from: '2026-11-01', until: '2026-11-20', format: 'csv' } }),
  'POST office/credits/propose': async (ctx) => ({ body: await aCreditedSchool(ctx) }),
  'POST office/credits/decide': async (ctx) => ({
    body: { id: (await aProposedRefund(ctx)).id, approve: true },
  }),
  'POST office/credits/pay': async (ctx) => ({ body: { id: await anApprovedRefund(ctx), utr: aUtr() } }),
  'POST office/credits/return': async (ctx) => ({
    body: { id: await anApprovedRefund(ctx), reason: 'Account closed' },
  }),
  'POST office/credits/transfers': async (ctx) => {
    await anApprovedRefund(ctx)
    return { body: { again: true } }
  },
  'POST office/credits/withdraw': async (ctx) => {
    const { id, as } = await aProposedRefund(ctx)
    return { body: { id }, as }
  },
  'POST office/accounts/propose': async (ctx) => {
    await ctx.row(
      `with gone as (update bank_account_changes set state = 'withdrawn' where state = 'proposed') select 1`,
    )
    return { body: anAccount() }
  },
  'POST office/accounts/decide': async (ctx) => ({
    body: { id: (await proposedAccount(ctx)).id, approve: true, note: 'Called the bank' },
  }),
  'POST office/accounts/withdraw': async (ctx) => {
    const { id, as } = await proposedAccount(ctx)
    return { body: { id }, as }
  },
  'POST office/accounts/stop': async (ctx) => {
    const { id } = await proposedAccount(ctx)
    await ctx.done('POST office/accounts/decide', { body: { id, approve: true, note: 'Called the bank' } })
    return { body: { id, reason: 'Closed by the bank' } }
  },
  'POST office/waivers/ask': async (ctx) => ({
    body: { studentId: (await anEnteredStudent(ctx.server, await aTeacher())).id, ...(await waiverBody()) },
  }),
  'POST office/waivers/approve': async (ctx) => {
    const body = await aRequestedWaiver(ctx)
    const { data } = (await ctx.done('GET office/waivers/list', { query: { FYear, sort: 'amount' } })) as {
      data: { id: number; amount: number }[]
    }
    return { body: { ...body, amount: data.find(({ id }) => id === body.id)?.amount } }
  },
  'POST office/waivers/decline': async (ctx) => ({
    body: { ...(await aRequestedWaiver(ctx)), reason: 'No letter' },
  }),
  'GET ManageSchool/Get_FeeStatement': () => ({ query: { FYear } }),
}
