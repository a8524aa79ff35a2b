import type { CreditRow, Refund } from '@podium/contract/bank/calls-credits'
import { fromRupees, paise, rupees, sumPaise } from '@podium/contract/money'
import type { Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { accountAnswer } from '#features/ledger/statement/queries'
import { promisedRefunds } from '#features/payments/queries'
import { mayDo } from '#platform/auth/policy'
import { type OfficeScope, reachOf } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { searchWords } from '#platform/db/search-words'
import { orNotFound } from '#platform/errors'

interface RefundRow {
  id: number
  school_id: number
  code: string
  name: string
  amount: number
  pay_to: string
  reason: string
  state: Refund['state']
  proposed_by: number
  proposer: string
  proposed_at: Date
  decider: string | null
  decided_at: Date | null
  decision_note: string
  utr: string
  filed_at: Date | null
  settler: string | null
  settled_at: Date | null
  settle_note: string
}

function refundOf(scope: OfficeScope, row: RefundRow): Refund {
  const may = mayDo(scope.role, 'payments.decide') || 'access.denied'
  const open = row.state === 'proposed'
  const own = row.proposed_by === scope.staffId
  return {
    id: row.id,
    schoolId: row.school_id,
    schCode: row.code,
    schName: row.name,
    amount: rupees(paise(row.amount)),
    payTo: row.pay_to,
    reason: row.reason,
    state: row.state,
    proposedBy: row.proposer,
    proposedAt: row.proposed_at.toISOString(),
    decidedBy: row.decider ?? '',
    decidedAt: row.decided_at?.toISOString() ?? null,
    decisionNote: row.decision_note,
    utr: row.utr,
    filedAt: row.filed_at?.toISOString() ?? null,
    settledBy: row.settler ?? '',
    settledAt: row.settled_at?.toISOString() ?? null,
    settleNote: row.settle_note,
    can: {
      decide: !open ? 'refund.decided' : own ? 'refund.own' : may,
      withdraw: open ? may : 'refund.decided',
      settle: row.state === 'approved' ? may : open ? 'refund.not_approved' : 'refund.settled',
    },
  }
}

const schoolHas = (search: string) => {
  const words = searchWords(search)
  if (search === '') return sql`true`
  if (words.length === 0) return sql`false`
  return sql.join(
    words.map((word) => sql`o.search_key like ${`%${word}%`}`),
    sql` and `,
  )
}

async function creditsBy(db: Db | Tx, search: string, window: RawBuilder<unknown>): Promise<CreditRow[]> {
  const { rows } = await sql<{ id: number; code: string; name: string; amount: number; promised: number }>`
    select o.id, o.code, o.name, c.amount, coalesce(r.promised, 0) as promised
    from (select school_id, sum(amount) as amount from school_credits group by school_id having sum(amount) > 0) c
    join schools o on o.id = c.school_id
    left join (select school_id, sum(amount) as promised from ${promisedRefunds} group by school_id) r
      on r.school_id = c.school_id
    where ${schoolHas(search)} order by c.amount desc, o.id ${window}`.execute(db)
  return rows.map((row) => ({
    schoolId: row.id,
    schCode: row.code,
    schName: row.name,
    amount: rupees(paise(row.amount)),
    promised: rupees(paise(row.promised)),
  }))
}

async function refundsBy(db: Db | Tx, scope: OfficeScope, search: string, window: RawBuilder<unknown>) {
  const { rows } = await sql<RefundRow>`
    select r.id, r.school_id, o.code, o.name, r.amount, r.pay_to, r.reason, r.state, r.proposed_by,
      p.name as proposer, r.proposed_at, d.name as decider, r.decided_at, r.decision_note, r.utr,
      r.filed_at, s.name as settler, r.settled_at, r.settle_note
    from refunds r join schools o on o.id = r.school_id join staff p on p.id = r.proposed_by
    left join staff d on d.id = r.decided_by left join staff s on s.id = r.settled_by
    where ${schoolHas(search)}
    order by case r.state when 'proposed' then 1 when 'approved' then 2 else 3 end, r.id desc ${window}`.execute(
    db,
  )
  return rows.map((row) => refundOf(scope, row))
}

/** All schools with credit that a search leaves, the largest first. */
export const allCredits = (tx: Tx, _scope: OfficeScope, search: string) => creditsBy(tx, search, sql``)

/** All refunds that a search leaves: those that wait, then the latest. */
export const allRefunds = (tx: Tx, scope: OfficeScope, search: string) => refundsBy(tx, scope, search, sql``)

/** How many refunds are approved and not paid, whatever is searched for. */
async function toPayOf(db: Db) {
  const { rows } = await sql<{ refunds: number; amount: number; fresh: number; by_hand: number }>`
    select count(*) as refunds, coalesce(sum(r.amount), 0) as amount,
      count(*) filter (where r.account_no <> '' and r.filed_at is null) as fresh,
      count(*) filter (where r.account_no = '') as by_hand
    from refunds r where r.state = 'approved'`.execute(db)
  const { refunds, amount, fresh, by_hand } = rows[0] ?? { refunds: 0, amount: 0, fresh: 0, by_hand: 0 }
  return { refunds, amount: rupees(paise(amount)), fresh, byHand: by_hand }
}

/** Schools with credit, the largest first, at most 200; refunds that wait, then the last hundred that do not. */
export async function creditsList(db: Db, scope: OfficeScope, search: string) {
  const credits = await creditsBy(db, search, sql`limit 200`)
  return {
    credits,
    total: rupees(sumPaise(credits.map(({ amount }) => fromRupees(amount)))),
    refunds: await refundsBy(db, scope, search, sql`limit 100`),
    toPay: await toPayOf(db),
    can: { propose: mayDo(scope.role, 'payments.decide') || 'access.denied' },
  }
}

/** The account of any school as that school sees it. */
export async function accountForOffice(db: Db, scope: OfficeScope, schoolId: number, season: Season) {
  const school = orNotFound(
    await db
      .selectFrom('schools')
      .select(['id', 'code', 'name'])
      .where('id', '=', schoolId)
      .executeTakeFirst(),
  )
  const account = await accountAnswer(db, reachOf(scope, schoolId), season)
  return { schoolId, schCode: school.code, schName: school.name, ...account }
}
