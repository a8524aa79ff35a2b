import type { ParsedBody } from '@podium/contract/endpoint'
import { messages } from '@podium/contract/messages'
import { formatSentence } from '@podium/contract/sentences'
import type { OrderStatus } from '@podium/contract/shipping/calls'
import {
  type MovedPacket,
  type MoveStatus,
  moveStatuses,
  type resendPacket as resendPacketCall,
} from '@podium/contract/shipping/calls-packets'
import { sql } from 'kysely'
import { audit, differences } from '#platform/audit'
import type { OfficeScope, SchoolScope, Scope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { changeRows, findRow, firstRow } from '#platform/db/rows'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { relockUnpaid } from '#platform/paid-students'
import { mailDispatched } from '../commands-mails.ts'
import { countSchool } from '../orders/commands-needs.ts'
import { awardsOf, linesOf, writePacket } from '../packets/commands.ts'
import { hasMoved, stoppedPackets } from '../packets/queries.ts'
import { packetLines } from '../queries.ts'
import { courierLink, mayCancel, mayResend, nextSteps, type ParcelStatus } from './rules.ts'

interface LockedParcel extends ParcelStatus {
  id: number
  schoolId: number
  season: string
  contents: string
  version: number
}

/** The parcels, locked by ascending id; unknown ids are left out. */
export async function lockPackets(tx: Tx, ids: readonly number[]): Promise<LockedParcel[]> {
  await sql`select id from packets where id = any(${[...ids]}::bigint[]) order by id for update`.execute(tx)
  // A separate statement: one that waits for the lock would not see receipts written meanwhile.
  const { rows } = await sql<LockedParcel>`
    select p.id, p.school_id as "schoolId", p.season, p.contents, p.status, p.counts, p.version,
      exists (select from packet_receipts r where r.packet_id = p.id) as confirmed
    from packets p where p.id = any(${[...ids]}::bigint[]) order by p.id`.execute(tx)
  return rows
}

interface Step {
  to: OrderStatus
  remark: string
  /** When it happened; a courier's file may give a past time */
  at: Date
}

/** Students whose money the bank has returned are locked while the school has their books. */
async function relockFor(tx: Tx, packet: LockedParcel, to: OrderStatus | undefined): Promise<void> {
  if (packet.contents === 'books' && (packet.status === 'Returned' || to === 'Returned'))
    await relockUnpaid(tx, packet)
}

/** Writes a parcel's new status with a tracking entry and an audit line. The parcel must be locked. */
export async function writeStep(
  tx: Tx,
  scope: Scope,
  now: Date,
  packet: LockedParcel,
  step: Step,
): Promise<void> {
  const { id, schoolId, season, status: from } = packet
  await sql`update packets set status = ${step.to}, version = version + 1 where id = ${id}`.execute(tx)
  await relockFor(tx, packet, step.to)
  // A new entry is never dated before the previous one, whatever the file says.
  await sql`
    insert into packet_track (packet_id, status, remarks, at, staff_id)
    select ${id}, ${step.to}, ${step.remark},
      greatest(${step.at}::timestamptz, coalesce(max(at), ${step.at}::timestamptz)),
      ${scope.kind === 'office' ? scope.staffId : null}
    from packet_track where packet_id = ${id}`.execute(tx)
  const subject = { kind: 'packet', id, schoolId, season }
  const remark = step.remark && { remark: step.remark }
  await audit(tx, now, scope, 'packet.tracked', subject, { from, to: step.to, ...remark })
}

interface MoveOutcome {
  moved: number
  left: number
}

/** Moves the parcels whose status allows this step; the others stay unchanged. */
export async function movePackets(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  move: { ids: readonly number[]; to: MoveStatus; remark: string },
): Promise<MoveOutcome & { packets: MovedPacket[] }> {
  const fitting = (await lockPackets(tx, move.ids)).filter((item) => nextSteps(item).includes(move.to))
  for (const packet of fitting)
    await writeStep(tx, scope, now, packet, { to: move.to, remark: move.remark, at: now })
  if (fitting.length === 0) throw new Refusal('dispatch.wrong_state')
  const packets = fitting.map(({ id, version }) => ({ packetId: id, version: version + 1 }))
  return { moved: fitting.length, left: new Set(move.ids).size - fitting.length, packets }
}

/**
 * Undoes the last steps of parcels that have not changed since and are not confirmed by their school. Dispatch can't be
 * undone, because the school was notified by e-mail.
 */
export async function undoMove(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  seen: readonly MovedPacket[],
): Promise<{ undone: number; left: number }> {
  const seenOf = new Map(seen.map((item) => [item.packetId, item]))
  const untouched = (await lockPackets(tx, [...seenOf.keys()])).filter(
    (item) =>
      item.version === seenOf.get(item.id)?.version &&
      item.counts &&
      !item.confirmed &&
      moveStatuses.some((step) => step === item.status),
  )
  for (const packet of untouched) {
    const { id, schoolId, season, status: from } = packet
    await sql`
      delete from packet_track where id in (
        select id from packet_track where packet_id = ${id} and status = any(${[...moveStatuses]}::text[])
        order by at desc, id desc limit ${seenOf.get(id)?.steps ?? 1})`.execute(tx)
    const { rows } = await sql<{ status: OrderStatus }>`
      update packets p set version = version + 1, status =
        (select t.status from packet_track t where t.packet_id = p.id order by t.at desc, t.id desc limit 1)
      where p.id = ${id} returning p.status`.execute(tx)
    await relockFor(tx, packet, rows[0]?.status)
    const subject = { kind: 'packet', id, schoolId, season }
    await audit(tx, now, scope, 'packet.step_undone', subject, { from, to: rows[0]?.status })
  }
  if (untouched.length === 0) throw new Refusal('changed_meanwhile')
  return { undone: untouched.length, left: seenOf.size - untouched.length }
}

interface Consignment {
  courierId: number
  consignmentNo: string
  weightGrams: number | null
}

async function courierOf(tx: Tx, courierId: number) {
  const courier = await firstRow(tx, 'couriers', { id: courierId }, ['id', 'name', 'link_template', 'active'])
  if (!courier) throw refuseField('courierId', messages.courierRequired)
  return courier
}

type CourierRow = Awaited<ReturnType<typeof courierOf>>

/** Refuses a number that another parcel of the courier has. Locks the courier, so that two can't take it at once. */
async function checkNumber(tx: Tx, packetId: number, { courierId, consignmentNo }: Consignment) {
  if (consignmentNo === '') return
  await sql`select id from couriers where id = ${courierId} for update`.execute(tx)
  const taken = await tx
    .selectFrom('packets')
    .select('id')
    .where('courier_id', '=', courierId)
    .where('consignment_no', '=', consignmentNo)
    .where('id', '<>', packetId)
    .executeTakeFirst()
  if (taken)
    throw new Refusal('dispatch.number_taken', {
      issues: [{ path: 'consignmentNo', message: formatSentence('numberOfParcel', { id: taken.id }) }],
    })
}

const courierColumns = (courier: CourierRow, { consignmentNo, weightGrams }: Consignment) => ({
  courier_id: courier.id,
  courier_name: courier.name,
  consignment_no: consignmentNo,
  courier_link: courierLink(courier.link_template, consignmentNo),
  weight_grams: weightGrams,
})

/**
 * Hands packed parcels to a courier and notifies their schools. Number and weight are only for a single parcel. Parcels in
 * another status, or stopped (`stoppedPackets`), stay unchanged; if none remain, refuses with the reason.
 */
export async function sendPackets(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  send: Consignment & { ids: readonly number[]; remark: string; trackPage: string },
): Promise<MoveOutcome> {
  const [first] = send.ids
  const single = new Set(send.ids).size === 1
  if (!single && (send.consignmentNo !== '' || send.weightGrams !== null))
    throw refuseField('consignmentNo', messages.numberForOne)
  const courier = await courierOf(tx, send.courierId)
  if (!courier.active) throw new Refusal('dispatch.courier_off')
  const packed = (await lockPackets(tx, send.ids)).filter(({ status }) => status === 'Packed')
  const stopped = await stoppedPackets(
    tx,
    packed.map(({ id }) => id),
    now,
  )
  const fitting = packed.filter(({ id }) => !stopped.has(id))
  if (fitting.length === 0) throw new Refusal(stopped.values().next().value ?? 'dispatch.wrong_state')
  await checkNumber(tx, first ?? 0, send)
  for (const packet of fitting) {
    await tx.updateTable('packets').set(courierColumns(courier, send)).where('id', '=', packet.id).execute()
    await writeStep(tx, scope, now, packet, { to: 'Dispatched', remark: send.remark, at: now })
  }
  await mailDispatched(
    tx,
    now,
    fitting.map(({ id }) => id),
    send.trackPage,
  )
  return { moved: fitting.length, left: new Set(send.ids).size - fitting.length }
}

interface Readdressed extends Pick<LockedParcel, 'id' | 'schoolId' | 'season'> {
  from: Record<string, string>
  to: Record<string, string>
}

/** Gives packed parcels whose school has moved its new address, because their labels are about to be printed. */
export async function readdress(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  ids: readonly number[],
): Promise<void> {
  const { rows } = await sql<Readdressed>`
    select p.id, p.school_id as "schoolId", p.season, to_jsonb(p) as from, to_jsonb(o) as to
    from packets p join schools o on o.id = p.school_id
    where p.id = any(${[...ids]}::bigint[]) and p.status = 'Packed' and ${hasMoved} order by p.id for update of p`.execute(
    tx,
  )
  for (const { id, schoolId, season, from, to } of rows) {
    const { name: customer_name, address, city, state, country, pin_code, phone } = to
    const set = { customer_name, address, city, state, country, pin_code, phone }
    await changeRows(tx, 'packets', { where: { id }, set })
    const subject = { kind: 'packet', id, schoolId, season }
    await audit(tx, now, scope, 'packet.readdressed', subject, differences(from, set))
  }
}

/** Changes courier, number or weight of a dispatched parcel. */
export async function saveConsignment(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  change: Consignment & { packetId: number; version: number },
): Promise<void> {
  const [packet] = await lockPackets(tx, [change.packetId])
  const { id, schoolId, season, status, version } = orNotFound(packet)
  if (version !== change.version) throw new Refusal('changed_meanwhile')
  if (status === 'Packed' || status === 'Cancelled') throw new Refusal('dispatch.wrong_state')
  const courier = await courierOf(tx, change.courierId)
  await checkNumber(tx, id, change)
  const before = await findRow(tx, 'packets', { id }, ['courier_name', 'consignment_no', 'weight_grams'])
  const { courier_name, consignment_no, weight_grams } = courierColumns(courier, change)
  await changeRows(tx, 'packets', {
    where: { id },
    set: { ...courierColumns(courier, change), version: version + 1 },
  })
  const to = { courier_name, consignment_no, weight_grams }
  await audit(
    tx,
    now,
    scope,
    'packet.changed',
    { kind: 'packet', id, schoolId, season },
    { from: before, to },
  )
}

type ParcelAction = ParsedBody<typeof resendPacketCall>

/** Locks the school, then the parcel, in the order used by all packing. */
async function lockPacket(tx: Tx, { packetId, version }: ParcelAction): Promise<LockedParcel> {
  const { school_id } = orNotFound(await firstRow(tx, 'packets', { id: packetId }, ['school_id']))
  await sql`select id from schools where id = ${school_id} for no key update`.execute(tx)
  const packet = orNotFound((await lockPackets(tx, [packetId]))[0])
  if (packet.version !== version) throw new Refusal('changed_meanwhile')
  return packet
}

const notAgain = (tx: Tx, id: number) =>
  sql`update packets set counts = false, version = version + 1 where id = ${id}`.execute(tx)

/** Packs a returned parcel's contents again as a new parcel that refers to the old one; returns its id. */
export async function resendPacket(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  again: ParcelAction,
): Promise<number> {
  const packet = await lockPacket(tx, again)
  if (!mayResend(packet)) throw new Refusal('dispatch.wrong_state')
  const { id, schoolId, season, contents } = packet
  const stopped = (await stoppedPackets(tx, [id], now)).get(id)
  if (stopped) throw new Refusal(stopped)
  await notAgain(tx, id)
  const [lines, awards] = [await linesOf(tx, id), await awardsOf(tx, id)]
  const { remark } = again
  const holds = { schoolId, season, contents, lines, awards, remark, resends: id }
  const to = await writePacket(tx, scope, now, holds)
  await audit(
    tx,
    now,
    scope,
    'packet.resent',
    { kind: 'packet', id, schoolId, season },
    { packetId: to, remark },
  )
  await countSchool(tx, schoolId, season)
  return to
}

/** Cancels a parcel; its contents are due again. */
export async function cancelPacket(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  again: ParcelAction,
): Promise<void> {
  const packet = await lockPacket(tx, again)
  if (!mayCancel(packet)) throw new Refusal('dispatch.wrong_state')
  await notAgain(tx, packet.id)
  await writeStep(tx, scope, now, packet, { to: 'Cancelled', remark: again.remark, at: now })
  await countSchool(tx, packet.schoolId, packet.season)
}

interface Receipt {
  packetId: number
  /** One for each uncounted line, in display order */
  counts: readonly number[]
  remark: string
}

/**
 * Records, once, that a school has received a parcel, with its counts; a parcel in transit becomes delivered. Lines withheld
 * at that time are counted the same way once visible. Returns whether a count differs. Refuses with `not_found`,
 * `dispatch.not_sent`, `dispatch.confirmed`, `dispatch.counts_missing`.
 */
export async function confirmReceipt(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  { packetId, counts, remark }: Receipt,
): Promise<boolean> {
  const packet = orNotFound(
    (await lockPackets(tx, [packetId])).find(({ schoolId }) => schoolId === scope.schoolId),
  )
  if (!['Dispatched', 'In transit', 'Delivered'].includes(packet.status))
    throw new Refusal('dispatch.not_sent')
  const shown = await packetLines(tx, packetId, 'school')
  const lines = shown.filter(({ received }) => received === null)
  if (packet.confirmed && lines.length === 0) throw new Refusal('dispatch.confirmed')
  if (lines.length !== counts.length) throw new Refusal('dispatch.counts_missing')
  const counted = lines.map((line, index) => ({ ...line, received: counts[index] ?? 0 }))
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
    await writeStep(tx, scope, now, packet, { to: 'Delivered', remark: messages.receivedBySchool, at: now })
  const subject = { kind: 'packet', id: packetId, schoolId: packet.schoolId, season: packet.season }
  const differences = Object.fromEntries(
    differing.map((line) => [
      `${line.subjectName}, ${line.className}, ${line.bookCategory}`,
      `${line.received} of ${line.quantity}`,
    ]),
  )
  await audit(tx, now, scope, 'packet.confirmed', subject, { ...differences, ...(remark && { remark }) })
  return differs
}
