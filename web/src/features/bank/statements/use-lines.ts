import { bankLines } from '@podium/contract/bank/calls'
import { officeMe } from '@podium/contract/staff/calls'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { assignedQuery } from '#shell/assignments/assigned.tsx'
import { useFilters } from '#shell/filters.ts'
import { endpointQuery } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { bankFilters } from './filters.ts'

/** The list as the address asks for it, read again while lines are being compared or booked. */
export function useLines() {
  const FYear = useSeason()
  const filters = useFilters(bankFilters)
  const { state, search, statement, assigned, page } = filters.values
  /** Which lines are shown, whatever their state */
  const asked = {
    FYear,
    ...(statement > 0 ? { statement: String(statement) } : {}),
    ...assignedQuery(assigned),
  }
  const query = { ...asked, ...(state === 'first' ? {} : { state }), search, page: String(page) }
  const list = useQuery({
    ...endpointQuery(bankLines, { query }),
    refetchInterval: ({ state: { data } }) => (data?.job ? 1500 : data?.bookings.length ? 5000 : false),
  })
  const working = list.data?.job != null
  const worked = useRef(working)
  const client = useQueryClient()
  useEffect(() => {
    // What a job has booked waits no more: the menu says the same number as the page.
    if (worked.current && !working) void client.invalidateQueries({ queryKey: [officeMe.path] })
    worked.current = working
  }, [working, client])
  return { FYear, filters, asked, list }
}
export type Lines = ReturnType<typeof useLines>
