import { type Paise, paise } from '@podium/contract/money'
import type { Purpose } from '@podium/contract/payments/rules'
import { parseSeason, type Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { SchoolAccess } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { dueLibraryLine } from '../queries.ts'
import { type Figures, figuresOf } from '../rules.ts'

/** What a payment covers, locked for the transaction. */
export interface Cover {
  purpose: Purpose
  season: Season
  figures: Figures
  /** As listed in the activity log */
  listed: Record<string, number[]>
  /** Stores what the payment covers, so that no other payment can cover it. */
  store(paymentId: number): Promise<void>
}

interface Line {
  season: string
  due: boolean
  pending: boolean
  gross: number
  retained: number
}

/**
 * Locks the lines of a library order and returns their cost. An order is paid as a whole: exactly the lines due in the
 * season. The school must be locked. Refuses with `not_found`, `payments.order_changed`, `payments.order_sent`.
 */
export async function coverLibrary(
  tx: Tx,
  scope: SchoolAccess,
  ids: number[],
  statedSeason: string | undefined,
): Promise<Cover> {
  const { rows: lines } = await sql<Line>`
    select season, ${dueLibraryLine} as due, payment_id is not null and not paid as pending,
      quantity * price as gross, quantity * retained as retained
    from library_lines l where id = any(${ids}::bigint[]) and school_id = ${scope.schoolId}
    order by id for update`.execute(tx)
  if (lines.length !== ids.length) throw new Refusal('not_found')
  if (lines.every((line) => line.pending)) throw new Refusal('payments.order_sent')
  const season = parseSeason(lines[0]?.season ?? '')
  const asShown = lines.every((line) => line.due && line.season === season)
  if (!season || !asShown || (statedSeason !== undefined && statedSeason !== season)) {
    throw new Refusal('payments.order_changed')
  }
  const { rows } = await sql<{ due: number }>`
    select count(*) as due from library_lines l
    where school_id = ${scope.schoolId} and season = ${season} and ${dueLibraryLine}`.execute(tx)
  if (rows[0]?.due !== ids.length) throw new Refusal('payments.order_changed')
  return {
    purpose: 'library',
    season,
    figures: figuresOf(lines),
    listed: { libraryLines: ids },
    async store(paymentId) {
      await sql`
        insert into payment_library_lines (payment_id, line_id, event_id, class_id, kind, quantity, gross, retained)
        select ${paymentId}, id, event_id, class_id, kind, quantity, quantity * price, quantity * retained
        from library_lines where id = any(${ids}::bigint[])`.execute(tx)
      await sql`update library_lines set payment_id = ${paymentId}
        where id = any(${ids}::bigint[])`.execute(tx)
    },
  }
}

/** Whether a submission without a purpose lists due lines of the library order, with exactly their amount. */
export async function isLibraryPayment(
  tx: Tx,
  scope: SchoolAccess,
  ids: number[],
  amount: Paise,
): Promise<boolean> {
  const { rows } = await sql<{ lines: number; payable: number; students: number }>`
    select count(*) as lines, coalesce(sum(quantity * (price - retained)), 0) as payable,
      (select count(*) from students s where s.id = any(${ids}::bigint[]) and s.school_id = ${scope.schoolId}) as students
    from library_lines l
    where id = any(${ids}::bigint[]) and school_id = ${scope.schoolId} and ${dueLibraryLine}`.execute(tx)
  const [found] = rows
  return (
    found !== undefined &&
    found.lines === ids.length &&
    paise(found.payable) === amount &&
    found.students < ids.length
  )
}

/** Locks the school, then the lines that a payment covers. */
export async function lockLibrary(tx: Tx, paymentId: number): Promise<void> {
  await sql`select id from library_lines where payment_id = ${paymentId} order by id for update`.execute(tx)
}

/** Marks the lines of a library order as paid, or as due again. */
export async function markLibraryLines(
  tx: Tx,
  paymentId: number,
  outcome: 'verified' | 'rejected',
): Promise<void> {
  const change = outcome === 'verified' ? sql`paid = true` : sql`paid = false, payment_id = null`
  await sql`update library_lines set ${change} where payment_id = ${paymentId}`.execute(tx)
}
