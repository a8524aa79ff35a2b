import { paise, rupees } from '@podium/contract/money'
import { type RawBuilder, sql } from 'kysely'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'

/** Of `bank_lines l`: open, compared, and nothing in it is known. */
export const pointsNowhere = sql<boolean>`
  (l.state = 'open' and l.guess = 'unknown' and l.books_at is null and l.guess_school_id is null
    and jsonb_array_length(l.proposal->'reasons') = 0)`

/** Narrations are kept with single spaces; the text is looked for as it is, without case. */
export const holds = (text: RawBuilder<unknown>) =>
  sql<boolean>`position(lower(${text}) in lower(l.narration)) > 0`

/** All rules, those in force first. */
export async function rulesOf(db: Db, scope: OfficeScope) {
  const { rows } = await sql<{
    id: number
    contains: string
    reason: string
    lines: number
    created_by: string
    created_at: Date
    revoked_by: string | null
    revoked_at: Date | null
  }>`
    select r.id, r.contains, r.reason, c.name as created_by, r.created_at, v.name as revoked_by, r.revoked_at,
      (select count(*) from bank_lines l where l.rule_id = r.id and l.state = 'discarded') as lines
    from bank_rules r join staff c on c.id = r.created_by left join staff v on v.id = r.revoked_by
    order by r.revoked_at desc nulls first, r.id desc limit 200`.execute(db)
  return {
    data: rows.map((row) => ({
      id: row.id,
      contains: row.contains,
      reason: row.reason,
      lines: row.lines,
      createdBy: row.created_by,
      createdAt: row.created_at.toISOString(),
      revokedBy: row.revoked_by ?? '',
      revokedAt: row.revoked_at?.toISOString() ?? null,
    })),
    can: { decide: mayDo(scope.role, 'payments.decide') || ('access.denied' as const) },
  }
}

/** What a rule would do to the lines that are open now. */
export async function rulePreview(db: Db, _scope: OfficeScope, contains: string) {
  const text = sql`${contains.replace(/\s+/g, ' ')}::text`
  const { rows } = await sql<{ lines: number; amount: number; left: number }>`
    select count(*) filter (where ${pointsNowhere}) as lines,
      coalesce(sum(l.amount) filter (where ${pointsNowhere}), 0) as amount,
      count(*) filter (where not ${pointsNowhere}) as left
    from bank_lines l where l.state = 'open' and ${holds(text)}`.execute(db)
  const first = await sql<{ id: number; day: string; amount: number; narration: string }>`
    select l.id, l.day, l.amount, l.narration from bank_lines l
    where ${pointsNowhere} and ${holds(text)} order by l.day desc, l.id desc limit 6`.execute(db)
  const { lines = 0, amount = 0, left = 0 } = rows[0] ?? {}
  return {
    lines,
    amount: rupees(paise(amount)),
    left,
    first: first.rows.map((row) => ({ ...row, amount: rupees(paise(row.amount)) })),
  }
}
