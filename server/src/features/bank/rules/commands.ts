import type { bankRules } from '@podium/contract/bank/calls-statements'
import type { AnswerOf } from '@podium/contract/endpoint'
import { rupeesOf } from '@podium/contract/money'
import { type RawBuilder, sql } from 'kysely'
import { audit, insertAudit } from '#platform/audit'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope, Scope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { instant } from '#platform/db/list-queries'
import { changeRows } from '#platform/db/rows'
import { notFound, Refusal } from '#platform/errors'

/** SQL: `bank_lines l` is open, matched, and refers to nothing known. */
const pointsNowhere = sql<boolean>`
  (l.state = 'open' and l.guess = 'unknown' and l.books_at is null and l.guess_school_id is null
    and jsonb_array_length(l.proposal->'reasons') = 0)`

/** SQL: the narration (stored with single spaces) contains the text, ignoring case. */
const holds = (text: RawBuilder<unknown>) => sql<boolean>`position(lower(${text}) in lower(l.narration)) > 0`

/** All rules, active ones first. */
export async function rulesOf(db: Db, scope: OfficeScope) {
  const { rows } = await sql<AnswerOf<typeof bankRules>['data'][number]>`
    select r.id, r.contains, r.reason, c.name as "createdBy", ${instant('r.created_at')} as "createdAt",
      coalesce(v.name, '') as "revokedBy", ${instant('r.revoked_at')} as "revokedAt",
      (select count(*) from bank_lines l where l.rule_id = r.id and l.state = 'discarded') as lines
    from bank_rules r join staff c on c.id = r.created_by left join staff v on v.id = r.revoked_by
    order by r.revoked_at desc nulls first, r.id desc limit 200`.execute(db)
  return { data: rows, can: { decide: mayDo(scope.role, 'payments.decide') || ('access.denied' as const) } }
}

/** The effect of a rule on currently open lines. */
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
    amount: rupeesOf(amount),
    left,
    first: first.rows.map((row) => ({ ...row, amount: rupeesOf(row.amount) })),
  }
}

/**
 * Ignores open lines by the active rules, with an audit line each. A line that refers to a school, a reference or a UTR is
 * always left to a person.
 */
export async function applyRules(
  tx: Tx,
  now: Date,
  scope: Scope,
  which: { lines?: readonly number[]; rule?: number },
): Promise<number> {
  const lines = which.lines ? sql`l.id = any(${which.lines}::bigint[])` : sql`true`
  const rule = which.rule === undefined ? sql`true` : sql`r.id = ${which.rule}`
  const { numAffectedRows } = await sql`
    with hit as (
      select distinct on (l.id) l.id, r.id as rule, r.reason, r.created_by
      from bank_lines l join bank_rules r on r.revoked_at is null and ${holds(sql`r.contains`)}
      where ${lines} and ${rule} and ${pointsNowhere}
      order by l.id, r.id),
    done as (
      update bank_lines l
      set state = 'discarded', discarded = l.amount, reason = hit.reason, rule_id = hit.rule,
        decided_by = hit.created_by, decided_at = ${now}, version = l.version + 1
      from hit where l.id = hit.id and ${pointsNowhere}
      returning l.id, l.amount, l.reason, l.rule_id)
    ${insertAudit(now, scope)}, null, null, 'bank.discarded', 'bank-line', done.id::text,
      jsonb_build_object('amount', amount, 'reason', reason, 'rule', rule_id)
    from done`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Adds a rule and ignores matching open lines. Refuses with `bank.rule_known`. */
export async function addRule(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { contains, reason }: { contains: string; reason: string },
): Promise<{ id: number; ignored: number }> {
  const bare = contains.replace(/\s+/g, ' ')
  const inserted = await tx
    .insertInto('bank_rules')
    .values({ contains: bare, reason, created_by: scope.staffId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirstOrThrow(() => new Refusal('bank.rule_known'))
  const ignored = await applyRules(tx, now, scope, { rule: inserted.id })
  await audit(
    tx,
    now,
    scope,
    'bank.rule_added',
    { kind: 'bank-rule', id: inserted.id },
    { contains: bare, reason, ignored },
  )
  return { id: inserted.id, ignored }
}

/** Revokes a rule. Refuses with `not_found` if it is already revoked. */
export async function revokeRule(tx: Tx, scope: OfficeScope, now: Date, id: number): Promise<void> {
  const [rule] = await changeRows(tx, 'bank_rules', {
    where: { id, revoked_at: null },
    set: { revoked_by: scope.staffId, revoked_at: now },
    returning: ['contains'],
  })
  if (!rule) throw notFound()
  await audit(tx, now, scope, 'bank.rule_revoked', { kind: 'bank-rule', id }, { contains: rule.contains })
}
