import type { AssignableKind } from '@podium/contract/staff/calls-assignments'
import { type RawBuilder, sql } from 'kysely'
import { audit } from '#platform/audit'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'
import { kinds } from '../queries.ts'

interface Assign {
  kind: AssignableKind
  ids: readonly number[]
  /** Undefined: to no one */
  staffId?: number | undefined
}

/** The items of a kind, locked in one order, so that no decision comes in between. */
const itemsOf: Record<AssignableKind, (ids: readonly number[]) => RawBuilder<Item>> = {
  payment: (ids) => sql`
    select id, school_id, season, state = 'pending' as waits from payments
    where id = any(${ids}::bigint[]) order by id for update`,
  application: (ids) => sql`
    select id, school_id, null as season, state_of_review in ('submitted', 'asked') as waits from applications
    where id = any(${ids}::bigint[]) order by id for update`,
  question: (ids) => sql`
    select id, school_id, season, state = 'sent' as waits from teacher_questions
    where id = any(${ids}::bigint[]) order by id for update`,
  'bank-line': (ids) => sql`
    select id, null as school_id, null as season, state = 'open' as waits from bank_lines
    where id = any(${ids}::bigint[]) order by id for update`,
}

interface Item {
  id: number
  school_id: number | null
  season: string | null
  waits: boolean
}

/** Assigns items that wait to a member of staff, or to no one: all of them or, where one is decided, none. */
export async function assignItems(tx: Tx, scope: OfficeScope, now: Date, { kind, ids, staffId }: Assign) {
  const { decide, decided, assigned } = kinds[kind]
  if (!mayDo(scope.role, decide)) throw new Refusal('access.denied')
  const to = staffId === undefined ? undefined : await whoDecides(tx, kind, staffId)
  const { rows: items } = await itemsOf[kind](ids).execute(tx)
  if (items.length < new Set(ids).size) throw new Refusal('not_found')
  if (items.some(({ waits }) => !waits)) throw new Refusal(decided)
  const before = await tx
    .selectFrom('assignments as g')
    .innerJoin('staff as s', 's.id', 'g.staff_id')
    .select(['g.item_id', 'g.staff_id', 's.name'])
    .where('g.kind', '=', kind)
    .where('g.item_id', 'in', ids)
    .execute()
  const changed = items.flatMap((item) => {
    const from = before.find(({ item_id }) => item_id === item.id)
    return from?.staff_id === to?.id ? [] : [{ ...item, from: from?.name ?? '' }]
  })
  if (changed.length === 0) return
  const these = changed.map(({ id }) => id)
  await tx.deleteFrom('assignments').where('kind', '=', kind).where('item_id', 'in', these).execute()
  if (to)
    await tx
      .insertInto('assignments')
      .values(these.map((item_id) => ({ kind, item_id, staff_id: to.id, assigned_at: now })))
      .execute()
  for (const { id, school_id, season, from } of changed)
    await audit(
      tx,
      now,
      scope,
      assigned,
      { kind, id, schoolId: school_id ?? undefined, season: season ?? undefined },
      { from: { assignee: from }, to: { assignee: to?.name ?? '' } },
    )
}

/** A member of staff who decides on a kind and stays so until this is written. */
async function whoDecides(tx: Tx, kind: AssignableKind, staffId: number) {
  const staff = orNotFound(
    await tx
      .selectFrom('staff')
      .select(['id', 'name', 'role', 'disabled_at'])
      .where('id', '=', staffId)
      .forShare()
      .executeTakeFirst(),
  )
  if (staff.disabled_at !== null || !mayDo(staff.role, kinds[kind].decide))
    throw new Refusal('assignments.cannot_decide')
  return staff
}
