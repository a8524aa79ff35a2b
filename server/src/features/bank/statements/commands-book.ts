import { cutText } from '@podium/contract/fields'
import { fromRupees, type Paise, paise, rupees, rupeesOf, sumPaise } from '@podium/contract/money'
import { type Purpose, purposes } from '@podium/contract/payments/rules'
import { parseSeason } from '@podium/contract/season'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { refuseDecided, verifyPayment } from '#features/payments/verification/commands'
import { isDoubtful } from '#features/payments/verification/queries'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { changeRows, findRow, findRows, firstRow } from '#platform/db/rows'
import { orNotFound, Refusal } from '#platform/errors'
import { cancelJob, enqueueJob } from '#platform/jobs/jobs'
import { receiveCredit, takeCredit } from '../credits/commands.ts'
import { enterPayment } from './commands.ts'
import { type OpenLine, takeLine } from './commands-lines.ts'

/** A person's decision about a line: what its money is for. Amounts in rupees, as shown. */
const booked = z.object({
  parts: z.array(z.object({ key: z.string(), amount: z.number() })),
  credits: z.array(z.object({ schoolId: z.int(), amount: z.number() })),
  used: z.array(z.object({ schoolId: z.int(), amount: z.number() })),
})
interface Booking extends z.output<typeof booked> {
  id: number
  version: number
}

/** One item, with its price and how much of it the line pays. */
interface Part {
  key: string
  schoolId: number
  season: string
  /** Null if no payment was reported */
  paymentId: number | null
  purpose: Purpose
  amount: Paise
  fromLine: Paise
}

const total = (of: readonly { amount: number }[]) => sumPaise(of.map(({ amount }) => fromRupees(amount)))

/** Checks that line = items + new credit − used credit, to the paisa, without duplicates. */
function checkSums(line: OpenLine, { parts, credits, used }: Booking): void {
  const keys = parts.map(({ key }) => key)
  const twice = (ids: readonly number[]) => new Set(ids).size !== ids.length
  if (
    new Set(keys).size !== keys.length ||
    twice(credits.map(({ schoolId }) => schoolId)) ||
    twice(used.map(({ schoolId }) => schoolId)) ||
    used.length > 1 ||
    (used.length > 0 && credits.length > 0) ||
    parts.length + credits.length === 0 ||
    total(parts) + total(credits) !== line.amount + total(used)
  )
    throw new Refusal('bank.sums')
}

async function partsOf(tx: Tx, { parts }: Booking): Promise<Part[]> {
  const ids = parts.flatMap(({ key }) => (key.startsWith('p') ? [Number(key.slice(1))] : []))
  const payments = await findRows(tx, 'payments', { id: ids }, ['id', 'school_id', 'season', 'purpose'])
  return parts.map(({ key, amount }) => {
    const common = { key, amount: fromRupees(amount), fromLine: paise(0) }
    if (key.startsWith('p')) {
      const payment = orNotFound(payments.find(({ id }) => id === Number(key.slice(1))))
      const { id: paymentId, school_id: schoolId, season } = payment
      return { ...common, paymentId, schoolId, season, purpose: payment.purpose as Purpose }
    }
    const [, schoolId = '', season = '', code = ''] = /^d(\d+)-(\d{4}-\d\d)-(\w+)$/.exec(key) ?? []
    const purpose = orNotFound(purposes.find((purpose) => purpose === code))
    return { ...common, paymentId: null, schoolId: Number(schoolId), season, purpose }
  })
}

/**
 * Distributes the amount in the order of paying. What is missing is credit of the school that is helped: of its last item that
 * costs more than that, or else of several, the dearest first; each has at least a paisa of the line, which its receipt names.
 */
function shareOut(parts: Part[], available: number, helped: number | undefined): Part[] {
  const inOrder = parts.toSorted(
    (a, b) =>
      Number(a.schoolId === helped) - Number(b.schoolId === helped) ||
      // An unreported item can only be entered once no payment of its fee is pending.
      Number(a.paymentId === null) - Number(b.paymentId === null) ||
      a.season.localeCompare(b.season) ||
      a.key.localeCompare(b.key),
  )
  let missing = sumPaise(inOrder.map(({ amount }) => amount)) - available
  const enough = missing + 1
  const byCredit = new Map<Part, number>()
  for (const part of inOrder
    .filter(({ schoolId }) => schoolId === helped)
    .toReversed()
    .toSorted((a, b) => Math.min(b.amount, enough) - Math.min(a.amount, enough))) {
    const credit = Math.min(missing, part.amount - 1)
    byCredit.set(part, credit)
    missing -= credit
  }
  if (missing !== 0) throw new Refusal('bank.sums')
  return inOrder.map((part) => ({ ...part, fromLine: paise(part.amount - (byCredit.get(part) ?? 0)) }))
}

/** Verifies a pending payment, or assigns the money to one verified by hand. */
async function pay(tx: Tx, scope: OfficeScope, now: Date, line: OpenLine, part: Part): Promise<string> {
  const season = parseSeason(part.season)
  if (!season) throw new Refusal('not_found')
  const id =
    part.paymentId ??
    (await enterPayment(tx, scope, now, {
      ...part,
      season,
      day: line.day,
      utr: line.utr,
      narration: line.narration,
    }))
  const payment = await findRow(tx, 'payments', { id }, ['state', 'version', 'payable', 'receipt_no'])
  if (payment.payable !== part.amount) throw new Refusal('changed_meanwhile')
  if (payment.state === 'rejected') throw new Refusal('payments.decided')
  const verified = payment.state === 'verified'
  const receiptNo = verified
    ? (payment.receipt_no ?? '')
    : (await verifyPayment(tx, scope, now, { id, version: payment.version })).receiptNo
  await tx
    .insertInto('bank_line_payments')
    .values({ line_id: line.id, payment_id: id, amount: part.fromLine, found_later: verified, at: now })
    .onConflict((conflict) => conflict.column('payment_id').doNothing())
    .returning('payment_id')
    .executeTakeFirstOrThrow(() => new Refusal('bank.paid_by_other'))
  const missing = paise(part.amount - part.fromLine)
  if (missing > 0) {
    const { schoolId } = part
    const note = `For ${receiptNo}`
    await takeCredit(tx, scope, now, {
      schoolId,
      amount: missing,
      kind: 'used',
      paymentId: id,
      lineId: line.id,
      note,
    })
  }
  return receiptNo
}

/**
 * Books a line: verifies its payments with the command of the queue, and records the rest as the school's credit. A line, and
 * the money of a payment, can only be booked once. Locks the line, its schools by id, then what verifying locks. Refuses with
 * `not_found`, `bank.*`, `credit.too_little`, `changed_meanwhile`, `payments.*`.
 */
export async function bookLine(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  booking: Booking,
): Promise<{ id: number; receipts: string[]; credited: number; schools: number[] }> {
  const line = await takeLine(tx, now, booking)
  checkSums(line, booking)
  const found = await partsOf(tx, booking)
  await lockSchools(tx, [...found, ...booking.credits, ...booking.used])
  const toCredit = total(booking.credits)
  const parts = shareOut(found, line.amount - toCredit, booking.used[0]?.schoolId)
  const receipts: string[] = []
  for (const part of parts) receipts.push(await pay(tx, scope, now, line, part))
  for (const { schoolId, amount } of booking.credits) {
    const note = cutText(line.narration, 200)
    await receiveCredit(tx, scope, now, {
      schoolId,
      amount: fromRupees(amount),
      lineId: line.id,
      day: line.day,
      note,
    })
  }
  const schools = [...new Set([...parts, ...booking.credits].map(({ schoolId }) => schoolId))]
  await changeRows(tx, 'bank_lines', {
    where: { id: line.id },
    set: {
      state: 'booked',
      guess_school_id: schools.length === 1 ? schools[0] : null,
      to_payments: line.amount - toCredit,
      to_credit: toCredit,
      decided_by: scope.staffId,
      decided_at: now,
      version: line.version + 1,
    },
  })
  const subject = {
    kind: 'bank-line',
    id: line.id,
    ...(schools.length === 1 ? { schoolId: schools[0] } : {}),
  }
  await audit(tx, now, scope, 'bank.booked', subject, { amount: line.amount, receipts, toCredit, schools })
  return { id: line.id, receipts, credited: rupees(toCredit), schools }
}

/** Locks all schools of a booking in id order, to avoid deadlocks. Refuses one that was merged since the booking was planned. */
async function lockSchools(tx: Tx, of: readonly { schoolId: number }[]): Promise<void> {
  const ids = [...new Set(of.map(({ schoolId }) => schoolId))]
  const { rows } = await sql<{ merged: boolean }>`
    select merged_into is not null as merged from schools
    where id = any(${ids}::bigint[]) order by id for no key update`.execute(tx)
  if (rows.length !== ids.length) throw new Refusal('not_found')
  if (rows.some(({ merged }) => merged)) throw new Refusal('schools.merged')
}

/** Milliseconds in which a booking can be undone. */
const undoMs = 60_000

const noBooking = { booking: null, booking_job: null, booking_by: null, books_at: null }

/**
 * Schedules a booking in a minute. Until then nothing is booked: no receipt number, no e-mail, no paid student, so undoing it
 * leaves no gap and needs no contra entry. Refuses at once what `bookLine` would refuse now.
 */
export async function planBooking(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  booking: Booking,
): Promise<{ id: number; receipts: string[]; credited: number; booksAt: string }> {
  await sql`savepoint tried`.execute(tx)
  await bookLine(tx, scope, now, booking)
  await sql`rollback to savepoint tried`.execute(tx)
  const line = await takeLine(tx, now, booking)
  const dueAt = new Date(now.getTime() + undoMs)
  const { id, parts, credits, used } = booking
  const input = { lineId: id }
  const job = await enqueueJob(tx, now, { kind: 'bank-book-line', input, createdBy: scope.staffId, dueAt })
  await changeRows(tx, 'bank_lines', {
    where: { id },
    set: {
      booking: JSON.stringify({ parts, credits, used }),
      booking_job: job,
      booking_by: scope.staffId,
      books_at: dueAt,
      booking_refused: '',
      version: line.version + 1,
    },
  })
  await audit(tx, now, scope, 'bank.booking_planned', { kind: 'bank-line', id }, { amount: line.amount })
  return { id, receipts: [], credited: 0, booksAt: dueAt.toISOString() }
}

interface ExactLine {
  id: number
  version: number
  guess: string
  parts: { key: string; amount: number }[]
  booking_by: number | null
  books_at: Date | null
}

/**
 * Schedules the booking of the line that matches this payment exactly, alone or with the others in `together`. Refuses with
 * `payments.*` if it is decided, has a warning (unless a person has `looked`) or no longer matches exactly; and as
 * `planBooking` does.
 */
export async function planExact(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  seen: { id: number; version: number; together: readonly number[]; looked?: boolean },
): Promise<{ id: number; lineId: number; booksAt: string }> {
  const { id, together } = seen
  const payment = orNotFound(await firstRow(tx, 'payments', { id }, ['state', 'version']))
  if (payment.state !== 'pending') return refuseDecided(tx, id)
  if (payment.version !== seen.version) throw new Refusal('changed_meanwhile')
  const { rows } = await sql<ExactLine>`
    select l.id, l.version, l.guess, coalesce(l.booking, l.proposal)->'parts' as parts, l.booking_by, l.books_at
    from bank_lines l
    where l.state = 'open' and (l.guess = 'exact' or l.booking is not null)
      and coalesce(l.booking, l.proposal)->'parts' @> ${JSON.stringify([{ key: `p${id}` }])}::jsonb
    order by l.booking is null, l.id limit 1 for update`.execute(tx)
  const line = rows[0]
  if (!line) throw new Refusal('payments.not_exact')
  // Its line was already scheduled with the previous payment, because it pays for both.
  if (line.books_at && line.booking_by === scope.staffId && together.length > 1)
    return { id, lineId: line.id, booksAt: line.books_at.toISOString() }
  const covered = line.parts.map(({ key }) => (key.startsWith('p') ? Number(key.slice(1)) : 0))
  if (!covered.every((item) => together.includes(item))) throw new Refusal('payments.line_covers_more')
  if (!seen.looked && (await isDoubtful(tx, id, covered))) throw new Refusal('payments.doubtful')
  const parts = line.parts.map(({ key, amount }) => ({ key, amount: rupeesOf(amount) }))
  const booking = { id: line.id, version: line.version, parts, credits: [], used: [] }
  const { booksAt } = await planBooking(tx, scope, now, booking)
  return { id, lineId: line.id, booksAt }
}

/** Undoes a scheduled booking. Refuses with `bank.booking_over` once the line is booked or open again. */
export async function undoBooking(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  seen: { id: number; version: number },
): Promise<void> {
  const line = orNotFound(
    await firstRow(tx, 'bank_lines', { id: seen.id }, ['version', 'amount', 'booking_job'], { lock: true }),
  )
  if (line.booking_job === null || line.version !== seen.version) throw new Refusal('bank.booking_over')
  await cancelJob(tx, now, line.booking_job)
  await endBooking(tx, seen.id, '')
  await audit(
    tx,
    now,
    scope,
    'bank.booking_undone',
    { kind: 'bank-line', id: seen.id },
    { amount: line.amount },
  )
}

async function endBooking(tx: Tx, id: number, refused: string): Promise<number> {
  const { version } = await tx
    .updateTable('bank_lines')
    .set((set) => ({ ...noBooking, booking_refused: refused, version: set('version', '+', 1) }))
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}

/** Locks the line and returns its scheduled booking; undefined if it was undone. */
async function planned(tx: Tx, id: number, job: string): Promise<Omit<Booking, 'version'> | undefined> {
  const line = await firstRow(tx, 'bank_lines', { id, booking_job: job }, ['booking'], { lock: true })
  return line && { id, ...z.parse(booked, line.booking) }
}

/** Carries out a scheduled booking and returns its schools. Same refusals as `bookLine`. */
export async function bookPlanned(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  id: number,
  job: string,
): Promise<number[]> {
  const booking = await planned(tx, id, job)
  if (!booking) return []
  const version = await endBooking(tx, id, '')
  return (await bookLine(tx, scope, now, { ...booking, version })).schools
}

/** Reopens the line of a failed booking, with the reason. */
export async function refuseBooking(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  id: number,
  job: string,
  refusal: Refusal,
): Promise<void> {
  if (!(await planned(tx, id, job))) return
  await endBooking(tx, id, refusal.message)
  await audit(tx, now, scope, 'bank.booking_refused', { kind: 'bank-line', id }, { code: refusal.code })
}
