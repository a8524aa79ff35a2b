import { rupeesOf } from '@podium/contract/money'
import { addDays, formatDay, istDay } from '@podium/contract/season'
import { proposeRefund } from '../src/features/bank/credits/commands.ts'
import type { Match } from '../src/features/bank/matching/rules-candidates.ts'
import { importStatement, readStatement } from '../src/features/bank/statements/commands.ts'
import { bookLine } from '../src/features/bank/statements/commands-book.ts'
import { discardLines } from '../src/features/bank/statements/commands-lines.ts'
import { figuresBetween } from '../src/features/ledger/closing/queries.ts'
import { closeDay } from '../src/features/ledger/commands.ts'
import { fingerprint } from '../src/platform/http/idempotency.ts'
import { randomOf } from './random.ts'
import { doJobs, type School, type World } from './world.ts'

/** A transfer on a bank statement; the amount in rupees, negative for money out. */
interface StatementRow {
  /** `2026-11-18` */
  day: string
  narration: string
  utr: string
  amount: number
}

const money = (amount: number) =>
  amount.toLocaleString('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/**
 * Returns a statement as banks write it: the account above, headings, the transfers with a running balance, a final
 * remark.
 */
export function statementCsv(accountNo: string, rows: readonly StatementRow[]): string {
  let balance = 2_45_000
  const lines = rows.map(({ day, narration, utr, amount }) => {
    balance += amount
    const [out, into] = amount < 0 ? [money(-amount), ''] : ['', money(amount)]
    return [
      formatDay(day),
      formatDay(day),
      `"${narration}"`,
      utr,
      `"${out}"`,
      `"${into}"`,
      `"${money(balance)}"`,
    ].join(',')
  })
  return [
    'Sahyadri Sample Bank,,,,,,',
    `Account Number:,${accountNo.replace(/(\d{4})(?=\d)/g, '$1 ')},,,,,`,
    ',,,,,,',
    'Txn Date,Value Date,Description,Ref No./Cheque No.,Debit,Credit,Balance',
    ...lines,
    '** This is a computer generated statement **,,,,,,',
  ].join('\r\n')
}

const accounts = { registration: '000012345678', books: '000012345686' } as const
type Account = keyof typeof accounts

interface SentPayment {
  id: number
  school_id: number
  purpose: string
  reference: string
  payable: number
  paid_on: string
  utr: string
  state: string
}

async function sentPayments({ db, seasons }: World): Promise<SentPayment[]> {
  return db
    .selectFrom('payments')
    .select(['id', 'school_id', 'purpose', 'reference', 'payable', 'paid_on', 'utr', 'state'])
    .where('season', '=', seasons[0].label)
    .where('state', '<>', 'rejected')
    .orderBy('id')
    .execute()
}

const bankName = (school: School | undefined) => (school?.seed.name ?? '').toUpperCase().slice(0, 28)

/** Returns a payment's line on the statement: mostly with its UTR or reference, sometimes with less. */
function statementLine(payment: SentPayment, school: School | undefined, place: number): StatementRow {
  const amount = rupeesOf(payment.payable)
  const line = { day: addDays(payment.paid_on, place % 2), amount, utr: payment.utr }
  const name = bankName(school)
  const random = randomOf(`bank line ${payment.id}`)
  const unrelatedUtr = String(random.whole(1e11, 9.9e11))
  if (payment.utr === '') {
    const narration =
      place % 2 === 0 ? `IMPS/${payment.reference.replaceAll('-', ' ')}/${name}` : `NEFT CR-${name}`
    return { ...line, utr: unrelatedUtr, narration }
  }
  if (place % 3 === 0)
    return { ...line, narration: `NEFT CR-${name}-${payment.reference.replace(/-0?/, '')}` }
  if (place % 3 === 1) return { ...line, utr: '', narration: `RTGS/${payment.utr}/${name}` }
  return { ...line, narration: `UPI/${payment.reference.toLowerCase()}/${name}` }
}

/** Returns a transfer of ₹250 more than was announced: it shows which payment it is, but not what the rest is for. */
const tooMuch = ({ paid_on, payable, reference }: SentPayment): StatementRow => ({
  day: paid_on,
  amount: rupeesOf(payable) + 250,
  utr: '',
  narration: `UPI/${reference.toLowerCase()}/BOOKS`,
})

/** Returns recent transfers that don't match: too much, a part, a truncated reference, and some not from schools. */
function oddTransfers(
  waiting: readonly SentPayment[],
  schools: readonly School[],
  today: string,
): StatementRow[] {
  const code = (codeAt: number) => schools.at(codeAt)?.seed.code ?? ''
  const [first] = waiting
  const double = first
    ? [
        {
          day: today,
          amount: rupeesOf(first.payable),
          utr: '',
          narration: `UPI/${first.reference}/SECOND TRY`,
        },
      ]
    : []
  return [
    ...double,
    {
      day: addDays(today, -1),
      amount: 5_000,
      utr: '427118004412',
      narration: `IMPS/${code(2)} FIRST INSTALMENT`,
    },
    { day: addDays(today, -1), amount: 1_000, utr: '', narration: 'CASH DEP BY SELF KAVERIPURAM' },
    { day: addDays(today, -2), amount: 612.4, utr: '', narration: 'INT.PD:01-07 TO 30-09' },
    { day: addDays(today, -2), amount: -118, utr: '', narration: 'NEFT CHARGES AND GST' },
  ]
}

async function bringIn(
  world: World,
  account: Account,
  rows: readonly StatementRow[],
  name: string,
  at: Date,
) {
  if (rows.length === 0) return
  const { db, officers } = world
  const inOrder = rows.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
  const file = { name, bytes: Buffer.from(statementCsv(accounts[account], inOrder)) }
  const statement = await readStatement(db, file)
  await db
    .transaction()
    .execute((tx) => importStatement(tx, officers.accounts, at, file, statement, accounts[account]))
  await doJobs(world, at)
}

/**
 * Decides all lines of the first statements: their payments were verified by hand earlier, the rest is the bank's own.
 */
async function decideLines(world: World, at: Date): Promise<void> {
  const { db, officers } = world
  const lines = await db
    .selectFrom('bank_lines')
    .select(['id', 'version', 'guess', 'guess_school_id', 'amount', 'proposal', 'narration'])
    .where('state', '=', 'open')
    .orderBy('id')
    .execute()
  for (const { id, version, guess, proposal, narration, ...line } of lines) {
    await db.transaction().execute(async (tx) => {
      if (guess === 'already') {
        const { parts } = proposal as unknown as Match
        const amounts = parts.map(({ key, amount }) => ({ key, amount: rupeesOf(amount) }))
        await bookLine(tx, officers.accounts, at, { id, version, parts: amounts, credits: [], used: [] })
      } else if (guess === 'likely' && line.guess_school_id !== null) {
        const credits = [{ schoolId: line.guess_school_id, amount: rupeesOf(line.amount) }]
        await bookLine(tx, officers.accounts, at, { id, version, parts: [], credits, used: [] })
      } else if (narration.startsWith('OWN TRANSFER')) {
        await discardLines(tx, officers.accounts, at, [{ id, version }], 'From our own savings account')
      }
    })
  }
}

/**
 * Closes the first days of the season; a school's mistaken payment is to be refunded and waits for a second officer.
 */
async function closeAndPayBack(world: World, school: School | undefined, before: Date): Promise<void> {
  const { db, officers, seasons } = world
  // On the season's first day there is no next day yet.
  const next = new Date(Math.min(before.getTime() + 86_400_000, world.deps.clock().getTime()))
  const { accounts } = officers
  const decided = await db
    .selectFrom('payments')
    .select('decided_at')
    .where('season', '=', seasons[0].label)
    .where('state', '=', 'verified')
    .orderBy('decided_at')
    .execute()
  const days = [...new Set(decided.flatMap(({ decided_at }) => (decided_at ? istDay(decided_at) : [])))]
  for (const day of days.slice(0, 2).filter((day) => day < istDay(next))) {
    const note = 'The bank shows this money on a later statement'
    await db.transaction().execute(async (tx) => {
      const expected = fingerprint((await figuresBetween(tx, day, day)).get(day))
      await closeDay(tx, accounts, next, { day, seen: expected, note })
    })
  }
  if (!school) return
  const refund = {
    schoolId: school.id,
    amount: 500,
    payTo: '',
    account: { accountName: school.seed.name, accountNo: '000098765432', ifsc: 'SSBX0000233' },
    reason: 'Paid in error; the school asks for it',
  }
  await db.transaction().execute((tx) => proposeRefund(tx, accounts, next, refund))
}

/**
 * Creates the season's bank statements: one from some days ago, completely decided, and today's, which contains most
 * pending payments and some transfers that need a closer look.
 */
export async function makeStatements(world: World, schools: readonly School[]): Promise<void> {
  const [season] = world.seasons
  const payments = await sentPayments(world)
  const paymentsOf = (account: Account, state: string) =>
    payments.filter(
      (payment) =>
        payment.state === state && (payment.purpose === 'registration') === (account === 'registration'),
    )
  const today = istDay(world.deps.clock())
  const rows = (some: readonly SentPayment[]) =>
    some.map((item, place) => {
      const school = schools.find(({ id }) => id === item.school_id)
      const line = statementLine(item, school, place)
      // No statement has lines of tomorrow.
      return { ...line, day: line.day < today ? line.day : today }
    })
  const before = season.at(0.6)
  const transfer = { day: istDay(before), amount: 50_000, utr: '', narration: 'OWN TRANSFER FROM SAVINGS' }
  const [fees, books] = [rows(paymentsOf('registration', 'verified')), rows(paymentsOf('books', 'verified'))]
  const error = { day: istDay(before), amount: 750, utr: '', narration: 'IMPS/KPS0102 PAID IN ERROR' }
  await bringIn(world, 'registration', [...fees, transfer, error], 'fees-account.csv', before)
  await bringIn(world, 'books', books, 'books-account.csv', before)
  await decideLines(world, before)
  await closeAndPayBack(
    world,
    schools.find(({ seed }) => seed.code === 'KPS0102'),
    before,
  )
  const now = season.at(0.99)
  const waiting = paymentsOf('registration', 'pending')
  const recent = [...rows(waiting), ...oddTransfers(waiting, schools, istDay(now))]
  const forBooks = paymentsOf('books', 'pending')
  await bringIn(world, 'registration', recent, 'fees-account-2.csv', now)
  await bringIn(
    world,
    'books',
    [...rows(forBooks.slice(0, -1)), ...forBooks.slice(-1).map(tooMuch)],
    'books-account-2.csv',
    now,
  )
}
