import { className } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import type { Season } from '@podium/contract/season'
import {
  maxNamedCertificates,
  type OrderStatus,
  type Packet,
  type PacketAward,
  type PacketLine,
  type PacketReceipt,
  type TrackLine,
  type trackOrder,
} from '@podium/contract/shipping/calls'
import { awardKinds, type DueChild } from '@podium/contract/shipping/calls-orders'
import { type RawBuilder, sql } from 'kysely'
import { visibleSet } from '#features/results/queries'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { instant } from '#platform/db/list-queries'
import { orNotFound } from '#platform/errors'
import { awardTitle, classPlace, inKindOrder, kindName, kindPlace, type PackLine } from './packets/rules.ts'

/**
 * A courier's tracking address if it is https, otherwise empty. The office typed it, and schools click on it.
 */
export function safeLink(typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : undefined
  return url?.protocol === 'https:' ? url.href : ''
}

/** The school's parcels with these contents in a season, newest first. Without tracking a parcel counts as packed. */
export async function findPackets(
  db: Db,
  scope: SchoolScope,
  season: Season,
  contents: ReadonlyArray<Packet['contents']>,
): Promise<Packet[]> {
  const { rows } = await sql<Packet>`
    select p.id as "packetId", p.contents, p.customer_name as "customerName", p.address, p.city, p.state, p.country,
      p.pin_code as pincode, p.phone as "phoneNo", ${instant('p.created_at')} as "creationDate",
      p.status as "orderStatus", exists (select from packet_receipts r where r.packet_id = p.id) as confirmed
    from packets p
    where p.school_id = ${scope.schoolId} and p.season = ${season} and p.contents = any(${[...contents]}::text[])
    order by p.created_at desc, p.id desc`.execute(db)
  return rows
}

type LineRow = Omit<PacketLine, 'className' | 'bookCategory'> & { position: number; level: number }

/**
 * A parcel's contents by subject and class. A school does not see awards of results withheld from it, because the counts
 * would reveal them. The caller must have checked whose parcel it is.
 */
export async function packetLines(db: Db | Tx, packetId: number, reader: Reader): Promise<PacketLine[]> {
  const { rows } = await sql<LineRow>`
    select l.event_id as "eventYearId", e.letter as "eventLetter", u.name as "subjectName", u.position, e.level,
      l.class_id as "classId", l.kind, l.quantity, l.spare, l.received
    from packet_lines l join packets k on k.id = l.packet_id join events e on e.id = l.event_id
      join subjects u on u.letter = e.letter
    where l.packet_id = ${packetId}
      and (${reader === 'office'} or k.contents <> 'awards'
      or ${notWithheld(sql`l.event_id`, sql`k.school_id`)})`.execute(db)
  return rows
    .toSorted(
      (a, b) =>
        a.position - b.position ||
        a.level - b.level ||
        classPlace(a.classId) - classPlace(b.classId) ||
        inKindOrder(a.kind, b.kind),
    )
    .map(({ position: _, level: __, ...row }) => ({
      ...row,
      className: className(row.classId),
      bookCategory: kindName(row.kind),
    }))
}

/** The school's confirmation of the parcel's arrival. */
export async function packetReceipt(db: Db | Tx, packetId: number): Promise<PacketReceipt | null> {
  const { rows } = await sql<PacketReceipt>`
    select u.name as "confirmedBy", ${instant('r.confirmed_at')} as "confirmedAt", r.differs, r.remark
    from packet_receipts r join users u on u.id = r.user_id where r.packet_id = ${packetId}`.execute(db)
  return rows[0] ?? null
}

interface TrackingRow {
  status: OrderStatus
  courierName: string
  consignmentNo: string
  courierLink: string
  weightGrams: number | null
  resends: number | null
  resentAs: number | null
}

const shippedStatuses: readonly OrderStatus[] = ['Dispatched', 'In transit', 'Delivered']

/** Lines that were withheld when the rest was confirmed can be counted once they are visible. */
function mayConfirm(
  status: OrderStatus,
  receipt: PacketReceipt | null,
  lines: readonly PacketLine[],
): true | string {
  if (receipt && lines.every(({ received }) => received !== null)) return 'dispatch.confirmed'
  return shippedStatuses.includes(status) || 'dispatch.not_sent'
}

/** The tracking of one of the school's parcels, newest entry first. Another school's or an unknown one: 404 (docs/security.md, T14). */
export async function getTracking(
  db: Db,
  scope: SchoolScope,
  now: Date,
  packetId: number,
): Promise<AnswerOf<typeof trackOrder>> {
  const packets = await sql<TrackingRow>`
    select p.status, p.courier_name as "courierName", p.consignment_no as "consignmentNo",
      p.courier_link as "courierLink", p.weight_grams as "weightGrams", p.resends_id as resends,
      (select n.id from packets n where n.resends_id = p.id) as "resentAs"
    from packets p where p.id = ${packetId} and p.school_id = ${scope.schoolId}`.execute(db)
  const { status, courierName, consignmentNo, courierLink, ...packet } = orNotFound(packets.rows[0])
  const { rows } = await sql<TrackLine>`
    select status as "orderStatus", remarks, ${instant('at')} as "creationDate" from packet_track
    where packet_id = ${packetId} order by at desc, id desc`.execute(db)
  const receipt = await packetReceipt(db, packetId)
  const lines = await packetLines(db, packetId, 'school')
  const courier = { courierName, consignmentNo, courierLink: safeLink(courierLink) }
  return {
    ...packet,
    trackDetails: rows,
    courierDetails: courierName === '' ? null : courier,
    lines,
    awards: await packetAwards(db, packetId, now, 'school'),
    receipt,
    can: { confirm: mayConfirm(status, receipt, lines) },
  }
}

export const notWithheld = (eventId: RawBuilder<unknown>, schoolId: RawBuilder<unknown>) =>
  sql`not exists (select from result_holds h where h.event_id = ${eventId} and h.school_id = ${schoolId})`

/** SQL: the result versions visible to schools at an instant, as dispatch_releases has them after the next count. */
const seenAt = (now: Date) =>
  sql`(select e.id as event_id, e.season, v.id as set_id
    from events e join lateral ${visibleSet(sql`e.id`, now)} v on true)`

/**
 * SQL: what the students of `places` (school_id, season) have won by the versions of `releases`, a row for each item: medals,
 * prizes, awards, and a certificate for everyone who sat the exam. `award_key` distinguishes similar items: a certificate is sent
 * again if honours or class rank on it have changed (docs/algorithms/awards.md). Schools with withheld results get nothing.
 */
const rightsBy = (releases: RawBuilder<unknown>) => sql`
  select r.school_id, c.season, r.event_id, r.class_id, r.student_id, won.kind, won.award_key, v.version
  from places p join ${releases} c on c.season = p.season join result_sets v on v.id = c.set_id
    join results r on r.school_id = p.school_id and r.event_id = c.event_id and r.set_id = c.set_id and r.present
    cross join lateral (values
      (case when r.medal <> '' then lower(r.medal) end, ''),
      (case when r.prize = '' then null when r.coupon_link <> '' then 'gift' else 'prize' end,
        r.prize || '|' || r.prize_amount),
      (case when r.award <> '' then 'award' end, r.award),
      ('certificate', concat_ws('|', r.medal, r.prize, r.award, r.next_level,
        case when r.medal || r.prize || r.award <> '' or r.class_rank * 2 <= r.class_pool then r.class_rank end))
    ) as won (kind, award_key)
  where won.kind is not null and ${notWithheld(sql`r.event_id`, sql`r.school_id`)}`

/** SQL: by the versions in dispatch_releases, for lists over all schools. */
export const awardRights = rightsBy(sql`dispatch_releases`)

/** SQL: awards in parcels, except cancelled and resent ones. Withheld awards are neither right nor wrong. */
export const packedAwards = sql`
  select k.school_id, k.season, a.event_id, a.class_id, a.student_id, a.kind, a.award_key
  from places p join packets k on k.school_id = p.school_id and k.season = p.season and k.counts
      and k.contents = 'awards'
    join packet_awards a on a.packet_id = k.id
  where ${notWithheld(sql`a.event_id`, sql`k.school_id`)}`

const ofSchool = (schoolId: number, season: string) =>
  sql`with places as (select ${schoolId}::bigint as school_id, ${season}::text as season),
    rights as materialized (${awardRights}), boxed as materialized (${packedAwards})`

const sameItem = sql`b.event_id = r.event_id and b.student_id = r.student_id and b.kind = r.kind and b.award_key = r.award_key`

/** An award that a student has won and that is in no parcel yet. */
export interface AwardItem extends Omit<PackLine, 'quantity' | 'spare'> {
  studentId: number
  awardKey: string
  version: number
}

/** The school's unpacked awards, by class in the order of the lists. The school must be locked. */
export async function unpackedAwards(tx: Tx, schoolId: number, season: string): Promise<AwardItem[]> {
  const { rows } = await sql<AwardItem>`
    ${ofSchool(schoolId, season)}
    select r.event_id as "eventId", r.class_id as "classId", r.kind, r.student_id as "studentId", r.award_key as "awardKey", r.version
    from rights r join students s on s.id = r.student_id
    where not exists (select from boxed b where ${sameItem})
    order by s.section, s.roll_no, s.id`.execute(tx)
  return rows
}

type ChildRow = Omit<DueChild, 'title'> & { awardKey: string; position: number; level: number }

/** Students whose awards are due to a school, and those who lost an award already shipped. */
export async function dueChildren(db: Db, schoolId: number, season: string): Promise<DueChild[]> {
  const { rows } = await sql<ChildRow>`
    ${ofSchool(schoolId, season)}, open as (
      select r.event_id, r.class_id, r.kind, r.student_id, r.award_key, 'due' as state from rights r
      where r.kind <> 'certificate' and not exists (select from boxed b where ${sameItem})
      union all select event_id, class_id, kind, student_id, award_key, 'gone' from boxed b
      where not exists (select from rights r where ${sameItem}))
    select o.event_id as "eventYearId", o.class_id as "classId", o.kind, o.award_key as "awardKey", o.state, u.position, e.level,
      s.name as "studentName", s.section, s.roll_no as "rollNo"
    from open o join students s on s.id = o.student_id join events e on e.id = o.event_id
      join subjects u on u.letter = e.letter
    order by o.state, u.position, e.level, s.section, s.roll_no, s.id,
      array_position(${[...awardKinds]}::text[], o.kind)`.execute(db)
  return rows
    .toSorted((a, b) => classPlace(a.classId) - classPlace(b.classId))
    .map(({ position: _, level: __, awardKey, ...row }) => ({
      ...row,
      title: awardTitle(row.kind, awardKey),
    }))
}

type AwardRow = Omit<PacketAward, 'className' | 'title'> & {
  awardKey: string
  position: number
  level: number
}

/** SQL: the same for parcels; `boxed` ignores withholding, so the office sees their contents while results are withheld. */
export const ofPackets = (packetIds: readonly number[], now: Date) =>
  sql`with places as (
      select distinct school_id, season from packets where id = any(${[...packetIds]}::bigint[]) and contents = 'awards'),
    rights as materialized (${rightsBy(seenAt(now))}),
    boxed as materialized (
      select a.*, k.school_id from packet_awards a join packets k on k.id = a.packet_id
      where a.packet_id = any(${[...packetIds]}::bigint[])),
    gone as (select b.* from boxed b
      where ${notWithheld(sql`b.event_id`, sql`b.school_id`)} and not exists (select from rights r where ${sameItem}))`

/** Who views a parcel: a school does not see awards while its results are withheld. */
type Reader = 'school' | 'office'

/** The recipients in a parcel, student by student; many certificates appear only as counts. */
export async function packetAwards(
  db: Db | Tx,
  packetId: number,
  now: Date,
  reader: Reader,
): Promise<PacketAward[]> {
  const { rows } = await sql<AwardRow>`
    ${ofPackets([packetId], now)}
    select b.event_id as "eventYearId", e.letter as "eventLetter", u.name as "subjectName", u.position, e.level,
      b.class_id as "classId", b.kind, b.award_key as "awardKey", s.name as "studentName", s.section, s.roll_no as "rollNo",
      exists (select from gone r where ${sameItem}) as gone
    from boxed b join students s on s.id = b.student_id join events e on e.id = b.event_id
      join subjects u on u.letter = e.letter
    where (b.kind <> 'certificate'
        or ${maxNamedCertificates} >= (select count(*) from boxed where kind = 'certificate'))
      and (${reader === 'office'} or ${notWithheld(sql`b.event_id`, sql`b.school_id`)})
    order by s.section, s.roll_no, s.id, u.position, e.level`.execute(db)
  return rows
    .toSorted(
      (a, b) =>
        classPlace(a.classId) - classPlace(b.classId) ||
        a.section.localeCompare(b.section) ||
        a.rollNo - b.rollNo ||
        a.position - b.position ||
        kindPlace(a.kind) - kindPlace(b.kind),
    )
    .map(({ position: _, level: __, awardKey, ...row }) => ({
      ...row,
      className: className(row.classId),
      title: awardTitle(row.kind, awardKey),
    }))
}

/** Students with a still correct certificate in the parcel, in print order. */
export async function certificatesInPacket(db: Db | Tx, packetId: number, now: Date) {
  const { rows } = await sql<{ eventId: number; studentId: number; schoolId: number; season: string }>`
    ${ofPackets([packetId], now)}
    select b.event_id as "eventId", b.student_id as "studentId", r.school_id as "schoolId", r.season
    from boxed b join rights r on ${sameItem} join students s on s.id = b.student_id
      join events e on e.id = b.event_id join subjects u on u.letter = e.letter
    where b.kind = 'certificate'
    order by ${classOrder(sql`b.class_id`)}, s.section, s.roll_no, s.id, u.position, e.level`.execute(db)
  return rows
}

const classOrder = (classId: RawBuilder<unknown>) =>
  sql`case ${classId} when 15 then -3 when 13 then -2 when 14 then -1 else ${classId} end`
