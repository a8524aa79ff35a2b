import type { DayFigures, MoneyDay } from '@podium/contract/ledger/calls'
import { fromRupees, rupeesOf } from '@podium/contract/money'
import { addDays, istDay, type Season, seasonYear } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, ReadTx, Tx } from '#platform/db/database'
import { fingerprint } from '#platform/http/idempotency'
import { returnedCredit } from '../statement/queries.ts'

/** SQL: payments that were verified, even if the bank has returned the money since, which is an entry of its own day. */
const wasVerified = sql`p.receipt_no is not null`

const dayOf = (column: RawBuilder<unknown>) => sql`(${column} at time zone 'Asia/Kolkata')::date`

interface Row {
  day: string
  lines: number
  lines_amount: number
  to_payments: number
  to_earlier: number
  to_credit: number
  discarded: number
  payments: number
  payments_amount: number
  from_lines: number
  from_credit: number
  found_later: number
  arrived: number
  arrived_open: number
  credit_received: number
  credit_used: number
  refunds: number
  refunds_amount: number
  reversals: number
  reversals_amount: number
  receipts: { season: string; first: string; last: string; count: number; gaps: number }[] | null
}

/**
 * The amounts decided on each day of a period, in paise. Everything counts on the day of its decision, so later events never
 * change a past day.
 */
export async function figuresBetween(
  db: Db | Tx,
  from: string,
  until: string,
): Promise<Map<string, DayFigures>> {
  const span = (column: RawBuilder<unknown>) => sql`
    ${column} >= ${`${from}T00:00:00+05:30`}::timestamptz
    and ${column} < ${`${until}T00:00:00+05:30`}::timestamptz + interval '1 day'`
  // India has no daylight saving time, so days can be binned by length instead of converting each instant to a date.
  const bin = (column: RawBuilder<unknown>) => sql`
    date_bin('1 day', ${column}, ${`${from}T00:00:00+05:30`}::timestamptz)`
  const { rows } = await sql<Row>`
    with decided as (
      select ${dayOf(sql`began`)} as day, lines, amount, to_payments, to_credit, discarded from (
        select ${bin(sql`l.decided_at`)} as began, count(*) as lines, sum(l.amount) as amount,
          sum(l.to_payments) as to_payments, sum(l.to_credit) as to_credit, sum(l.discarded) as discarded
        from bank_lines l where ${span(sql`l.decided_at`)} group by 1) l),
    linked as (
      select ${dayOf(sql`began`)} as day, same, earlier from (
        select ${bin(sql`b.at`)} as began, sum(b.amount) filter (where ${bin(sql`p.decided_at`)} = ${bin(sql`b.at`)}) as same,
          sum(b.amount) filter (where ${bin(sql`p.decided_at`)} < ${bin(sql`b.at`)}) as earlier
        from bank_line_payments b join payments p on p.id = b.payment_id where ${span(sql`b.at`)} group by 1) b),
    numbered as materialized (
      select ${dayOf(sql`began`)} as day, season, first, last, count, amount, highest - lowest + 1 - count as gaps from (
        select began, season, min(receipt_no) as first, max(receipt_no) as last, count(*) as count, sum(payable) as amount,
          max(number) as highest, min(number) as lowest
        from (
          select ${bin(sql`p.decided_at`)} as began, p.season, p.receipt_no, p.payable, split_part(p.receipt_no, '/', 2)::int as number
          from payments p where ${wasVerified} and ${span(sql`p.decided_at`)} offset 0) p
        group by began, season) p),
    verified as (select day, sum(count) as payments, sum(amount) as amount from numbered group by day),
    receipts as (
      select day, jsonb_agg(jsonb_build_object('season', season, 'first', first, 'last', last, 'count', count, 'gaps', gaps)
        order by season) as receipts from numbered group by day),
    credited as (
      select ${dayOf(sql`c.created_at`)} as day, sum(c.amount) filter (where c.kind = 'received') as received,
        -sum(c.amount) filter (where c.kind = 'used') as used,
        -sum(c.amount) filter (where c.kind = 'used' and ${bin(sql`p.decided_at`)} = ${bin(sql`c.created_at`)}) as used_same
      from school_credits c left join payments p on p.id = c.payment_id where ${span(sql`c.created_at`)} group by 1),
    later as (
      select ${dayOf(sql`began`)} as day, amount from (
        select ${bin(sql`p.decided_at`)} as began, sum(b.amount + coalesce((
            select -sum(c.amount) from school_credits c where c.payment_id = p.id and c.line_id = b.line_id and c.kind = 'used'), 0)) as amount
        from payments p join bank_line_payments b on b.payment_id = p.id
        where ${wasVerified} and ${span(sql`p.decided_at`)} and b.found_later
          and ${bin(sql`b.at`)} > ${bin(sql`p.decided_at`)} group by 1) b),
    arrived as (
      select l.day, sum(l.amount) as amount, sum(l.amount) filter (where l.state = 'open') as waiting
      from bank_lines l where l.day between ${from}::date and ${until}::date group by l.day),
    returned as (
      select ${dayOf(sql`r.settled_at`)} as day, count(*) as refunds, sum(r.amount) as amount
      from refunds r where r.state = 'paid' and ${span(sql`r.settled_at`)} group by 1),
    reversed as (
      select ${dayOf(sql`at`)} as day, sum(payments)::int as payments, sum(amount) as amount from (
        select p.reversed_at as at, 1 as payments, p.payable as amount from payments p where ${span(sql`p.reversed_at`)}
        union all select c.created_at, 0, -c.amount from school_credits c
        where ${returnedCredit} and ${span(sql`c.created_at`)}) r group by 1),
    days as (
      select day from reversed union select day from decided union select day from verified union select day from credited union select day from returned)
    select d.day, coalesce(x.lines, 0) as lines, coalesce(x.amount, 0) as lines_amount,
      coalesce(k.same, 0) as to_payments, coalesce(k.earlier, 0) as to_earlier, coalesce(x.to_credit, 0) as to_credit,
      coalesce(x.discarded, 0) as discarded, coalesce(v.payments, 0) as payments,
      coalesce(v.amount, 0) as payments_amount, coalesce(k.same, 0) as from_lines, coalesce(c.used_same, 0) as from_credit,
      coalesce(f.amount, 0) as found_later, coalesce(a.amount, 0) as arrived, coalesce(a.waiting, 0) as arrived_open,
      coalesce(c.received, 0) as credit_received, coalesce(c.used, 0) as credit_used,
      coalesce(r.refunds, 0) as refunds, coalesce(r.amount, 0) as refunds_amount, coalesce(w.payments, 0) as reversals,
      coalesce(w.amount, 0) as reversals_amount, n.receipts
    from days d left join decided x on x.day = d.day left join linked k on k.day = d.day
    left join verified v on v.day = d.day left join receipts n on n.day = d.day
    left join credited c on c.day = d.day left join returned r on r.day = d.day
    left join reversed w on w.day = d.day
    left join later f on f.day = d.day left join arrived a on a.day = d.day
    order by d.day desc`.execute(db)
  return new Map(rows.map((row) => [row.day, figuresOf(row)]))
}

function figuresOf(row: Row): DayFigures {
  const show = (amount: number) => rupeesOf(amount)
  return {
    lines: row.lines,
    linesAmount: show(row.lines_amount),
    toPayments: show(row.to_payments),
    toEarlier: show(row.to_earlier),
    toCredit: show(row.to_credit),
    discarded: show(row.discarded),
    payments: row.payments,
    paymentsAmount: show(row.payments_amount),
    fromLines: show(row.from_lines),
    fromCredit: show(row.from_credit),
    foundLater: show(row.found_later),
    difference: show(row.payments_amount - row.from_lines - row.from_credit - row.found_later),
    arrived: show(row.arrived),
    arrivedOpen: show(row.arrived_open),
    receipts: row.receipts ?? [],
    creditReceived: show(row.credit_received),
    creditUsed: show(row.credit_used),
    refunds: row.refunds,
    refundsAmount: show(row.refunds_amount),
    reversals: row.reversals,
    reversalsAmount: show(row.reversals_amount),
  }
}

/** Minutes after midnight in which transactions begun the day before may still commit. */
const grace = 10

/** The last day that can be closed, because everything decided on it has been committed. */
export function lastDayOver(now: Date): string {
  return addDays(istDay(new Date(now.getTime() - grace * 60_000)), -1)
}

/** Defaults for figures that earlier closings did not store. */
const laterFigures = { reversals: 0, reversalsAmount: 0, foundLater: 0, arrived: 0, arrivedOpen: 0 }

/** The days of a season with decisions, newest first; closed days with the figures at closing. */
export async function moneyDaysOf(
  db: Db,
  scope: OfficeScope,
  season: Season,
  now: Date,
): Promise<MoneyDay[]> {
  const year = seasonYear(season)
  const [from, until] = [`${year}-04-01`, `${year + 1}-03-31`]
  const figures = await figuresBetween(db, from, until)
  const closings = await db
    .selectFrom('day_closings as c')
    .innerJoin('staff as o', 'o.id', 'c.closed_by')
    .select(['c.day', 'c.figures', 'c.note', 'c.closed_at', 'o.name'])
    .where('c.day', '>=', from)
    .where('c.day', '<=', until)
    .execute()
  const closed = new Map(closings.map((closing) => [closing.day, closing]))
  const last = [...closed.keys()].sort().at(-1)
  // From the first closing on, days must be closed one after another.
  const open = [...figures.keys()].filter((day) => last === undefined || day > last).sort()
  const may = mayDo(scope.role, 'payments.decide') || 'access.denied'
  return [...figures].map(([day, current]) => {
    const closing = closed.get(day)
    // Users who may not close days are not offered to close several.
    const next = last === undefined || day === open[0] || may !== true ? may : 'bank.earlier_day_open'
    const mayClose =
      day > lastDayOver(now)
        ? 'bank.day_not_over'
        : last !== undefined && day < last
          ? 'bank.day_closed'
          : next
    const atClosing = closing && { ...laterFigures, ...(closing.figures as DayFigures) }
    const since = atClosing ? fromRupees(current.foundLater) - fromRupees(atClosing.foundLater) : 0
    return {
      day,
      figures: atClosing ?? current,
      foundSince: rupeesOf(Math.max(0, Math.min(since, fromRupees(atClosing?.difference ?? 0)))),
      seen: fingerprint(current),
      closedBy: closing?.name ?? '',
      closedAt: closing?.closed_at.toISOString() ?? null,
      note: closing?.note ?? '',
      can: { close: closing ? 'bank.day_closed' : mayClose },
    }
  })
}

/** One money decision in the accountant's journal; amounts in paise. */
export interface JournalRow {
  at: Date
  /** Unique and stable id */
  entry: string
  day: string
  kind: string
  code: string
  school: string
  season: string
  receipt_no: string
  reference: string
  utr: string
  bank_day: string | null
  amount: number
  by: string
  note: string
}

/** All decisions of a period in order of days: payments, bank lines, credits, refunds, waivers, moves. */
export async function journal(tx: ReadTx, from: string, until: string): Promise<JournalRow[]> {
  const span = (column: RawBuilder<unknown>) => sql`
    ${column} >= ${`${from}T00:00:00+05:30`}::timestamptz
    and ${column} < ${`${until}T00:00:00+05:30`}::timestamptz + interval '1 day'`
  await sql`set local statement_timeout = '30s'`.execute(tx)
  const { rows } = await sql<JournalRow>`
    select x.at, x.place || '-' || x.id as entry, ${dayOf(sql`x.at`)} as day, x.kind, coalesce(o.code, '') as code, coalesce(o.name, '') as school, x.season,
      x.receipt_no, x.reference, x.utr, x.bank_day, x.amount, coalesce(s.name, '') as by, x.note
    from (
      select p.decided_at as at, 'Payment verified' as kind, p.school_id, p.season, coalesce(p.receipt_no, '') as receipt_no,
        p.reference, p.utr, null::date as bank_day, p.payable::bigint as amount, p.decided_by, '' as note, 1 as place, p.id
      from payments p where ${wasVerified} and ${span(sql`p.decided_at`)}
      union all
      select p.reversed_at, 'Payment reversed', p.school_id, p.season, coalesce(p.receipt_no, ''), p.reference, p.utr,
        null, -p.payable::bigint, p.reversed_by, p.reason, 7, p.id
      from payments p where ${span(sql`p.reversed_at`)}
      union all
      select b.at, 'Bank line matched', p.school_id, p.season, coalesce(p.receipt_no, ''), p.reference, l.utr, l.day,
        b.amount, l.decided_by, l.narration, 2, l.id
      from bank_line_payments b join payments p on p.id = b.payment_id join bank_lines l on l.id = b.line_id
      where ${span(sql`b.at`)}
      union all
      select c.created_at, case when ${returnedCredit} then 'Credit returned by the bank' else case c.kind
        when 'received' then 'Credit received' when 'used' then 'Credit used'
        when 'cancelled' then 'Credit of a cancelled student' else 'Refund paid' end end, c.school_id, c.season, coalesce(p.receipt_no, ''), coalesce(p.reference, ''),
        coalesce(r.utr, l.utr, ''), l.day, c.amount, c.created_by, c.note, 3, c.id
      from school_credits c left join payments p on p.id = c.payment_id left join bank_lines l on l.id = c.line_id
      left join refunds r on r.id = c.refund_id where ${span(sql`c.created_at`)}
      union all
      select l.decided_at, 'Bank line ignored', null, '', '', '', l.utr, l.day, l.amount, l.decided_by, l.reason, 4, l.id
      from bank_lines l where l.state = 'discarded' and ${span(sql`l.decided_at`)}
      union all
      select w.decided_at, 'Fee waived', s.school_id, w.season, '', '', '', null, w.gross - w.retained, w.decided_by,
        w.reason, 5, w.id
      from waivers w join students s on s.id = w.student_id where w.state = 'approved' and ${span(sql`w.decided_at`)}
      union all
      select m.at, case when y.came then 'Paid by the previous school' else 'Paid, now at another school' end,
        case when y.came then m.to_school else m.from_school end, m.season, '', '', '', null,
        case when y.came then m.amount else -m.amount end, m.moved_by, m.reason, 6, m.id
      from student_moves m cross join (values (false), (true)) y (came) where m.amount > 0 and ${span(sql`m.at`)}) x
    left join schools o on o.id = x.school_id left join staff s on s.id = x.decided_by
    order by x.at, x.place, x.id`.execute(tx)
  return rows
}
