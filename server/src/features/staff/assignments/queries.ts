import type { AssignableKind, Assignee } from '@podium/contract/staff/calls-assignments'
import { type RawBuilder, sql } from 'kysely'
import { mayDo, permissions } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { Refusal } from '#platform/errors'

/** Who reads what waits of a kind, who decides on it, what one is told once it is decided, and the action of the record. */
export const kinds = {
  payment: {
    read: 'payments.read',
    decide: 'payments.decide',
    decided: 'payments.decided',
    assigned: 'payment.assigned',
  },
  application: {
    read: 'schools.read',
    decide: 'schools.decide',
    decided: 'application.decided',
    assigned: 'application.assigned',
  },
  question: {
    read: 'questions.read',
    decide: 'questions.write',
    decided: 'questions.reviewed',
    assigned: 'question.assigned',
  },
  'bank-line': {
    read: 'payments.read',
    decide: 'payments.decide',
    decided: 'bank.decided',
    assigned: 'bank.assigned',
  },
} as const

/** Whom an item is assigned to, as a column; `item` names its number: `p.id`. */
export const assigneeOf = (kind: AssignableKind, item: string): RawBuilder<Assignee> => sql`(
  select json_build_object('staffId', g.staff_id, 'name', s.name) from assignments g join staff s on s.id = g.staff_id
  where g.kind = ${kind} and g.item_id = ${sql.ref(item)})`

/** Whether an item is the caller's own (`me`), no one's (`none`) or that of a member of staff; without a filter it always is. */
export function isAssigned(
  scope: OfficeScope,
  kind: AssignableKind,
  item: string,
  filter: string | undefined,
): RawBuilder<boolean> {
  if (filter === undefined) return sql`true`
  const assigned = sql`exists (select from assignments g where g.kind = ${kind} and g.item_id = ${sql.ref(item)}`
  if (filter === 'none') return sql`not ${assigned})`
  return sql`${assigned} and g.staff_id = ${filter === 'me' ? scope.staffId : Number(filter)})`
}

/** Refuses whoever may not read a kind. */
function refuseReader(scope: OfficeScope, kind: AssignableKind): void {
  if (!mayDo(scope.role, kinds[kind].read)) throw new Refusal('access.denied')
}

/** Who may decide on a kind, by name, and who else has something of it: they have left, or have another role by now. */
export async function assigneesOf(db: Db, scope: OfficeScope, kind: AssignableKind) {
  refuseReader(scope, kind)
  const decides = sql`s.disabled_at is null and s.role = any(${[...permissions[kinds[kind].decide]]}::text[])`
  const { rows } = await sql<{ staffId: number; name: string; decides: boolean }>`
    select s.id as "staffId", s.name, ${decides} as decides from staff s
    where ${decides} or exists (select from assignments g where g.staff_id = s.id and g.kind = ${kind})
    order by s.name, s.id`.execute(db)
  return rows
}

/** So long somebody counts as looking at what they had open last; the screen asks anew in less. */
const looksFor = 45_000

/**
 * Keeps what an officer who may decide has open, one item or a page of them, and gives who else has any of it open, too.
 * It is nothing to go by later: no line in the record.
 */
export async function look(
  db: Db,
  scope: OfficeScope,
  now: Date,
  { kind, ids }: { kind: AssignableKind; ids: readonly number[] },
): Promise<string[]> {
  refuseReader(scope, kind)
  const { rows } = await sql<{ name: string }>`
    with mine as (
      insert into staff_looks (staff_id, kind, item_id, beside, seen_at)
      select ${scope.staffId}::bigint, ${kind}, ${ids[0]}::bigint, ${ids.slice(1)}::bigint[], ${now}::timestamptz
      where ${mayDo(scope.role, kinds[kind].decide)}
      on conflict (staff_id) do update
      set kind = excluded.kind, item_id = excluded.item_id, beside = excluded.beside,
        seen_at = excluded.seen_at)
    select s.name from staff_looks l join staff s on s.id = l.staff_id
    where l.kind = ${kind} and (l.item_id = any(${ids}::bigint[]) or l.beside && ${ids}::bigint[])
      and l.staff_id <> ${scope.staffId} and l.seen_at > ${new Date(now.getTime() - looksFor)}
    order by s.name`.execute(db)
  return rows.map(({ name }) => name)
}
