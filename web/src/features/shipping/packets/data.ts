import { officePacket, officePackets } from '@podium/contract/shipping/calls-packets'
import { useParams } from '@tanstack/react-router'
import { useFilters } from '#shell/filters.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { packetFilters } from '../filters.ts'

/** The parcels as the address asks for them. */
export function usePackets() {
  const season = useSeason()
  const filters = useFilters(packetFilters)
  const { page, ...wanted } = filters.values
  const courier = /^\d{1,15}$/.test(wanted.courier) ? wanted.courier : ''
  const asked = { ...wanted, FYear: season, courier }
  const list = useEndpoint(officePackets, { query: { ...asked, page: String(page) } })
  const set = filters.countSet('search', 'contents', 'status', 'state', 'courier', 'mark')
  return { season, filters, asked, list, set }
}

export type Packets = ReturnType<typeof usePackets>

/** The parcel that the address names. */
export function usePacket() {
  const { id } = useParams({ strict: false })
  const packetId = String(Number(id) || 0)
  const one = useEndpoint(officePacket, { query: { packetId } })
  // Earlier data stays while the next loads: it is not the parcel that was asked for.
  const data = one.data?.packet.packetId === Number(packetId) ? one.data : undefined
  return { packetId, one, data }
}
