import { getApplication, listApplications } from '@podium/contract/schools/calls-applications'
import { officeMe } from '@podium/contract/staff/calls'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { assignedQuery } from '#shell/assignments/assigned.tsx'
import { useFilters } from '#shell/filters.ts'
import { defineWords } from '#shell/language/words.ts'
import { useLastPage } from '#shell/list-table.tsx'
import { useEndpoint } from '#shell/query.ts'
import type en from '#words/en/schools-applications.json'
import { applicationFilters } from '../filters.ts'

/** The words of the office's queue of applications. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-applications.json'))

/** The page of the queue in the URL, the open application, and the navigation between applications. */
export function useQueue() {
  const filters = useFilters(applicationFilters)
  const { state, search, assigned, page, id } = filters.values
  const navigate = useNavigate()
  const client = useQueryClient()
  const list = useEndpoint(listApplications, {
    query: { state, search, ...assignedQuery(assigned), page: String(Math.max(1, page)) },
  })
  useLastPage(list.data, filters)
  // While another state loads, the earlier list is of the wrong kind.
  const ofOtherState = list.isPlaceholderData && list.data?.data[0]?.reviewState !== state
  const rows = ofOtherState ? undefined : list.data?.data
  const selected = id > 0 ? id : rows?.[0]?.id
  const detail = useEndpoint(getApplication, {
    query: { id: String(selected ?? 0) },
    enabled: selected !== undefined,
  })
  const searchOf = useCallback(
    (next: number) => applicationFilters.validate({ state, search, assigned, page, id: next }),
    [state, search, assigned, page],
  )
  const open = useCallback(
    (next: number) => void navigate({ to: '.', search: searchOf(next), replace: true, resetScroll: false }),
    [navigate, searchOf],
  )
  const index = rows?.findIndex((row) => row.id === selected) ?? -1
  const neighbour = useCallback((step: 1 | -1) => rows?.[index + step]?.id, [rows, index])
  /**
   * Refetches everything a decision changes: this list, the likely schools of other applications, the counts in the
   * menu.
   */
  const invalidate = useCallback(async () => {
    const stale = [listApplications, getApplication, officeMe]
    await Promise.all(stale.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
  }, [client])
  return {
    filters,
    list,
    rows,
    total: list.data?.total ?? 0,
    counts: list.data?.counts,
    selected,
    detail,
    /** Only the open application: while it loads, the query still returns the previous one. */
    opened: detail.data?.application.id === selected ? detail.data : undefined,
    searchOf,
    open,
    neighbour,
    renew: invalidate,
  }
}

export type Queue = ReturnType<typeof useQueue>
