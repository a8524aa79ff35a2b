import { className } from '@podium/contract/classes'
import type { Season } from '@podium/contract/season'
import type {
  Courier,
  OrderStatus,
  Packet,
  PacketAward,
  PacketLine,
  PacketReceipt,
  TrackLine,
} from '@podium/contract/shipping/calls'
import { sql } from 'kysely'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { orNotFound } from '#platform/errors'
import { notHeld, packetAwards, type Reader } from './awards/queries.ts'
import { classPlace, inKindOrder, kindName } from './packets/rules.ts'

/**
 * A courier's address as it may be shown: https and nothing else. Somebody of the office has typed or pasted it, and a
 * school follows it; anything that is no https address becomes empty.
 */
export function safeLink(typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : undefined
  return url?.protocol === 'https:' ? url.href : ''
}

type Row<T extends { creationDate: string }> = Omit<T, 'creationDate'> & { creationDate: Date }

const dated = <T extends { creationDate: Date }>(row: T) => ({
  ...row,
  creationDate: row.creationDate.toISOString(),
})

/** The school's parcels of these contents in a season, the newest first; one without a track is packed. */
export async function findPackets(
  db: Db,
  scope: SchoolScope,
  season: Season,
  contents: ReadonlyArray<Packet['contents']>,
): Promise<Packet[]> {
  const { rows } = await sql<Row<Packet>>`
    select p.id as "packetId", p.contents, p.customer_name as "customerName", p.address, p.city, p.state, p.country,
      p.pin_code as pincode, p.phone as "phoneNo", p.created_at as "creationDate",
      p.status as "orderStatus", exists (select from packet_receipts r where r.packet_id = p.id) as confirmed
    from packets p
    where p.school_id = ${scope.schoolId} and p.season = ${season} and p.contents = any(${[...contents]}::text[])
    order by p.created_at desc, p.id desc`.execute(db)
  return rows.map(dated)
}

type LineRow = Omit<PacketLine, 'className' | 'bookCategory'> & { position: number; level: number }

/**
 * What a parcel holds, by subject and class; for a school without awards of results that are held for it now, whose counts
 * would tell of them. Whoever asks has made sure whose parcel it is.
 */
export async function packetLines(db: Db | Tx, packetId: number, reader: Reader): Promise<PacketLine[]> {
  const { rows } = await sql<LineRow>`
    select l.event_id as "eventYearId", e.letter as "eventLetter", u.name as "subjectName", u.position, e.level,
      l.class_id as "classId", l.kind, l.quantity, l.spare, l.received
    from packet_lines l join packets k on k.id = l.packet_id join events e on e.id = l.event_id
      join subjects u on u.letter = e.letter
    where l.packet_id = ${packetId}
      and (${reader === 'office'} or k.contents <> 'awards' or ${notHeld(sql`l.event_id`, sql`k.school_id`)})`.execute(
    db,
  )
  return rows
    .toSorted(
      (one, other) =>
        one.position - other.position ||
        one.level - other.level ||
        classPlace(one.classId) - classPlace(other.classId) ||
        inKindOrder(one.kind, other.kind),
    )
    .map(({ position: _, level: __, ...row }) => ({
      ...row,
      className: className(row.classId),
      bookCategory: kindName(row.kind),
    }))
}

/** What the school has said about the parcel's arrival. */
export async function packetReceipt(db: Db | Tx, packetId: number): Promise<PacketReceipt | null> {
  const { rows } = await sql<Omit<PacketReceipt, 'confirmedAt'> & { at: Date }>`
    select u.name as "confirmedBy", r.confirmed_at as at, r.differs, r.remark
    from packet_receipts r join users u on u.id = r.user_id where r.packet_id = ${packetId}`.execute(db)
  const [row] = rows
  if (!row) return null
  const { at, ...receipt } = row
  return { ...receipt, confirmedAt: at.toISOString() }
}

interface Way {
  trackDetails: TrackLine[]
  courierDetails: Courier | null
  lines: PacketLine[]
  awards: PacketAward[]
  weightGrams: number | null
  resends: number | null
  resentAs: number | null
  receipt: PacketReceipt | null
  can: { confirm: true | string }
}

interface WayRow {
  status: OrderStatus
  courierName: string
  consignmentNo: string
  courierLink: string
  weightGrams: number | null
  resends: number | null
  resentAs: number | null
}

const onTheWay: readonly OrderStatus[] = ['Dispatched', 'In transit', 'Delivered']

/** Lines that a hold had hidden when the rest was confirmed are counted once they are shown. */
function mayConfirm(
  status: OrderStatus,
  receipt: PacketReceipt | null,
  lines: readonly PacketLine[],
): true | string {
  if (receipt && lines.every(({ received }) => received !== null)) return 'dispatch.confirmed'
  return onTheWay.includes(status) || 'dispatch.not_sent'
}

/** The way of one of the school's parcels, the newest line first. Another school's and an unknown one: 404 (docs/security.md, T14). */
export async function readWay(db: Db, scope: SchoolScope, now: Date, packetId: number): Promise<Way> {
  const packets = await sql<WayRow>`
    select p.status, p.courier_name as "courierName", p.consignment_no as "consignmentNo",
      p.courier_link as "courierLink", p.weight_grams as "weightGrams", p.resends_id as resends,
      (select n.id from packets n where n.resends_id = p.id) as "resentAs"
    from packets p where p.id = ${packetId} and p.school_id = ${scope.schoolId}`.execute(db)
  const { status, courierName, consignmentNo, courierLink, ...packet } = orNotFound(packets.rows[0])
  const { rows } = await sql<Row<TrackLine>>`
    select status as "orderStatus", remarks, at as "creationDate" from packet_track
    where packet_id = ${packetId} order by at desc, id desc`.execute(db)
  const receipt = await packetReceipt(db, packetId)
  const lines = await packetLines(db, packetId, 'school')
  const courier = { courierName, consignmentNo, courierLink: safeLink(courierLink) }
  return {
    ...packet,
    trackDetails: rows.map(dated),
    courierDetails: courierName === '' ? null : courier,
    lines,
    awards: await packetAwards(db, packetId, now, 'school'),
    receipt,
    can: { confirm: mayConfirm(status, receipt, lines) },
  }
}
