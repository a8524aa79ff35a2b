import {
  type DueContents,
  dispatchJobState,
  officeDue,
  officeDueItems,
  officeDueOfSchool,
} from '@podium/contract/dispatch-due'
import { officePackets } from '@podium/contract/dispatch-packets'
import { officeMe } from '@podium/contract/staff'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useFilters } from '#shell/filters.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { dueFilters } from './filters.ts'

/** What has to go out as the address asks for it. */
export function useDue(contents: DueContents) {
  const season = useSeason()
  const filters = useFilters(dueFilters)
  const { page, by, ...wanted } = filters.values
  const letter = /^[A-Z]$/.test(wanted.letter) ? wanted.letter : ''
  const classId = /^\d{1,2}$/.test(wanted.classId) ? wanted.classId : ''
  const kind = contents === 'papers' ? '' : wanted.kind
  const asked = { ...wanted, FYear: season, contents, letter, classId, kind } as const
  const list = useEndpoint(officeDue, { query: { ...asked, page: String(page) }, enabled: by === 'school' })
  const items = useEndpoint(officeDueItems, { query: asked, enabled: by === 'item' })
  const sums = by === 'school' ? list.data?.sums : items.data?.sums
  const counting = (by === 'school' ? list.data?.counting : items.data?.counting) ?? 0
  const set = filters.countSet('search', 'state', 'district', 'letter', 'classId', 'kind', 'show')
  return { season, contents, filters, asked, by, list, items, sums, counting, set }
}

export type Due = ReturnType<typeof useDue>

export const useMayWrite = () => useSession()?.permissions?.includes('dispatch.write') ?? false

/** Whatever shows parcels or what is due is asked for again. */
export function useRenewDispatch(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(async () => {
    const stale = [officeDue, officeDueItems, officeDueOfSchool, officePackets, dispatchJobState, officeMe]
    await Promise.all([
      ...stale.map(({ path }) => client.invalidateQueries({ queryKey: [path] })),
      client.invalidateQueries({ queryKey: ['/api/office/dispatch/packet'] }),
    ])
  }, [client])
}
