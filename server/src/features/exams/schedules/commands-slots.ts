import { messages } from '@podium/contract/messages'
import { seasonAt } from '@podium/contract/season'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { onlineEvent, placesTaken } from './queries.ts'

interface Slot {
  slotId: number
  version?: number | undefined
  eventId: number
  from: Date
  to: Date
  places: number
}

async function known(tx: Tx, { slotId, eventId, from, to }: Slot): Promise<boolean> {
  const { rows } = await sql`
    select id from exam_slots where event_id = ${eventId} and from_at = ${from}::timestamptz
      and to_at = ${to}::timestamptz and id <> ${slotId}`.execute(tx)
  return rows.length > 0
}

type Hours = Pick<Slot, 'from' | 'to'>

/** Once it has begun, a slot keeps its beginning; its end may still come later, for an exam that was cut short. */
function refuseOver(now: Date, { from, to }: Hours, before?: Hours): void {
  const moved = (name: keyof Hours, to: Date) => before?.[name].getTime() !== to.getTime()
  if (moved('from', from)) {
    if (before && (before.from <= now || from <= now)) throw new Refusal('schedules.slot_begun')
    if (from <= now) throw refuseField('from', messages.slotOver)
  }
  if (moved('to', to) && to <= now) throw refuseField('to', messages.slotOver)
}

/**
 * Makes a slot or changes one; the students of a slot whose hours change are rescheduled, and their schools told again.
 * Hours that are over are neither given nor taken away.
 */
export async function saveSlot(tx: Tx, scope: OfficeScope, now: Date, slot: Slot): Promise<number> {
  const { slotId, eventId, from, to, places } = slot
  if (to <= from) throw refuseField('to', messages.slotBackwards)
  const { season } = await onlineEvent(tx, eventId)
  if (slotId === 0) {
    if (season < seasonAt(now)) throw new Refusal('schedules.season_over')
    refuseOver(now, slot)
  }
  await lockSlots(tx, eventId)
  if (await known(tx, slot)) throw new Refusal('schedules.slot_known')
  const columns = { event_id: eventId, from_at: from, to_at: to, places }
  const said = { from: from.toISOString(), to: to.toISOString(), places }
  if (slotId === 0) {
    const { id } = await tx.insertInto('exam_slots').values(columns).returning('id').executeTakeFirstOrThrow()
    await audit(tx, now, scope, 'slot.added', { kind: 'slot', id, season }, { hours: said })
    return id
  }
  const before = await lockSlot(tx, slotId)
  if (before.event_id !== eventId) throw new Refusal('not_found')
  if (before.version !== slot.version) throw new Refusal('changed_meanwhile')
  refuseOver(now, slot, { from: before.from_at, to: before.to_at })
  if (places < (await takenOf(tx, slotId))) throw new Refusal('schedules.too_few_places')
  await tx
    .updateTable('exam_slots')
    .set({ ...columns, version: before.version + 1 })
    .where('id', '=', slotId)
    .execute()
  await sql`
    update exam_schedules set from_at = ${from}::timestamptz, to_at = ${to}::timestamptz,
      schedule_status = 'Rescheduled', told_at = null
    where slot_id = ${slotId} and exam_status = 'Not started' and schedule_status <> 'Cancelled'
      and (from_at, to_at) is distinct from (${from}::timestamptz, ${to}::timestamptz)`.execute(tx)
  const was = { from: before.from_at.toISOString(), to: before.to_at.toISOString(), places: before.places }
  await audit(tx, now, scope, 'slot.changed', { kind: 'slot', id: slotId, season }, { was, hours: said })
  return slotId
}

/** One writer of an olympiad's slots at a time, who gives them to students among them: who comes second sees the first one's. */
export async function lockSlots(tx: Tx, eventId: number): Promise<void> {
  await sql`select id from events where id = ${eventId} for no key update`.execute(tx)
}

async function lockSlot(tx: Tx, slotId: number) {
  return orNotFound(
    await tx
      .selectFrom('exam_slots')
      .select(['id', 'event_id', 'from_at', 'to_at', 'places', 'version'])
      .where('id', '=', slotId)
      .forUpdate()
      .executeTakeFirst(),
  )
}

async function takenOf(tx: Tx, slotId: number): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    select ${placesTaken} as taken from exam_slots l where l.id = ${slotId}`.execute(tx)
  return rows[0]?.taken ?? 0
}

/** Removes a slot that no student has. */
export async function deleteSlot(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { slotId, version }: { slotId: number; version: number },
): Promise<void> {
  const { event_id } = orNotFound(
    await tx.selectFrom('exam_slots').select('event_id').where('id', '=', slotId).executeTakeFirst(),
  )
  await lockSlots(tx, event_id)
  const slot = await lockSlot(tx, slotId)
  if (slot.version !== version) throw new Refusal('changed_meanwhile')
  const { rows } = await sql`select id from exam_schedules where slot_id = ${slotId} limit 1`.execute(tx)
  if (rows.length > 0) throw new Refusal('schedules.slot_used')
  await tx.deleteFrom('exam_slots').where('id', '=', slotId).execute()
  const { season } = await onlineEvent(tx, slot.event_id)
  const was = { from: slot.from_at.toISOString(), to: slot.to_at.toISOString(), places: slot.places }
  await audit(tx, now, scope, 'slot.deleted', { kind: 'slot', id: slotId, season }, { was })
}
