import { paise } from '@podium/contract/money'
import type { Purpose } from '@podium/contract/payments/rules'
import { parseSeason, seasonBefore } from '@podium/contract/season'
import { sql } from 'kysely'
import { charges, dueLibraryLine, isWithdrawn, notInPayment } from '#features/payments/queries'
import { referenceOf } from '#features/payments/rules'
import type { Db, Tx } from '#platform/db/database'
import { readFoundation } from '#platform/foundation'
import type { Item, KnownSchool } from './rules-candidates.ts'
import { prefixOf } from './rules-text.ts'

/** The key of what a school owes: `d45-2026-27-books`. */
function dueKey(schoolId: number, season: string, purpose: Purpose): string {
  return `d${schoolId}-${season}-${purpose}`
}

/** Seasons that money still arrives for: those that are open, and the last one that was closed. */
export async function payableSeasons(db: Db | Tx): Promise<string[]> {
  const { rows } = await sql<{ label: string }>`
    select label from seasons
    where state = 'open' or state = 'closed' and label = (select max(label) from seasons where state = 'closed')
    order by label`.execute(db)
  return rows.map(({ label }) => label)
}

/** Prefixes of payment references in these and earlier seasons. */
export async function referencePrefixes(db: Db | Tx): Promise<string[]> {
  const { receipt_prefix } = await readFoundation(db)
  const seasons = (await payableSeasons(db)).flatMap((label) => parseSeason(label) ?? [])
  const all = [...seasons, ...seasons.map(seasonBefore)]
  return [
    ...new Set(all.map((season) => prefixOf(referenceOf(receipt_prefix, season, '', 'registration', [])))),
  ]
}

/** All schools as bank lines may name them; codes and names of merged schools mean the remaining one. */
export async function knownSchools(db: Db | Tx): Promise<KnownSchool[]> {
  return (
    db
      .selectFrom('schools')
      .select((item) => [item.fn.coalesce('merged_into', 'id').as('id'), 'code', 'name'])
      // The school's own code comes last, so that it wins.
      .orderBy('schools.merged_into', (order) => order.desc().nullsLast())
      .orderBy('schools.id')
      .execute()
  )
}

type PaymentRow = Omit<Item, 'amount' | 'rejected' | 'after'> & { amount: number }

const itemOf = (row: PaymentRow): Item => ({ ...row, amount: paise(row.amount), rejected: '', after: null })

const paymentColumns = sql`
  p.id as "paymentId", 'p' || p.id as key, p.school_id as "schoolId", p.season, p.purpose, p.reference, p.payable as amount,
  p.utr, p.paid_on as day, coalesce(p.receipt_no, '') as "receiptNo", case
    when p.state = 'pending' then 'open'
    when exists (select from bank_line_payments b where b.payment_id = p.id)
      or coalesce((select -sum(c.amount) from school_credits c where c.payment_id = p.id and c.kind = 'used'), 0) = p.payable
    then 'settled' else 'paid' end as state,
  p.state = 'verified' and exists (select from seasons z where z.label = p.season and z.state = 'closed') as closed`

/** All pending payments, and those verified in the seasons that belong to these schools or have these UTRs. */
export async function paymentItems(
  db: Db | Tx,
  about: { schoolIds: readonly number[]; utrs: readonly string[]; seasons: readonly string[] },
): Promise<Item[]> {
  const { rows } = await sql<PaymentRow>`
    select ${paymentColumns} from payments p where p.state = 'pending'
    union all
    select ${paymentColumns} from payments p
    where p.state = 'verified' and p.season = any(${about.seasons}::text[])
      and (p.school_id = any(${about.schoolIds}::bigint[]) or (p.utr <> '' and p.utr = any(${about.utrs}::text[])))
    order by 1`.execute(db)
  return rows.map(itemOf)
}

/** Pending payments of these schools, and those verified by hand in these seasons without their money. */
export async function paymentItemsOf(
  db: Db | Tx,
  schoolIds: readonly number[],
  seasons: readonly string[],
): Promise<Item[]> {
  const { rows } = await sql<PaymentRow>`
    select ${paymentColumns} from payments p
    where p.school_id = any(${schoolIds}::bigint[])
      and (p.state = 'pending' or (p.state = 'verified' and p.season = any(${seasons}::text[])))
    order by p.id`.execute(db)
  return rows.map(itemOf).filter(({ state }) => state !== 'settled')
}

interface DueRow {
  school_id: number
  code: string
  season: string
  purpose: Purpose
  amount: number
  earlier: { reference: string }[]
  rejected: string
  closed: boolean
  pending_id: number | null
  pending_reference: string | null
}

/**
 * What these schools owe in these seasons and have not reported as paid. While a payment of a fee is pending, no more of that
 * fee can be paid without it.
 */
export async function dueItemsOf(
  db: Db | Tx,
  schoolIds: readonly number[],
  seasons: readonly string[],
): Promise<Item[]> {
  if (schoolIds.length === 0) return []
  const { rows } = await sql<DueRow>`
    with owed as (
      select s.school_id, s.season, c.purpose, sum(c.gross - c.retained) as amount
      from students s cross join ${charges}
      where s.school_id = any(${schoolIds}::bigint[]) and s.season = any(${seasons}::text[]) and s.active
        and c.wanted and ${notInPayment}
      group by s.school_id, s.season, c.purpose
      union all
      select l.school_id, l.season, 'library', sum(l.quantity * (l.price - l.retained))
      from library_lines l
      where l.school_id = any(${schoolIds}::bigint[]) and l.season = any(${seasons}::text[]) and ${dueLibraryLine}
      group by l.school_id, l.season),
    sent as (
      select school_id, season, purpose, json_agg(json_build_object('reference', reference)) filter (where state <> 'rejected') as earlier,
        max(id) filter (where state = 'pending') as pending_id,
        max(reference) filter (where state = 'pending') as pending_reference,
        (array_agg(case when state = 'rejected' and not ${isWithdrawn} then reason else '' end order by id desc))[1] as rejected
      from payments p
      where school_id = any(${schoolIds}::bigint[]) and season = any(${seasons}::text[])
      group by school_id, season, purpose)
    select o.school_id, x.code, o.season, o.purpose, o.amount, coalesce(sent.earlier, '[]') as earlier,
      coalesce(sent.rejected, '') as rejected, z.state = 'closed' as closed, sent.pending_id, sent.pending_reference
    from owed o join schools x on x.id = o.school_id join seasons z on z.label = o.season
    left join sent on sent.school_id = o.school_id and sent.season = o.season and sent.purpose = o.purpose
    where o.amount > 0
    order by o.school_id, o.season desc, o.purpose desc`.execute(db)
  const { receipt_prefix } = await readFoundation(db)
  return rows.flatMap((row) => {
    const season = parseSeason(row.season)
    if (!season) return []
    return [
      {
        key: dueKey(row.school_id, season, row.purpose),
        paymentId: null,
        schoolId: row.school_id,
        season,
        purpose: row.purpose,
        reference: referenceOf(receipt_prefix, season, row.code, row.purpose, row.earlier),
        amount: paise(row.amount),
        utr: '',
        day: '',
        state: 'open' as const,
        receiptNo: '',
        rejected: row.rejected,
        closed: row.closed,
        after:
          row.pending_id === null
            ? null
            : { key: `p${row.pending_id}`, reference: row.pending_reference ?? '' },
      },
    ]
  })
}
