import type { PacketAward, PacketLine } from '@podium/contract/shipping/calls'
import type { DueContents } from '@podium/contract/shipping/calls-orders'
import { sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { packetAwards } from '../awards/queries.ts'
import { packetLines } from '../queries.ts'

/** A parcel as its packing list and its label say it. */
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
      p.consignment_no as "consignmentNo", p.created_at as "createdAt", p.resends_id as resends,
      coalesce((select sum(l.quantity)::int from packet_lines l where l.packet_id = p.id), 0) as copies
    from unnest(${[...ids]}::bigint[]) with ordinality as u (id, place)
      join packets p on p.id = u.id join schools o on o.id = p.school_id
    order by u.place`.execute(db)
  return rows
}

export interface ListedPacket extends PacketPaper {
  lines: PacketLine[]
  /** Of a parcel of awards: whose they are */
  awards: PacketAward[]
}

/** The same with what they hold; those without lines are left out. */
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
