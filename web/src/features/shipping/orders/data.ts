import { bookKinds } from '@podium/contract/classes'
import {
  awardKinds,
  type DueContents,
  dispatchJobState,
  officeDue,
  officeDueItems,
  officeDueOfSchool,
  officeSpares,
} from '@podium/contract/shipping/calls-orders'
import { officePacket, officePackets } from '@podium/contract/shipping/calls-packets'
import { officeMe } from '@podium/contract/staff/calls'
import { useQuery } from '@tanstack/react-query'
import { useFilters } from '#shell/filters.ts'
import { endpointQuery } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { dueFilters } from '../filters.ts'

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
