import { type Paise, paise } from '@podium/contract/money'
import { istDay } from '@podium/contract/season'
import { said, sentences } from '@podium/contract/sentences'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'
import { planMatching } from '../matching/commands.ts'

/** A line that nobody has decided upon, locked. */
export interface OpenLine {
  id: number
  day: string
  amount: Paise
  utr: string
  narration: string
  version: number
}

interface Seen {
  id: number
  version: number
}

/** A booking that was due before this instant will not be made any more: its job has ended without it. */
export const bookingLost = (now: Date) => new Date(now.getTime() - 10 * 60_000)

/** Locks a line that is open still; whoever comes second is told by whom and how it was decided. */
export async function takeLine(tx: Tx, now: Date, seen: Seen): Promise<OpenLine> {
  const line = found(
    await tx
      .selectFrom('bank_lines')
      .select(['id', 'day', 'amount', 'utr', 'narration', 'version', 'state', 'decided_by', 'books_at'])
      .where('id', '=', seen.id)
      .forUpdate()
      .executeTakeFirst(),
  )
  if (line.state !== 'open') {
    const by = await tx
      .selectFrom('staff')
      .select('name')
      .where('id', '=', line.decided_by ?? 0)
      .executeTakeFirst()
    throw new Refusal('bank.decided', {
      message: said(line.state === 'discarded' ? 'lineDiscarded' : 'lineBooked', {
        name: by?.name ?? sentences.somebodyElse,
      }),
    })
  }
  if (line.books_at && line.books_at > bookingLost(now)) throw new Refusal('bank.booking')
  if (line.version !== seen.version) throw new Refusal('changed_meanwhile')
  return { ...line, amount: paise(line.amount) }
}

/** Other lines with this UTR are compared anew: which of them is the money may be another now. */
async function compareTwins(tx: Tx, now: Date, { id, utr, amount }: OpenLine): Promise<void> {
  if (utr === '') return
  const { rows } = await sql<{ school: number }>`
    update bank_lines set guess = 'unknown', proposal = null, version = version + 1
    where utr <> '' and ltrim(utr, '0') = ltrim(${utr}, '0') and amount = ${amount} and id <> ${id}
      and state = 'open' and guess = 'duplicate'
    returning guess_school_id as school`.execute(tx)
  if (rows.length > 0) await planMatching(tx, now, rows.map(({ school }) => school).filter(Boolean))
}

/** These lines are no money of schools: interest, a transfer of the foundation's own, a mistake of the bank. */
export async function discardLines(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  lines: readonly Seen[],
  reason: string,
): Promise<number> {
  for (const seen of lines.toSorted((one, other) => one.id - other.id)) {
    const line = await takeLine(tx, now, seen)
    await tx
      .updateTable('bank_lines')
      .set({
        state: 'discarded',
        discarded: line.amount,
        reason,
        decided_by: scope.staffId,
        decided_at: now,
        version: line.version + 1,
      })
      .where('id', '=', line.id)
      .execute()
    const subject = { kind: 'bank-line', id: line.id }
    await audit(tx, now, scope, 'bank.discarded', subject, { amount: line.amount, reason })
    await compareTwins(tx, now, line)
  }
  return lines.length
}

/** A line that was discarded by mistake is open again. Refuses with `bank.day_closed` once that day is closed. */
export async function reopenLine(tx: Tx, scope: OfficeScope, now: Date, seen: Seen): Promise<void> {
  // Not beside the closing of its day: the closing would keep figures with it.
  await sql`select pg_advisory_xact_lock_shared(hashtext('day_closings'))`.execute(tx)
  const line = found(
    await tx
      .selectFrom('bank_lines')
      .select(['state', 'version', 'decided_at', 'reason'])
      .where('id', '=', seen.id)
      .forUpdate()
      .executeTakeFirst(),
  )
  if (line.state !== 'discarded' || line.version !== seen.version) throw new Refusal('changed_meanwhile')
  const closed = await tx
    .selectFrom('day_closings')
    .select('day')
    .where('day', '=', istDay(line.decided_at ?? now))
    .executeTakeFirst()
  if (closed) throw new Refusal('bank.day_closed')
  await tx
    .updateTable('bank_lines')
    .set({
      state: 'open',
      discarded: 0,
      reason: '',
      decided_by: null,
      decided_at: null,
      version: line.version + 1,
    })
    .where('id', '=', seen.id)
    .execute()
  const change = { from: 'discarded', to: 'open', reason: line.reason }
  await audit(tx, now, scope, 'bank.reopened', { kind: 'bank-line', id: seen.id }, change)
}
