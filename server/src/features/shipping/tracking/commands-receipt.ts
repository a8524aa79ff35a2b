import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'
import { packetLines } from '../queries.ts'
import { lockPackets, writeStep } from './commands.ts'

interface Receipt {
  packetId: number
  /** One for each line that is not counted yet, in the order in which the lines are shown */
  counts: readonly number[]
  remark: string
}

/**
 * The school's word that one of its parcels has arrived, once, with what it has counted; a parcel that was still on its
 * way is delivered by it. Lines of results that were held then are counted in the same way when they are shown. Answers whether a count differs. Refuses with `not_found`, `dispatch.not_sent`,
 * `dispatch.confirmed`, `dispatch.counts_missing`.
 */
export async function confirmReceipt(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  { packetId, counts, remark }: Receipt,
): Promise<boolean> {
  const packet = found(
    (await lockPackets(tx, [packetId])).find(({ schoolId }) => schoolId === scope.schoolId),
  )
  if (!['Dispatched', 'In transit', 'Delivered'].includes(packet.status))
    throw new Refusal('dispatch.not_sent')
  const shown = await packetLines(tx, packetId, 'school')
  const lines = shown.filter(({ received }) => received === null)
  if (packet.confirmed && lines.length === 0) throw new Refusal('dispatch.confirmed')
  if (lines.length !== counts.length) throw new Refusal('dispatch.counts_missing')
  const counted = lines.map((line, at) => ({ ...line, received: counts[at] ?? 0 }))
  for (const line of counted)
    await sql`
      update packet_lines set received = ${line.received}
      where packet_id = ${packetId} and event_id = ${line.eventYearId} and class_id = ${line.classId}
        and kind = ${line.kind}`.execute(tx)
  const differing = counted.filter((line) => line.received !== line.quantity)
  const differs = differing.length > 0
  await sql`
    insert into packet_receipts (packet_id, user_id, differs, remark, confirmed_at)
    values (${packetId}, ${scope.userId}, ${differs}, ${remark}, ${now})
    on conflict (packet_id) do update set user_id = excluded.user_id, confirmed_at = excluded.confirmed_at,
      differs = packet_receipts.differs or excluded.differs,
      remark = concat_ws(' ', nullif(packet_receipts.remark, ''), nullif(excluded.remark, ''))`.execute(tx)
  if (packet.status !== 'Delivered')
    await writeStep(tx, scope, now, packet, {
      to: 'Delivered',
      remark: 'Confirmed by the school',
      at: now,
    })
  const subject = { kind: 'packet', id: packetId, schoolId: packet.schoolId, season: packet.season }
  const told = Object.fromEntries(
    differing.map((line) => [
      `${line.subjectName}, ${line.className}, ${line.bookCategory}`,
      `${line.received} of ${line.quantity}`,
    ]),
  )
  const said = remark === '' ? {} : { remark }
  await audit(tx, now, scope, 'packet.confirmed', subject, { ...told, ...said })
  return differs
}
