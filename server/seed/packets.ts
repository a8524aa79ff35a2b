import { istDay } from '@podium/contract/season'
import { audit } from '../src/platform/audit.ts'
import { systemScope } from '../src/platform/scope.ts'
import type { School, World } from './world.ts'

type Contents = 'books' | 'papers' | 'awards'
type Status = 'Packed' | 'Dispatched' | 'In transit' | 'Delivered' | 'Returned'

const ways: Record<Status, readonly Status[]> = {
  Packed: ['Packed'],
  Dispatched: ['Packed', 'Dispatched'],
  'In transit': ['Packed', 'Dispatched', 'In transit'],
  Delivered: ['Packed', 'Dispatched', 'In transit', 'Delivered'],
  Returned: ['Packed', 'Dispatched', 'In transit', 'Returned'],
}

const remarks: Record<Status, string> = {
  Packed: 'Counted and packed',
  Dispatched: 'Handed to the courier',
  'In transit': 'At the sorting centre',
  Delivered: 'Received at the school office',
  Returned: 'School was closed; comes back to us',
}

interface Parcel {
  school: School
  season: string
  contents: Contents
  status: Status
  /** Packed then, each further step a day and a half later, none after `until` */
  packed: Date
  until: Date
}

/** A parcel to a school with the track of its way so far. */
export async function makePacket({ db }: World, parcel: Parcel): Promise<void> {
  const { school, season, contents, status, packed, until } = parcel
  const { seed } = school
  const steps = ways[status]
  const stride = Math.min(36 * 3_600_000, (until.getTime() - packed.getTime()) / steps.length)
  await db.transaction().execute(async (tx) => {
    const sent = steps.length > 1
    const { id } = await tx
      .insertInto('packets')
      .values({
        school_id: school.id,
        season,
        contents,
        customer_name: seed.name,
        address: seed.address,
        city: seed.city,
        state: seed.state,
        country: seed.country,
        pin_code: seed.pinCode,
        phone: seed.phone,
        courier_name: sent ? 'Namuna Express' : '',
        consignment_no: sent ? `NX${seed.code.slice(3)}${istDay(packed).replaceAll('-', '')}` : '',
        courier_link: sent ? 'https://courier.example/track' : '',
        created_at: packed,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const track = steps.map((step, index) => ({
      packet_id: id,
      status: step,
      remarks: remarks[step],
      at: new Date(packed.getTime() + Math.floor(stride * index)),
    }))
    await tx.insertInto('packet_track').values(track).execute()
    const subject = { kind: 'packet', id, schoolId: school.id, season }
    for (const { status: to, at } of track)
      await audit(tx, at, systemScope('Dispatch'), 'packet.tracked', subject, { contents, to })
  })
}
