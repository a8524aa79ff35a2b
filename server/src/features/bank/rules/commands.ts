import { sql } from 'kysely'
import { actorOf, audit } from '#platform/audit'
import type { OfficeScope, Scope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { holds, pointsNowhere } from './queries.ts'

/**
 * Ignores open lines by the rules that are in force, with an audit line each. A line that points at a school, a reference
 * or a UTR is left to a person, whatever it contains.
 */
export async function applyRules(
  tx: Tx,
  now: Date,
  scope: Scope,
  which: { lines?: readonly number[]; rule?: number },
): Promise<number> {
  const lines = which.lines ? sql`l.id = any(${which.lines}::bigint[])` : sql`true`
  const rule = which.rule === undefined ? sql`true` : sql`r.id = ${which.rule}`
  const { actor_kind, actor_id, actor_name, acting_for } = actorOf(scope)
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
    insert into audit (actor_kind, actor_id, actor_name, acting_for, at, action, subject_kind, subject_id, change)
    select ${actor_kind}, ${actor_id ?? null}::bigint, ${actor_name}, ${acting_for}, ${now}::timestamptz, 'bank.discarded',
      'bank-line', done.id::text, jsonb_build_object('amount', amount, 'reason', reason, 'rule', rule_id)
    from done`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Keeps a rule, and ignores the open lines that it fits. Refuses with `bank.rule_known`. */
export async function addRule(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { contains, reason }: { contains: string; reason: string },
): Promise<{ id: number; ignored: number }> {
  const bare = contains.replace(/\s+/g, ' ')
  const kept = await tx
    .insertInto('bank_rules')
    .values({ contains: bare, reason, created_by: scope.staffId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!kept) throw new Refusal('bank.rule_known')
  const ignored = await applyRules(tx, now, scope, { rule: kept.id })
  await audit(
    tx,
    now,
    scope,
    'bank.rule_added',
    { kind: 'bank-rule', id: kept.id },
    { contains: bare, reason, ignored },
  )
  return { id: kept.id, ignored }
}

/** Refuses with `not_found` for one that is revoked already. */
export async function revokeRule(tx: Tx, scope: OfficeScope, now: Date, id: number): Promise<void> {
  const rule = await tx
    .updateTable('bank_rules')
    .set({ revoked_by: scope.staffId, revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('contains')
    .executeTakeFirst()
  if (!rule) throw new Refusal('not_found')
  await audit(tx, now, scope, 'bank.rule_revoked', { kind: 'bank-rule', id }, { contains: rule.contains })
}
