import { makePacket, sendAgain } from './packets.ts'
import type { School, World } from './world.ts'

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
