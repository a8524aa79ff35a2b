import { type Paise, paise } from '@podium/contract/money'
import { formatSentence, sentences } from '@podium/contract/sentences'
import { sql } from 'kysely'
import { planMatching, reversePayment } from '#features/payments/verification/commands'
import { isReturnUndecided } from '#features/staff/queries'
import { audit, insertAudit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { firstRow } from '#platform/db/rows'
import { notFound, orNotFound, Refusal } from '#platform/errors'
import { receiveCredit, takeCredit } from '../credits/commands.ts'
import { bouncedOn } from './queries.ts'

/** A locked, undecided line. */
export interface OpenLine {
  id: number
  day: string
  amount: Paise
  utr: string
  narration: string
  version: number
}

/** Refuses changes to lines of a closed statement, and prevents closing it at the same time. Refuses with `bank.reconciled`. */
async function refuseReconciled(tx: Tx, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ closed: boolean }>`
    select s.reconciled_at is not null as closed from bank_statements s
    where s.id in (select statement_id from bank_lines where id = any(${ids}::bigint[]))
    order by s.id for share`.execute(tx)
  if (rows.some(({ closed }) => closed)) throw new Refusal('bank.reconciled')
}

interface LineVersion {
  id: number
  version: number
}

/** A booking due before this instant has been lost: its job ended without it. */
const bookingLost = (now: Date) => new Date(now.getTime() - 10 * 60_000)

/** Locks an open line; a second officer is told by whom and how it was decided. */
export async function takeLine(tx: Tx, now: Date, seen: LineVersion): Promise<OpenLine> {
  const line = await tx
    .selectFrom('bank_lines')
    .select(['id', 'day', 'amount', 'utr', 'narration', 'version', 'state', 'decided_by', 'books_at'])
    .where('id', '=', seen.id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
  if (line.state !== 'open') {
    const by = await firstRow(tx, 'staff', { id: line.decided_by ?? 0 }, ['name'])
    throw new Refusal('bank.decided', {
      message: formatSentence(line.state === 'discarded' ? 'lineDiscarded' : 'lineBooked', {
        name: by?.name ?? sentences.somebodyElse,
      }),
    })
  }
  await refuseReconciled(tx, [line.id])
  if (line.books_at && line.books_at > bookingLost(now)) throw new Refusal('bank.booking')
  if (line.version !== seen.version) throw new Refusal('changed_meanwhile')
  return { ...line, amount: paise(line.amount) }
}

/** Matches other lines with the same UTR again, because a different one may now count as the money. */
async function compareTwins(tx: Tx, now: Date, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ school: number | null }>`
    update bank_lines t set guess = 'unknown', proposal = null, version = t.version + 1
    from bank_lines d
    where d.id = any(${ids}::bigint[]) and d.utr <> '' and t.utr <> '' and ltrim(t.utr, '0') = ltrim(d.utr, '0')
      and t.amount = d.amount and not (t.id = any(${ids}::bigint[])) and t.state = 'open' and t.guess = 'duplicate'
    returning t.guess_school_id as school`.execute(tx)
  const schools = rows.flatMap(({ school }) => school ?? [])
  if (schools.length > 0) await planMatching(tx, now, schools)
}

/**
 * Ignores lines that are not schools' money: interest, the foundation's own transfers, bank errors. In bulk, lines decided or
 * changed meanwhile are skipped; a single one is refused.
 */
export async function discardLines(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  lines: readonly LineVersion[],
  reason: string,
): Promise<{ discarded: number; lines: LineVersion[]; skipped: number }> {
  const [first] = lines
  if (first && lines.length === 1) await takeLine(tx, now, first)
  const seen = lines.toSorted((a, b) => a.id - b.id)
  await sql`
    select id from bank_lines where id = any(${seen.map(({ id }) => id)}::bigint[])
    order by id for update`.execute(tx)
  const { rows } = await sql<{ id: number; amount: number; version: number }>`
    update bank_lines l
    set state = 'discarded', discarded = l.amount, reason = ${reason}, decided_by = ${scope.staffId},
      decided_at = ${now}, version = l.version + 1
    from unnest(${seen.map(({ id }) => id)}::bigint[], ${seen.map(({ version }) => version)}::int[]) as x (id, version)
    where l.id = x.id and l.version = x.version and l.state = 'open'
      and not exists (select from bank_statements s where s.id = l.statement_id and s.reconciled_at is not null)
      and (l.books_at is null or l.books_at <= ${bookingLost(now)})
    returning l.id, l.amount, l.version`.execute(tx)
  await auditLines(
    tx,
    scope,
    now,
    'bank.discarded',
    rows.map(({ id, amount }) => ({ id, change: { amount, reason } })),
  )
  const ids = rows.map(({ id }) => id)
  await compareTwins(tx, now, ids)
  const done = rows.map(({ id, version }) => ({ id, version }))
  return { discarded: done.length, lines: done, skipped: lines.length - done.length }
}

/**
 * Reopens ignored lines. In bulk, lines of a closed day or statement and lines changed meanwhile are skipped; a single one is
 * refused with `bank.reconciled`, `bank.day_closed`, `changed_meanwhile`.
 */
export async function reopenLines(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  lines: readonly LineVersion[],
): Promise<{ reopened: number; skipped: number }> {
  // Not while a day is being closed, which would store figures with them.
  await sql`select pg_advisory_xact_lock_shared(hashtext('day_closings'))`.execute(tx)
  const ids = lines.map(({ id }) => id)
  await sql`select id from bank_lines where id = any(${ids}::bigint[]) order by id for update`.execute(tx)
  // And not while a statement is being closed.
  await sql`
    select id from bank_statements
    where id in (select statement_id from bank_lines where id = any(${ids}::bigint[]))
    order by id for share`.execute(tx)
  const { rows } = await sql<IgnoredLine>`
    select distinct on (l.id) l.id, x.version = l.version and l.state = 'discarded' as seen, l.reason,
      exists (select from bank_statements s where s.id = l.statement_id and s.reconciled_at is not null) as closed,
      exists (
        select from day_closings c where c.day = (l.decided_at at time zone 'Asia/Kolkata')::date) as "dayClosed"
    from bank_lines l
    join unnest(${ids}::bigint[], ${lines.map(({ version }) => version)}::int[])
    as x (id, version) on x.id = l.id`.execute(tx)
  const [only] = rows
  if (lines.length === 1) refuseReopening(orNotFound(only))
  const right = rows.filter(({ seen, closed, dayClosed }) => seen && !closed && !dayClosed)
  const these = right.map(({ id }) => id)
  await sql`
    update bank_lines set state = 'open', discarded = 0, rule_id = null, reason = '', decided_by = null,
      decided_at = null, version = version + 1
    where id = any(${these}::bigint[])`.execute(tx)
  await auditLines(
    tx,
    scope,
    now,
    'bank.reopened',
    right.map(({ id, reason }) => ({ id, change: { from: 'discarded', to: 'open', reason } })),
  )
  return { reopened: these.length, skipped: lines.length - these.length }
}

interface IgnoredLine {
  id: number
  /** The state shown to the officer */
  seen: boolean
  reason: string
  closed: boolean
  dayClosed: boolean
}

function refuseReopening({ seen, closed, dayClosed }: IgnoredLine): void {
  if (closed) throw new Refusal('bank.reconciled')
  if (!seen) throw new Refusal('changed_meanwhile')
  if (dayClosed) throw new Refusal('bank.day_closed')
}

/** Writes an audit line for each of these bank lines, in one statement. */
async function auditLines(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  action: string,
  lines: readonly { id: number; change: object }[],
): Promise<void> {
  if (lines.length === 0) return
  await sql`
    ${insertAudit(now, scope)}, null, null, ${action}, 'bank-line', x.id::text, x.change
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as x (id bigint, change jsonb)`.execute(tx)
}

interface ReturnDecision extends LineVersion {
  decision: 'reverse' | 'keep'
  reason: string
}

/**
 * Decides about the payments of a matched line whose money the bank has returned. `reverse` makes them due again, cancels the
 * credit that came from the line and restores the credit that was used with it; `keep` is for money that came another way.
 * Returns the cancelled receipts. Locks the line, its schools by id, then what verifying locks. Refuses with
 * `bank.not_returned`, `bank.return_moved`, `changed_meanwhile`, `credit.too_little`, `payments.own`.
 */
export async function settleReturned(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, decision, reason }: ReturnDecision,
  paymentsPage: string,
): Promise<{ receipts: string[] }> {
  await sql`select from bank_lines where id = ${id} for update`.execute(tx)
  const { rows } = await sql<{ version: number; amount: number; pending: boolean; returnedOn: string }>`
    select l.version, l.amount, ${isReturnUndecided} as pending, ${bouncedOn} as "returnedOn"
    from bank_lines l where l.id = ${id}`.execute(tx)
  const line = orNotFound(rows[0])
  if (!line.pending) throw new Refusal('bank.not_returned')
  if (line.version !== version) throw new Refusal('changed_meanwhile')
  const reversal = { lineId: id, reason, returnedOn: line.returnedOn, paymentsPage }
  const receipts = decision === 'reverse' ? await reverseLine(tx, scope, now, reversal) : []
  await sql`
    update bank_lines set returned_decided_at = ${now}, returned_decided_by = ${scope.staffId}, version = version + 1
    where id = ${id}`.execute(tx)
  const subject = { kind: 'bank-line', id }
  const act = decision === 'reverse' ? 'bank.return_reversed' : 'bank.return_kept'
  await audit(tx, now, scope, act, subject, { amount: line.amount, reason, receipts })
  return { receipts }
}

async function reverseLine(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { lineId, ...reversal }: { lineId: number; reason: string; returnedOn: string; paymentsPage: string },
): Promise<string[]> {
  const payments = await sql<{ id: number; school: number }>`
    select p.id, p.school_id as school from bank_line_payments b join payments p on p.id = b.payment_id
    where b.line_id = ${lineId} and p.state = 'verified' order by p.school_id, p.id`.execute(tx)
  const credits = await sql<{ school: number; season: string; kind: string; amount: number }>`
    select school_id as school, season, kind, sum(amount) as amount from school_credits
    where line_id = ${lineId} group by school_id, season, kind order by school_id`.execute(tx)
  const schools = [...payments.rows, ...credits.rows].map(({ school }) => school)
  await sql`select id from schools where id = any(${schools}::bigint[])
    order by id for no key update`.execute(tx)
  for (const { school: schoolId, season, kind, amount } of credits.rows) {
    const entry = { schoolId, amount: paise(Math.abs(amount)), lineId, note: reversal.reason }
    if (kind === 'received') await takeCredit(tx, scope, now, { ...entry, kind: 'refunded' })
    else if (kind === 'used') await receiveCredit(tx, scope, now, { ...entry, season })
  }
  const receipts: string[] = []
  for (const { id } of payments.rows) receipts.push(await reversePayment(tx, scope, now, { id, ...reversal }))
  await planMatching(tx, now, schools)
  return receipts
}
