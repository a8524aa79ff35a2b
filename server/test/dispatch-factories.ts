import type { orderStatuses, Packet } from '@podium/contract/dispatch'
import type { Season } from '@podium/contract/season'
import { testDatabase } from './database.ts'
import { aDay, aSeason, thisSeason } from './factories.ts'

interface PacketTraits {
  schoolId: number
  season?: Season
  contents?: Packet['contents']
  courierName?: string
  courierLink?: string
  createdAt?: Date
  /** The lines of its track, an hour after each other */
  way?: readonly (typeof orderStatuses)[number][]
}

/** A parcel to a school, packed on `aDay` unless said. Gives its id. */
export async function aPacket(traits: PacketTraits): Promise<number> {
  const { db } = await testDatabase()
  const season = await aSeason(traits.season ?? thisSeason)
  const { createdAt = aDay, way = ['Packed', 'Dispatched'] } = traits
  const { id } = await db
    .insertInto('packets')
    .values({
      school_id: traits.schoolId,
      season,
      contents: traits.contents ?? 'books',
      customer_name: 'Udaharan School',
      address: '1 Namuna Road',
      city: 'Kalpanagar',
      state: 'Karnataka',
      country: 'India',
      pin_code: '560001',
      phone: '9000000000',
      courier_name: traits.courierName ?? 'Namuna Express',
      consignment_no: 'NX0417',
      courier_link: traits.courierLink ?? 'https://courier.example/track/NX0417',
      created_at: createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const lines = way.map((status, hour) => ({
    packet_id: id,
    status,
    remarks: `${status} at the depot`,
    at: new Date(createdAt.getTime() + hour * 3_600_000),
  }))
  if (lines.length > 0) await db.insertInto('packet_track').values(lines).execute()
  return id
}
