import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'
import { cancelJob, enqueueJob } from '#platform/jobs/jobs'
import { type Booking, bookLine } from './commands-book.ts'
import { takeLine } from './commands-lines.ts'

/** So long, in milliseconds, a booking can be undone. */
const undoMs = 60_000

const noBooking = { booking: null, booking_job: null, booking_by: null, books_at: null }

/**
 * Plans a booking for a minute from now. Until then nothing of it is in the books: no receipt number, no mail, no paid
 * student, so undoing it leaves no gap and needs no counter-entry. Refuses at once what `bookLine` would refuse now.
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
  await tx
    .updateTable('bank_lines')
    .set({
      booking: JSON.stringify({ parts, credits, used }),
      booking_job: job,
      booking_by: scope.staffId,
      books_at: dueAt,
      booking_refused: '',
      version: line.version + 1,
    })
    .where('id', '=', id)
    .execute()
  await audit(tx, now, scope, 'bank.booking_planned', { kind: 'bank-line', id }, { amount: line.amount })
  return { id, receipts: [], credited: 0, booksAt: dueAt.toISOString() }
}

/** Refuses with `bank.booking_over` once the line is booked, or open again. */
export async function undoBooking(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  seen: { id: number; version: number },
): Promise<void> {
  const line = found(
    await tx
      .selectFrom('bank_lines')
      .select(['version', 'amount', 'booking_job'])
      .where('id', '=', seen.id)
      .forUpdate()
      .executeTakeFirst(),
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

/** What a job was planned for; undefined where it was undone meanwhile. The line stays locked. */
async function planned(tx: Tx, id: number, job: string): Promise<Omit<Booking, 'version'> | undefined> {
  const line = await tx
    .selectFrom('bank_lines')
    .select('booking')
    .where('id', '=', id)
    .where('booking_job', '=', job)
    .forUpdate()
    .executeTakeFirst()
  return line && { id, ...(line.booking as unknown as Pick<Booking, 'parts' | 'credits' | 'used'>) }
}

/** Makes a booking whose minute is over. Answers its schools; refuses as `bookLine` does. */
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

/** The line of a booking that could not be made is open again and says why. */
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
