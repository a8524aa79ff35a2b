import { istDay, type Season } from '@podium/contract/season'
import type { DueContents } from '@podium/contract/shipping/calls-orders'
import { countStale, saveSpares } from '../src/features/shipping/orders/commands-needs.ts'
import { packDue, saveCourier } from '../src/features/shipping/packets/commands.ts'
import { packetLines } from '../src/features/shipping/queries.ts'
import {
  cancelPacket,
  confirmReceipt,
  movePackets,
  resendPacket,
  sendPackets,
} from '../src/features/shipping/tracking/commands.ts'
import type { School, World } from './world.ts'

type Status = 'Packed' | 'Dispatched' | 'In transit' | 'Delivered' | 'Returned' | 'Cancelled'
type Way = readonly Status[]

const ways: Record<Status, Way> = {
  Packed: ['Packed'],
  Dispatched: ['Packed', 'Dispatched'],
  'In transit': ['Packed', 'Dispatched', 'In transit'],
  Delivered: ['Packed', 'Dispatched', 'In transit', 'Delivered'],
  Returned: ['Packed', 'Dispatched', 'In transit', 'Returned'],
  Cancelled: ['Packed', 'Cancelled'],
}

const remarks: Record<Status, string> = {
  Packed: 'Counted and packed',
  Dispatched: 'Handed to the courier',
  'In transit': 'At the sorting centre',
  Delivered: 'Received at the school office',
  Returned: 'School was closed; comes back to us',
  Cancelled: 'Packed for the wrong class; the books go out anew',
}

/** Creates the couriers; returns the id of the first. */
export async function makeCouriers({ db, officers }: World, now: Date): Promise<number> {
  const couriers = [
    ['Namuna Express', 'https://courier.example/track?no={no}', true],
    ['Udaharan Parcel Service', 'https://parcels.example/{no}', true],
    ['Misaal Cargo', '', false],
  ] as const
  const ids = []
  for (const [name, linkTemplate, active] of couriers)
    ids.push(
      await db
        .transaction()
        .execute((tx) =>
          saveCourier(tx, officers.operations, now, { courierId: 0, name, linkTemplate, active }),
        ),
    )
  return ids[0] ?? 0
}

interface Parcel {
  school: School
  season: Season
  contents: DueContents
  /** For this subject only */
  letter?: string
  status: Status
  /** Packed at this time, each further step a day later, none after `until` */
  packed: Date
  until: Date
  courierId: number
  /** What the school confirms: everything, or one copy less of the first line */
  confirms?: 'all' | 'less'
}

/** Creates a parcel to a school with its tracking so far, as the office does. Returns its id. */
export async function makePacket(world: World, parcel: Parcel): Promise<number> {
  const { packed, until, status } = parcel
  const steps = ways[status]
  const stride = Math.min(24 * 3_600_000, (until.getTime() - packed.getTime()) / (steps.length + 1))
  const at = (index: number) => new Date(packed.getTime() + Math.floor(stride * index))
  const id = await pack(world, parcel)
  await walk(world, parcel, id, steps, at)
  if (parcel.confirms) await confirm(world, parcel, id, at(steps.length))
  return id
}

async function pack({ db, officers }: World, parcel: Parcel): Promise<number> {
  const { school, season, contents, packed, letter = '' } = parcel
  const scope = officers.operations
  return db.transaction().execute(async (tx) => {
    const filter = { letter, classId: '', kind: '' }
    const packing = { schoolId: school.id, season, contents, filter, most: 0 }
    const [id = 0] = await packDue(tx, scope, packed, packing)
    return id
  })
}

async function walk(
  { db, officers, deps }: World,
  { school, packed, courierId }: Parcel,
  id: number,
  steps: Way,
  at: (index: number) => Date,
): Promise<void> {
  const scope = officers.operations
  for (const [index, to] of steps.entries())
    await db.transaction().execute(async (tx) => {
      const remark = remarks[to]
      if (to === 'Dispatched') {
        const consignmentNo = `NX${school.seed.code.slice(3)}${istDay(packed).replaceAll('-', '')}${id}`
        const weightGrams = 1_000 + ((id * 370) % 9_000)
        const trackPage = `${deps.settings.publicUrl}/Importantlink/trackorder`
        const send = { ids: [id], courierId, consignmentNo, weightGrams, remark, trackPage }
        await sendPackets(tx, scope, at(index), send)
      } else if (to === 'Cancelled') {
        await cancelPacket(tx, scope, at(index), { packetId: id, version: 1, remark })
      } else if (to !== 'Packed') {
        await movePackets(tx, scope, at(index), { ids: [id], to, remark })
      }
    })
}

async function confirm({ db }: World, { school, confirms }: Parcel, packetId: number, now: Date) {
  await db.transaction().execute(async (tx) => {
    const lines = await packetLines(tx, packetId, 'school')
    const counts = lines.map(({ quantity }, index) =>
      confirms === 'less' && index === 0 ? quantity - 1 : quantity,
    )
    const remark = confirms === 'less' ? 'One book had come loose and is missing.' : ''
    await confirmReceipt(tx, school.scope, now, { packetId, counts, remark })
  })
}

/** Sends a returned parcel again as a new one. */
export async function sendAgain(world: World, parcel: Parcel, returned: number): Promise<void> {
  const { db, officers } = world
  const { packed, until, status } = parcel
  const id = await db.transaction().execute(async (tx) => {
    const { version } = await tx
      .selectFrom('packets')
      .select('version')
      .where('id', '=', returned)
      .executeTakeFirstOrThrow()
    const again = { packetId: returned, version, remark: 'The school is open again' }
    return resendPacket(tx, officers.operations, packed, again)
  })
  const steps = ways[status]
  const stride = Math.min(24 * 3_600_000, (until.getTime() - packed.getTime()) / (steps.length + 1))
  await walk(world, parcel, id, steps, (index) => new Date(packed.getTime() + Math.floor(stride * index)))
}

/**
 * Creates the parcels of medals, prizes and certificates of a past season, as first released: delivered to all schools;
 * in last season to two of three, with half of the others dispatched and half still waiting.
 */
export async function sendAwards(
  world: World,
  schools: readonly School[],
  yearsAgo: 1 | 2,
  courierId: number,
): Promise<void> {
  const season = world.seasons[yearsAgo]
  const year = Number(season.label.slice(0, 4)) + 1
  const [packed, until] = [season.on(`${year}-02-03`, 11), season.on(`${year}-02-12`, 11)]
  await countStale(world.db, packed)
  const due = await world.db
    .selectFrom('dispatch_sums')
    .select('school_id')
    .where('season', '=', season.label)
    .where('contents', '=', 'awards')
    .where('due', '>', 0)
    .execute()
  const ids = new Set(due.map(({ school_id }) => school_id))
  for (const [index, school] of schools.filter(({ id }) => ids.has(id)).entries()) {
    const status = yearsAgo === 2 || index % 6 < 4 ? 'Delivered' : index % 6 === 4 ? 'In transit' : undefined
    if (!status) continue
    const parcel = { season: season.label, contents: 'awards', courierId, packed, until } as const
    await makePacket(world, { ...parcel, school, status })
  }
}

/** Creates this season's parcels, in every state; more remains to be shipped. */
export async function sendParcels(
  world: World,
  schools: readonly School[],
  courierId: number,
): Promise<void> {
  const [season] = world.seasons
  const common = { season: season.label, until: season.at(1), courierId }
  const schoolOf = (code: string) => {
    const school = schools.find(({ seed }) => seed.code === code)
    if (!school) throw new Error(`the demo world has no school ${code}`)
    return school
  }
  const spares = { season: season.label, percent: 5, minimum: 1, version: 0 }
  await world.db
    .transaction()
    .execute((tx) => saveSpares(tx, world.officers.operations, season.at(0.3), spares))
  type Rest = Omit<Parameters<typeof makePacket>[1], 'school' | 'packed' | keyof typeof common>
  const send = (code: string, packed: number, rest: Rest) =>
    makePacket(world, { ...common, ...rest, school: schoolOf(code), packed: season.at(packed) })
  await send('VNK0417', 0.5, { contents: 'books', status: 'Delivered', confirms: 'less' })
  await send('KPS0102', 0.45, { contents: 'books', letter: 'M', status: 'Delivered', confirms: 'all' })
  await send('KPS0102', 0.94, { contents: 'books', letter: 'S', status: 'In transit' })
  await send('KPS0102', 0.98, { contents: 'papers', letter: 'M', status: 'Packed' })
  await send('UIS0007', 0.96, { contents: 'books', letter: 'M', status: 'Dispatched' })
  await send('UIS0007', 0.97, { contents: 'books', letter: 'S', status: 'Cancelled' })
  await send('VNK0417', 0.97, { contents: 'papers', letter: 'M', status: 'Dispatched' })
  const returned = await send('TUM0088', 0.6, { contents: 'books', letter: 'M', status: 'Returned' })
  const again = {
    ...common,
    school: schoolOf('TUM0088'),
    contents: 'books',
    status: 'In transit',
    packed: season.at(0.9),
  } as const
  await sendAgain(world, again, returned)
}
