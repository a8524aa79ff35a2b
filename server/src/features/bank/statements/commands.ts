import {
  type importStatement as importStatementCall,
  type reconcileStatement as reconcileStatementCall,
  type StatementMapping,
  statementMapping,
} from '@podium/contract/bank/calls-statements'
import type { AnswerOf, ParsedBody } from '@podium/contract/endpoint'
import { cutText } from '@podium/contract/fields'
import { fromRupees, type Paise, rupees } from '@podium/contract/money'
import { type Purpose, paymentForOf } from '@podium/contract/payments/rules'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { dueItems } from '#features/payments/queries'
import { referenceOf } from '#features/payments/rules'
import { coverOf, earlierPayments, hashOf, subjectOf } from '#features/payments/submission/commands'
import { audit } from '#platform/audit'
import { accessToSchool, type OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { addedRow, changeRows, firstRow } from '#platform/db/rows'
import { notFound, orNotFound, Refusal } from '#platform/errors'
import { readFoundation } from '#platform/foundation'
import { enqueueJob } from '#platform/jobs/jobs'
import { readSheet } from '#platform/sheets/spreadsheet'
import { bulkLimits, cellText, type SheetRow } from '#platform/sheets/spreadsheet-rows'
import { accountNumbers } from './queries.ts'
import * as rules from './rules.ts'

interface Upload {
  name: string
  bytes: Buffer
}

const limits = { ...bulkLimits, rows: 100_000, bytes: 20 * 1024 * 1024, unpackedBytes: 400 * 1024 * 1024 }

/** A parsed statement: headings, column mapping and lines. */
export interface ReadFile extends rules.ReadStatement {
  headings: string[]
  headingRow: number
  mapping: StatementMapping
  remembered: boolean
  samples: string[][]
  accountNo: string
}

/** Parses a statement with the given mapping, the one remembered for its headings, or a guess. Refuses with `sheet.*`, `bank.*`. */
export async function readStatement(db: Db | Tx, file: Upload, chosen?: StatementMapping): Promise<ReadFile> {
  const rows = await readSheet(file.bytes, file.name, limits)
  const heading = rules.headingRowOf(rows) ?? rows[0]
  if (!heading) throw new Refusal('sheet.empty')
  const body = rows.filter(({ number }) => number > heading.number)
  const width = Math.max(heading.cells.length, ...body.slice(0, 50).map(({ cells }) => cells.length))
  const headings = Array.from({ length: width }, (_, index) => cellText(heading.cells[index]))
  const remembered = chosen ? undefined : await rememberedMapping(db, headings)
  const mapping = chosen ?? remembered ?? guessed(headings, body)
  const read = complete(mapping) ? rules.readLines(rows, heading.number, mapping) : rules.nothingRead
  return {
    ...read,
    headings,
    headingRow: heading.number,
    mapping,
    remembered: remembered !== undefined,
    samples: headings.map((_, index) =>
      body.slice(0, 4).map(({ cells }) => cutText(cellText(cells[index]), 80)),
    ),
    accountNo: accountIn(
      rows.filter(({ number }) => number < heading.number),
      await accountNumbers(db),
    ),
  }
}

function guessed(headings: readonly string[], body: readonly SheetRow[]): StatementMapping {
  const columns = rules.guessColumns(headings)
  return { ...columns, order: rules.guessOrder(body.slice(0, 500).map(({ cells }) => cells[columns.day])) }
}

const complete = ({ day, credit, amount }: StatementMapping) => day >= 0 && (credit >= 0 || amount >= 0)

async function rememberedMapping(
  db: Db | Tx,
  headings: readonly string[],
): Promise<StatementMapping | undefined> {
  const row = await firstRow(db, 'bank_layouts', { headings: rules.layoutOf(headings) }, ['mapping'])
  return row && z.parse(statementMapping, row.mapping)
}

/** Finds the foundation's account in the rows above the headings, by its digits without leading zeros. */
function accountIn(rows: readonly SheetRow[], accounts: readonly string[]): string {
  const bare = (text: string) => text.replace(/\D/g, '').replace(/^0+/, '')
  const numbers = rows.flatMap(({ cells }) =>
    cells.flatMap((cell) => cellText(cell).match(/\d[\d -]{5,}/g) ?? []),
  )
  return accounts.find((account) => numbers.some((number) => bare(number) === bare(account))) ?? ''
}

/** Refuses a statement of an account that is not the foundation's. */
export async function refuseUnknownAccount(db: Db | Tx, accountNo: string): Promise<void> {
  if (!(await accountNumbers(db)).includes(accountNo)) throw new Refusal('bank.unknown_account')
}

/**
 * Stores the lines of a statement that are new for the account, remembers the mapping for its headings, and enqueues the
 * matching. Refuses with `bank.*`.
 */
export async function importStatement(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  file: Upload,
  read: ReadFile,
  accountNo: string,
): Promise<AnswerOf<typeof importStatementCall>> {
  if (!complete(read.mapping)) throw new Refusal('bank.no_columns')
  if (read.lines.length + read.outgoing === 0) throw new Refusal('bank.no_lines')
  await refuseUnknownAccount(tx, accountNo)
  const statement = await addedRow(tx, 'bank_statements', ['id'], {
    account_no: accountNo,
    file_name: file.name,
    file_sha256: hashOf(file.bytes),
    first_day: read.firstDay,
    last_day: read.lastDay,
    lines: read.lines.length,
    fresh: 0,
    amount: 0,
    outgoing: read.outgoing,
    incoming: read.incoming,
    outgoing_amount: read.outgoingAmount,
    opening: read.opening ?? null,
    closing: read.closing ?? null,
    balances_read: read.opening !== undefined && read.closing !== undefined,
    imported_by: scope.staffId,
    imported_at: now,
  })
  const fresh = await storeLines(tx, statement.id, accountNo, read)
  const bouncedLater = await storeDebits(tx, statement.id, accountNo, read)
  await rememberMapping(tx, scope, now, read)
  const jobId = await enqueueJob(tx, now, { kind: 'bank-match', total: fresh.lines, input: {} })
  await changeRows(tx, 'bank_statements', {
    where: { id: statement.id },
    set: { fresh: fresh.lines, amount: fresh.amount, job_id: jobId },
  })
  const subject = { kind: 'bank-statement', id: statement.id }
  await audit(tx, now, scope, 'bank.imported', subject, {
    file: file.name,
    accountNo,
    lines: read.lines.length,
    fresh: fresh.lines,
    amount: fresh.amount,
    outgoingLines: read.outgoing,
    bouncedLater,
  })
  const lines = read.lines.length
  return { id: statement.id, lines, fresh: fresh.lines, known: lines - fresh.lines, bouncedLater, jobId }
}

/**
 * Closes a statement if its balances and totals agree to the paisa and all lines are decided; its lines can't change after
 * that. Refuses with `not_found`, `bank.reconciled`, `bank.no_sums`, `bank.balances_needed`, `bank.lines_open`,
 * `bank.difference`.
 */
export async function reconcileStatement(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, ...typed }: ParsedBody<typeof reconcileStatementCall>,
): Promise<void> {
  const statement = await lockStatement(tx, id)
  if (statement.reconciled_at) throw new Refusal('bank.reconciled')
  const { incoming, outgoing_amount: outgoing, balances_read: read } = statement
  if (incoming === null || outgoing === null) throw new Refusal('bank.no_sums')
  const opening = read ? statement.opening : typed.opening === undefined ? null : fromRupees(typed.opening)
  const closing = read ? statement.closing : typed.closing === undefined ? null : fromRupees(typed.closing)
  if (opening === null || closing === null) throw new Refusal('bank.balances_needed')
  const { rows } = await sql`
    select from bank_lines where statement_id = ${id} and state = 'open' limit 1`.execute(tx)
  if (rows.length > 0) throw new Refusal('bank.lines_open')
  if (opening + incoming - outgoing !== closing) throw new Refusal('bank.difference')
  await changeRows(tx, 'bank_statements', {
    where: { id },
    set: { opening, closing, reconciled_by: scope.staffId, reconciled_at: now },
  })
  const change = { opening, closing, incoming, outgoing, typed: !read }
  await audit(tx, now, scope, 'bank.statement_reconciled', { kind: 'bank-statement', id }, change)
}

/** Reopens a closed statement, with a reason. */
export async function reopenStatement(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, reason }: { id: number; reason: string },
): Promise<void> {
  const { reconciled_at } = await lockStatement(tx, id)
  if (!reconciled_at) throw new Refusal('bank.not_reconciled')
  await changeRows(tx, 'bank_statements', {
    where: { id },
    set: { reconciled_by: null, reconciled_at: null },
  })
  const change = { from: 'reconciled', to: 'open', reason }
  await audit(tx, now, scope, 'bank.statement_reopened', { kind: 'bank-statement', id }, change)
}

async function lockStatement(tx: Tx, id: number) {
  return tx
    .selectFrom('bank_statements')
    .select(['incoming', 'outgoing_amount', 'opening', 'closing', 'balances_read', 'reconciled_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
}

async function storeLines(tx: Tx, statementId: number, accountNo: string, read: ReadFile) {
  const lines = rules.addLineKeys(read.lines)
  const { rows } = await sql<{ lines: number; amount: number }>`
    with stored as (
      insert into bank_lines (account_no, statement_id, row_no, day, amount, utr, narration, line_key, ordinal)
      select ${accountNo}, ${statementId}, x.row_no, x.day, x.amount, x.utr, x.narration, x.line_key, x.ordinal
      from unnest(
        ${lines.map(({ row }) => row)}::int[], ${lines.map(({ day }) => day)}::date[],
        ${lines.map(({ amount }) => amount)}::bigint[], ${lines.map(({ utr }) => utr)}::text[],
        ${lines.map(({ narration }) => narration)}::text[], ${lines.map(({ key }) => key)}::text[],
        ${lines.map(({ ordinal }) => ordinal)}::int[]) as x (row_no, day, amount, utr, narration, line_key, ordinal)
      on conflict (account_no, line_key, ordinal) do nothing
      returning amount)
    select count(*) as lines, coalesce(sum(amount), 0) as amount from stored`.execute(tx)
  return rows[0] ?? { lines: 0, amount: 0 }
}

/** Stores debits with a UTR. Returns how many already booked lines they return. */
async function storeDebits(tx: Tx, statementId: number, accountNo: string, { debits }: ReadFile) {
  const { rows } = await sql<{ lines: number }>`
    with stored as (
      insert into bank_debits (account_no, amount, day, utr, statement_id)
      select ${accountNo}, x.amount, x.day, x.utr, ${statementId}
      from unnest(
        ${debits.map(({ amount }) => amount)}::bigint[], ${debits.map(({ day }) => day)}::date[],
        ${debits.map(({ utr }) => utr)}::text[]) as x (amount, day, utr)
      on conflict do nothing
      returning amount, day, utr)
    select count(*) as lines from bank_lines l
    where l.state = 'booked' and l.account_no = ${accountNo} and exists (
      select from stored d where d.amount = l.amount and d.day between l.day and l.day + 10
        and (d.utr = ltrim(l.utr, '0') or position(lower(d.utr) in l.search_key) > 0))`.execute(tx)
  return rows[0]?.lines ?? 0
}

async function rememberMapping(tx: Tx, scope: OfficeScope, now: Date, read: ReadFile): Promise<void> {
  const mapping = JSON.stringify(read.mapping)
  const values = { mapping, updated_by: scope.staffId, updated_at: now }
  await tx
    .insertInto('bank_layouts')
    .values({ headings: rules.layoutOf(read.headings), ...values })
    .onConflict((conflict) => conflict.column('headings').doUpdateSet(values))
    .execute()
}

/** A due of a school, and the transfer that pays it. */
interface ReceivedTransfer {
  schoolId: number
  season: Season
  purpose: Purpose
  /** As shown; a different amount by now is refused */
  amount: Paise
  day: string
  utr: string
  narration: string
}

/**
 * Enters a payment that the school has not reported, because its money is on the bank statement. It is pending like any other
 * and verified by the same command. Refuses with `changed_meanwhile`, `payments.*`.
 */
export async function enterPayment(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  arrived: ReceivedTransfer,
): Promise<number> {
  const { schoolId, season, purpose, amount } = arrived
  const access = accessToSchool(scope, schoolId)
  const due = (await dueItems(tx, access, season)).find((item) => item.purpose === purpose)
  if (!due || due.gross - due.retained !== amount) throw new Refusal('changed_meanwhile')
  const cover = await coverOf(tx, access, now, {
    individualRegIdList: due.ids,
    payableAmount: rupees(amount),
    paymentFor: paymentForOf(purpose),
    FYear: season,
  })
  if (cover.figures.payable !== amount) throw new Refusal('changed_meanwhile')
  const earlier = await earlierPayments(tx, access, season, purpose)
  const { code } = orNotFound(await firstRow(tx, 'schools', { id: schoolId }, ['code']))
  const { receipt_prefix } = await readFoundation(tx)
  const payment = await addedRow(tx, 'payments', ['id', 'reference'], {
    school_id: schoolId,
    season,
    purpose,
    reference: referenceOf(receipt_prefix, season, code, purpose, earlier),
    ...cover.figures,
    paid_on: arrived.day,
    utr: arrived.utr,
    remarks: cutText(arrived.narration, 500),
    proof_sha256: '',
    entered_by: scope.staffId,
    submitted_at: now,
  })
  await cover.store(payment.id)
  await audit(tx, now, scope, 'payment.entered', subjectOf(payment.id, schoolId, season), {
    purpose,
    reference: payment.reference,
    ...cover.figures,
    paymentDate: arrived.day,
    ...cover.listed,
  })
  return payment.id
}
