import { addDays } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { refuseUnseen } from '#platform/seen'
import { figuresBetween, lastDayOver } from './queries.ts'

interface Closing {
  day: string
  /** The mark of the figures that were shown */
  seen: string
  note: string
}

/**
 * Closes a day that is over, with its figures as they stand. Every earlier day with money has to be closed; payments
 * without a bank line need a word. Refuses with `bank.*`, and `changed_meanwhile` where the figures are not those shown.
 */
export async function closeDay(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { day, seen, note }: Closing,
  withOthers = false,
): Promise<void> {
  if (day > lastDayOver(now)) throw new Refusal('bank.day_not_over')
  // One closing at a time: who closes two days at once closes them one after the other.
  await sql`select pg_advisory_xact_lock(hashtext('day_closings'))`.execute(tx)
  const { rows } = await sql<{ last: string | null; first: string | null }>`
    select (select max(day) from day_closings) as last, (
      select min(d)::date from (
        select min((decided_at at time zone 'Asia/Kolkata')::date) as d from payments where state = 'verified'
        union all select min((decided_at at time zone 'Asia/Kolkata')::date) from bank_lines) x) as first`.execute(
    tx,
  )
  const { last = null, first = null } = rows[0] ?? {}
  if (last !== null && day <= last) throw new Refusal('bank.day_closed')
  const begin = last === null ? (first ?? day) : addDays(last, 1)
  const figures = await figuresBetween(tx, begin, day)
  const its = figures.get(day)
  if (!its) throw new Refusal('not_found')
  if (last !== null && [...figures.keys()].some((other) => other < day))
    throw new Refusal('bank.earlier_day_open')
  refuseUnseen(seen, its)
  if (its.difference !== 0 && note === '')
    throw new Refusal('bank.note_needed', {
      issues: [{ path: 'note', message: sentences.dayWithoutLine }],
    })
  const kept = withOthers && its.difference === 0 ? '' : note
  await tx
    .insertInto('day_closings')
    .values({ day, figures: JSON.stringify(its), note: kept, closed_by: scope.staffId, closed_at: now })
    .execute()
  await audit(tx, now, scope, 'money.day_closed', { kind: 'money-day', id: day }, { ...its, note: kept })
}

/** Closes several days, the earliest first, all of them or none. The note is kept where there is a difference. */
export async function closeDays(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { days, note }: { days: readonly Omit<Closing, 'note'>[]; note: string },
): Promise<{ closed: number }> {
  const inOrder = days.toSorted((one, other) => one.day.localeCompare(other.day))
  for (const one of inOrder) await closeDay(tx, scope, now, { ...one, note }, true)
  return { closed: inOrder.length }
}
