import type { ParsedQuery } from '@podium/contract/endpoint'
import type { OrderStatus, PacketAward, PacketLine } from '@podium/contract/shipping/calls'
import type { DispatchJob, DueContents } from '@podium/contract/shipping/calls-orders'
import {
  maxPackets,
  type OfficeCourier,
  type OfficePacket,
  type officePackets,
  type PacketRow,
  type StoppedBy,
  uploadColumns,
} from '@podium/contract/shipping/calls-packets'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, ReadTx, Tx } from '#platform/db/database'
import { instant, pageOf } from '#platform/db/list-queries'
import { firstRow } from '#platform/db/rows'
import { orNotFound, Refusal } from '#platform/errors'
import type { Job } from '#platform/jobs/jobs'
import { all, overpackedBooks, pageSize, schoolConditions } from '../orders/queries.ts'
import { notWithheld, ofPackets, packetAwards, packetLines, packetReceipt, safeLink } from '../queries.ts'
import { mayCancel, mayResend, nextSteps } from '../tracking/rules.ts'

type PacketQuery = Omit<ParsedQuery<typeof officePackets>, 'page'>

/** SQL: parcels `p` of schools that match search and place. The schools are searched once, not for each parcel. */
const ofSchools = (query: { search: string; state: string }) =>
  sql`p.school_id in (select o.id from schools o where ${all(schoolConditions(query))})`

/** A number in the search matches parcel or consignment numbers; words match the school. */
function searched({ search, state }: PacketQuery): RawBuilder<unknown>[] {
  const place = state === '' ? [] : [ofSchools({ search: '', state })]
  if (search === '') return place
  const number = /^\d{1,15}$/.test(search) ? sql`p.id = ${Number(search)}` : sql`false`
  const school = ofSchools({ search, state: '' })
  return [...place, sql`(${number} or upper(p.consignment_no) = ${search.toUpperCase()} or ${school})`]
}

const marks = {
  differs: sql`exists (select from packet_receipts r where r.packet_id = p.id and r.differs)`,
  confirmed: sql`exists (select from packet_receipts r where r.packet_id = p.id)`,
  numberless: sql`p.consignment_no = '' and p.status in ('Dispatched', 'In transit')`,
}

function conditionsOf(query: PacketQuery): RawBuilder<unknown>[] {
  const { FYear, contents, courier, mark } = query
  const conditions = [sql`p.season = ${FYear}`, ...searched(query)]
  if (contents !== '') conditions.push(sql`p.contents = ${contents}`)
  if (courier !== '') conditions.push(sql`p.courier_id = ${Number(courier)}`)
  if (mark !== '') conditions.push(marks[mark])
  return conditions
}

const columns = sql`
  p.id as "packetId", p.school_id as "schoolId", o.code as "schCode", o.name as "schName", p.city, p.state, p.contents,
  p.status, coalesce((select sum(l.quantity)::int from packet_lines l where l.packet_id = p.id), 0) as copies,
  p.courier_name as "courierName", p.consignment_no as "consignmentNo", p.weight_grams as "weightGrams",
  ${instant('p.created_at')} as "createdAt",
  ${instant(sql`coalesce((select max(t.at) from packet_track t where t.packet_id = p.id), p.created_at)`)} as "changedAt",
  exists (select from packet_receipts r where r.packet_id = p.id) as confirmed,
  exists (select from packet_receipts r where r.packet_id = p.id and r.differs) as differs, p.version`

const from = sql`from packets p join schools o on o.id = p.school_id`

/**
 * Why each of these packed or returned parcels must not leave, if anything does: its results are withheld or corrected, fewer
 * books are paid than it holds, or its school has moved since.
 */
export async function stoppedPackets(
  db: Db | Tx,
  packetIds: readonly number[],
  now: Date,
): Promise<Map<number, StoppedBy>> {
  const { rows } = await sql<{ id: number; by: StoppedBy }>`
    ${ofPackets(packetIds, now)},
    over as materialized (
      with places as (
        select distinct school_id, season from packets where id = any(${[...packetIds]}::bigint[]) and contents = 'books')
      ${overpackedBooks})
    select * from (
      select p.id, case
        when exists (select from boxed b
          where b.packet_id = p.id and not ${notWithheld(sql`b.event_id`, sql`b.school_id`)}) then 'dispatch.withheld'
        when exists (select from gone g where g.packet_id = p.id) then 'dispatch.corrected'
        when p.contents = 'books' and exists (
          select from packet_lines l join over v using (event_id, class_id, kind)
          where l.packet_id = p.id and v.school_id = p.school_id and v.season = p.season) then 'dispatch.unpaid'
        when p.status = 'Packed' and ${hasMoved} then 'dispatch.address_changed' end as by
      from packets p join schools o on o.id = p.school_id
      where p.id = any(${[...packetIds]}::bigint[]) and p.counts and p.status in ('Packed', 'Returned')) s
    where by is not null`.execute(db)
  return new Map(rows.map(({ id, by }) => [id, by]))
}

/** SQL: the school `o` of parcel `p` has moved since it was packed. A state that the office has renamed is the same place. */
export const hasMoved = sql`
  (p.address, p.city, p.pin_code) is distinct from (o.address, o.city, o.pin_code)`

/** One page of parcels, and the count for each status under the other filters. */
export async function listPackets(
  db: Db,
  _scope: OfficeScope,
  now: Date,
  query: PacketQuery & { page: number },
) {
  const where = all(conditionsOf(query))
  const counted = await sql<{ status: OrderStatus; count: number }>`
    select p.status, count(*)::int as count from packets p where ${where} group by p.status`.execute(db)
  const counts = Object.fromEntries(counted.rows.map(({ status, count }) => [status, count]))
  const total =
    query.status === ''
      ? counted.rows.reduce((sum, { count }) => sum + count, 0)
      : (counts[query.status] ?? 0)
  const state = query.status === '' ? sql`true` : sql`p.status = ${query.status}`
  // Details are looked up only for the parcels of this page.
  const { rows } = await sql<PacketRow>`
    with page as materialized (
      select p.id from packets p where ${where} and ${state}
      order by p.id desc ${pageOf(query.page, pageSize)})
    select ${columns} ${from} where p.id in (select id from page) order by p.id desc`.execute(db)
  const ids = rows.map(({ packetId }) => packetId)
  const stopped = await stoppedPackets(db, ids, now)
  const data = rows.map((row) => ({ ...row, stopped: stopped.get(row.packetId) ?? null }))
  return { data, total, pageSize, counts }
}

/** All parcels that match the filters. Runs in a transaction limited to 30 s. */
export async function everyPacket(tx: ReadTx, _scope: OfficeScope, query: PacketQuery): Promise<PacketRow[]> {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  const state = query.status === '' ? sql`true` : sql`p.status = ${query.status}`
  const { rows } = await sql<PacketRow>`
    select ${columns} ${from} where ${all(conditionsOf(query))} and ${state} order by p.id`.execute(tx)
  return rows
}

export interface Selection {
  ids?: readonly number[] | undefined
  filters?: PacketQuery | undefined
}

/** The selected ids, without cancelled parcels. Refuses an empty selection and one that is too large. */
export async function selectedIds(db: Db, { ids, filters }: Selection): Promise<number[]> {
  const wanted = ids
    ? sql`p.id = any(${[...ids]}::bigint[])`
    : filters
      ? sql`${all(conditionsOf(filters))} and ${filters.status === '' ? sql`true` : sql`p.status = ${filters.status}`}`
      : sql`false`
  const { rows } = await sql<{ id: number }>`
    select p.id ${from} where ${wanted} and p.status <> 'Cancelled'
    order by o.state, o.name_key, o.id, p.id limit ${maxPackets + 1}`.execute(db)
  if (rows.length === 0) throw new Refusal('dispatch.no_packets')
  if (rows.length > maxPackets) throw new Refusal('dispatch.too_many')
  return rows.map((row) => row.id)
}

/** One parcel with its contents, tracking and possible actions. */
export async function readPacket(
  db: Db,
  scope: OfficeScope,
  now: Date,
  packetId: number,
): Promise<OfficePacket> {
  const found = await sql<OfficePacket['packet'] & { counts: boolean }>`
    select ${columns}, p.season as "FYear", p.customer_name as "customerName", p.address, p.country,
      p.pin_code as pincode, p.phone as "phoneNo", p.courier_id as "courierId", p.courier_link as "courierLink",
      coalesce(f.name, '') as "packedBy", p.resends_id as resends, p.counts,
      (select n.id from packets n where n.resends_id = p.id) as "resentAs"
    ${from} left join staff f on f.id = p.packed_by where p.id = ${packetId}`.execute(db)
  const { counts, ...packet } = orNotFound(found.rows[0])
  const track = await sql<OfficePacket['track'][number]>`
    select t.status, t.remarks, ${instant('t.at')} as at, coalesce(f.name, '') as by
    from packet_track t left join staff f on f.id = t.staff_id
    where t.packet_id = ${packetId} order by t.at desc, t.id desc`.execute(db)
  const current = { status: packet.status, counts, confirmed: packet.confirmed }
  const may = mayDo(scope.role, 'dispatch.write')
  const awards = await packetAwards(db, packetId, now, 'office')
  const stopped = (await stoppedPackets(db, [packetId], now)).get(packetId)
  const allowed = (fits: boolean, stop?: string) => {
    if (!may) return 'access.denied'
    return fits ? (stop ?? true) : 'dispatch.wrong_state'
  }
  return {
    packet: { ...packet, courierLink: safeLink(packet.courierLink) },
    lines: await packetLines(db, packetId, 'office'),
    awards,
    track: track.rows,
    receipt: await packetReceipt(db, packetId),
    can: {
      dispatch: allowed(packet.status === 'Packed', stopped),
      move: may ? [...nextSteps(current)] : [],
      resend: allowed(mayResend(current), stopped),
      cancel: allowed(mayCancel(current)),
    },
  }
}

/** The parcels that a packing job has made, and whether each is still packed. */
export async function packetsOfJob(db: Db | Tx, { id, createdAt }: Pick<Job, 'id' | 'createdAt'>) {
  const { rows } = await sql<{ id: number; packed: boolean }>`
    select p.id, p.status = 'Packed' and p.counts as packed
    from audit a join packets p on p.id = a.subject_id::bigint
    where a.action = 'packet.packed' and a.at >= ${createdAt} and a.change ->> 'jobId' = ${id}
    order by p.id`.execute(db)
  return rows
}

/** A packing job as answered; figures only. */
export async function packingJob(db: Db, job: Job | undefined): Promise<DispatchJob | null> {
  if (!job) return null
  const { id: jobId, kind, state, done, total, error } = job
  const outcome = Object.fromEntries(
    Object.entries(job.output ?? {}).filter((item): item is [string, number] => typeof item[1] === 'number'),
  )
  const packets = job.endedAt === null ? [] : await packetsOfJob(db, job)
  const undoable = packets.every(({ packed }) => packed) ? packets.length : 0
  return { jobId, kind, state, done, total, error, outcome, undoable }
}

/** All couriers, active ones first, with their number of parcels. */
export async function listCouriers(db: Db, _scope: OfficeScope): Promise<OfficeCourier[]> {
  const { rows } = await sql<OfficeCourier>`
    select c.id as "courierId", c.name, c.link_template as "linkTemplate", c.active, c.version,
      c.upload_columns as "uploadColumns",
      (select count(*)::int from packets p where p.courier_id = c.id) as packets
    from couriers c order by c.active desc, c.name`.execute(db)
  return rows
}

/**
 * The columns of a courier's upload file. Refuses if it takes none; and roles that only read, because the file has the
 * addresses and phones of all schools.
 */
export async function uploadColumnsOf(db: Db, scope: OfficeScope, courierId: number) {
  if (!mayDo(scope.role, 'dispatch.write')) throw new Refusal('access.denied')
  const courier = await firstRow(db, 'couriers', { id: courierId }, ['name', 'upload_columns'])
  const { name, upload_columns } = orNotFound(courier)
  const columns = z.parse(uploadColumns, upload_columns)
  if (columns.length === 0) throw new Refusal('dispatch.no_columns')
  return { courier: name, columns }
}

/** A parcel as printed on its packing list and label. */
export interface PacketPaper {
  id: number
  season: string
  contents: DueContents
  schCode: string
  customerName: string
  address: string
  city: string
  state: string
  country: string
  pinCode: string
  phone: string
  courierName: string
  consignmentNo: string
  weightGrams: number | null
  createdAt: Date
  resends: number | null
  copies: number
}

/** The parcels in the order of the ids. */
export async function packetPapers(
  db: Db,
  _scope: OfficeScope,
  ids: readonly number[],
): Promise<PacketPaper[]> {
  const { rows } = await sql<PacketPaper>`
    select p.id, p.season, p.contents, o.code as "schCode", p.customer_name as "customerName", p.address, p.city,
      p.state, p.country, p.pin_code as "pinCode", p.phone, p.courier_name as "courierName",
      p.consignment_no as "consignmentNo", p.weight_grams as "weightGrams", p.created_at as "createdAt",
      p.resends_id as resends,
      coalesce((select sum(l.quantity)::int from packet_lines l where l.packet_id = p.id), 0) as copies
    from unnest(${[...ids]}::bigint[]) with ordinality as u (id, place)
      join packets p on p.id = u.id join schools o on o.id = p.school_id
    order by u.place`.execute(db)
  return rows
}

export interface ListedPacket extends PacketPaper {
  lines: PacketLine[]
  /** The recipients in a parcel of awards */
  awards: PacketAward[]
}

/** The same with contents; parcels without lines are left out. */
export async function listedPackets(
  db: Db,
  scope: OfficeScope,
  now: Date,
  ids: readonly number[],
): Promise<ListedPacket[]> {
  const listed: ListedPacket[] = []
  for (const packet of await packetPapers(db, scope, ids)) {
    const lines = await packetLines(db, packet.id, 'office')
    if (lines.length === 0) continue
    const awards = packet.contents === 'awards' ? await packetAwards(db, packet.id, now, 'office') : []
    listed.push({ ...packet, lines, awards })
  }
  return listed
}
