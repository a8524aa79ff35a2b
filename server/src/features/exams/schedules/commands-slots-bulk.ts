import type { OfficeScope } from '#platform/auth/scope'
import { eachOf } from '#platform/bulk'
import type { Db, Tx } from '#platform/db/database'
import { found } from '#platform/errors'
import { deleteSlot, saveSlot } from './commands-slots.ts'

interface Chosen {
  id: number
  version: number
}

interface Changes {
  slots: readonly Chosen[]
  /** Later; below 0: earlier */
  days: number
  places?: number | undefined
}

const dayMs = 86_400_000

const asked = ({ staffId }: OfficeScope, key: string | undefined) => ({ caller: `office:${staffId}`, key })

/**
 * Moves several slots by days and gives them places, each by itself; which of them were refused, and why, is answered.
 * Who moves later goes last first, and the other way round: none runs into one that is about to move as well.
 */
export async function changeSlots(
  db: Db,
  scope: OfficeScope,
  now: Date,
  { slots, days, places }: Changes,
  key: string | undefined,
) {
  const ids = slots.map(({ id }) => id)
  const inTime = await db
    .selectFrom('exam_slots')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('from_at', days > 0 ? 'desc' : 'asc')
    .execute()
  const rank = new Map(inTime.map(({ id }, at) => [id, at]))
  const rankOf = ({ id }: Chosen) => rank.get(id) ?? slots.length
  const changes = slots
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .map((slot) => ({ ...slot, days, places }))
  return eachOf(db, now, asked(scope, key), changes, (tx, change) => changeOne(tx, scope, now, change))
}

async function changeOne(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, days, places: asked }: Chosen & Omit<Changes, 'slots'>,
) {
  const slot = found(
    await tx
      .selectFrom('exam_slots')
      .select(['id', 'event_id', 'from_at', 'to_at', 'places', 'version'])
      .where('id', '=', id)
      .executeTakeFirst(),
  )
  const places = asked ?? slot.places
  if (days === 0 && places === slot.places) return { id }
  const moved = (at: Date) => new Date(at.getTime() + days * dayMs)
  const [from, to] = [moved(slot.from_at), moved(slot.to_at)]
  await saveSlot(tx, scope, now, { slotId: id, version, eventId: slot.event_id, from, to, places })
  return { id }
}

/** Removes those of several slots that no student has, each by itself. */
export function deleteSlots(
  db: Db,
  scope: OfficeScope,
  now: Date,
  slots: readonly Chosen[],
  key: string | undefined,
) {
  return eachOf(db, now, asked(scope, key), slots, async (tx, { id, version }) => {
    await deleteSlot(tx, scope, now, { slotId: id, version })
    return { id }
  })
}
