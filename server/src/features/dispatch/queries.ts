import type { Courier, Packet, TrackLine } from '@podium/contract/dispatch'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { Db } from '#platform/database'
import { found } from '#platform/errors'
import type { SchoolScope } from '#platform/scope'
import { safeLink } from './rules.ts'

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
      coalesce((select t.status from packet_track t where t.packet_id = p.id order by t.at desc, t.id desc limit 1),
        'Packed') as "orderStatus"
    from packets p
    where p.school_id = ${scope.schoolId} and p.season = ${season} and p.contents = any(${[...contents]}::text[])
    order by p.created_at desc, p.id desc`.execute(db)
  return rows.map(dated)
}

interface Way {
  trackDetails: TrackLine[]
  courierDetails: Courier | null
}

/** The way of one of the school's parcels, the newest line first. Another school's and an unknown one: 404 (threats.md, T14). */
export async function readWay(db: Db, scope: SchoolScope, packetId: number): Promise<Way> {
  const packet = found(
    await db
      .selectFrom('packets')
      .select(['courier_name', 'consignment_no', 'courier_link'])
      .where('id', '=', packetId)
      .where('school_id', '=', scope.schoolId)
      .executeTakeFirst(),
  )
  const { rows } = await sql<Row<TrackLine>>`
    select status as "orderStatus", remarks, at as "creationDate" from packet_track
    where packet_id = ${packetId} order by at desc, id desc`.execute(db)
  const courier = {
    courierName: packet.courier_name,
    consignmentNo: packet.consignment_no,
    courierLink: safeLink(packet.courier_link),
  }
  return { trackDetails: rows.map(dated), courierDetails: packet.courier_name === '' ? null : courier }
}
