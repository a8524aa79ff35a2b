import { bookKinds } from '@podium/contract/classes'
import type { OrderStatus } from '@podium/contract/shipping/calls'
import {
  awardKinds,
  type DueContents,
  dispatchJobState,
  officeDue,
  officeDueItems,
  officeDueOfSchool,
  officeSpares,
} from '@podium/contract/shipping/calls-orders'
import {
  type MovedPacket,
  maxPackets,
  officePacket,
  officePackets,
  undoMove,
} from '@podium/contract/shipping/calls-packets'
import { officeMe } from '@podium/contract/staff/calls'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { call } from '#shell/call.ts'
import { useFilters } from '#shell/filters.ts'
import { defineWords } from '#shell/language/words.ts'
import { endpointQuery, useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { useAction } from '#shell/use-action.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import type { IconName } from '#ui/icon.tsx'
import type en from '#words/en/shipping.json'
import { dueFilters, packetFilters } from './filters.ts'

/** The words of the office's dispatch: what has to go out, parcels, couriers. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/shipping.json'))

/** The kinds that lines of these contents can be of, beside papers. */
const kindsOf = (contents: DueContents): readonly string[] =>
  contents === 'books' ? bookKinds : contents === 'awards' ? awardKinds : []

/** After a release all schools are counted anew, some at each look: the list looks again until none is left. */
const whileCounting = {
  refetchInterval: ({ state }: { state: { data?: { counting: number } | undefined } }) =>
    (state.data?.counting ?? 0) > 0 ? 1_500 : (false as const),
}

/** What has to go out as the address asks for it. */
export function useDue(contents: DueContents) {
  const season = useSeason()
  const filters = useFilters(dueFilters)
  const { page, by, ...wanted } = filters.values
  const letter = /^[A-Z]$/.test(wanted.letter) ? wanted.letter : ''
  const classId = /^\d{1,2}$/.test(wanted.classId) ? wanted.classId : ''
  const kind = kindsOf(contents).includes(wanted.kind) ? wanted.kind : ''
  const show = contents !== 'awards' && wanted.show === 'extra' ? 'due' : wanted.show
  const asked = { ...wanted, FYear: season, contents, letter, classId, kind, show } as const
  const list = useQuery({
    ...endpointQuery(officeDue, { query: { ...asked, page: String(page) } }),
    enabled: by === 'school',
    ...whileCounting,
  })
  const items = useQuery({
    ...endpointQuery(officeDueItems, { query: asked }),
    enabled: by === 'item',
    ...whileCounting,
  })
  const sums = by === 'school' ? list.data?.sums : items.data?.sums
  const counting = (by === 'school' ? list.data?.counting : items.data?.counting) ?? 0
  const set = filters.countSet('search', 'state', 'district', 'letter', 'classId', 'kind', 'show')
  return { season, contents, filters, asked, by, list, items, sums, counting, set }
}

export type Due = ReturnType<typeof useDue>

export const useMayWrite = () => useSession()?.permissions?.includes('dispatch.write') ?? false

/** Whatever shows parcels or what is due. */
export const shownOfDispatch = [
  officeSpares,
  officeDue,
  officeDueItems,
  officeDueOfSchool,
  officePackets,
  officePacket,
  dispatchJobState,
  officeMe,
]

/** The way back for a message that parcels have moved; none for more than one call takes. */
export function useUndoMove() {
  const t = words.use()
  const { act } = useAction(shownOfDispatch)
  return (packets: MovedPacket[]) => {
    if (packets.length === 0 || packets.length > maxPackets) return undefined
    const undo = () =>
      void act(
        () => call(undoMove, { body: { packets } }),
        ({ undone, left }) =>
          left > 0 ? t('moveUndoneSome', { n: undone, left }) : t('moveUndone', { n: undone }),
      )
    return { label: t('undo'), act: undo }
  }
}

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

/** The sign of each state of a parcel. */
export const signs: Record<OrderStatus, readonly [BadgeTone, IconName]> = {
  Packed: ['mute', 'box'],
  Dispatched: ['info', 'truck'],
  'In transit': ['info', 'truck'],
  Delivered: ['ok', 'ok'],
  Returned: ['due', 'undo'],
  Cancelled: ['mute', 'close'],
}

export function StatusBadge({ of }: { of: OrderStatus }) {
  const t = words.use()
  const [tone, icon] = signs[of]
  return (
    <Badge tone={tone} icon={icon}>
      {t(of)}
    </Badge>
  )
}
