import { countStale, saveSpares } from '../src/features/shipping/orders/commands-needs.ts'
import { makePacket, sendAgain } from './packets.ts'
import type { School, World } from './world.ts'

/**
 * Medals, prizes and certificates of a season that is over, as its results were first released: delivered to all schools,
 * in last season to two of three; of the others one half is on its way, the other still waits.
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
  for (const [at, school] of schools.filter(({ id }) => ids.has(id)).entries()) {
    const status = yearsAgo === 2 || at % 6 < 4 ? 'Delivered' : at % 6 === 4 ? 'In transit' : undefined
    if (!status) continue
    const parcel = { season: season.label, contents: 'awards', courierId, packed, until } as const
    await makePacket(world, { ...parcel, school, status })
  }
}

/** Parcels of this season, in every state; more is due than they hold. */
export async function sendParcels(
  world: World,
  schools: readonly School[],
  courierId: number,
): Promise<void> {
  const [season] = world.seasons
  const common = { season: season.label, until: season.at(1), courierId }
  const of = (code: string) => {
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
    makePacket(world, { ...common, ...rest, school: of(code), packed: season.at(packed) })
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
    school: of('TUM0088'),
    contents: 'books',
    status: 'In transit',
    packed: season.at(0.9),
  } as const
  await sendAgain(world, again, returned)
}
