import { orderStatuses, packetContents } from '@podium/contract/shipping/calls'
import { officeCouriers, packetMarks } from '@podium/contract/shipping/calls-packets'
import type { ReactNode } from 'react'
import { count } from '#shell/format.tsx'
import { useEndpoint } from '#shell/query.ts'
import { FilterRow } from '#ui/filter-row.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { usePlaces } from '../orders/filter-row.tsx'
import { words } from '../words.ts'
import type { Packets } from './data.ts'

type Name = 'contents' | 'status' | 'state' | 'courier' | 'mark'

const markWords = {
  '': 'all',
  differs: 'markDiffers',
  confirmed: 'markConfirmed',
  numberless: 'markNumberless',
} as const

/** Number, school, state, contents and courier of parcels; how many stand in each state is said in the list to choose from. */
export function PacketFilters({ packets, view }: { packets: Packets; view: ReactNode }) {
  const t = words.use()
  const { filters, set, list } = packets
  const couriers = useEndpoint(officeCouriers).data?.data ?? []
  const places = usePlaces(filters.shown.state, '')
  const counts = list.data?.counts
  const select = (
    name: Name,
    label: string,
    choices: readonly (readonly [string, string])[],
    empty?: string,
  ) => (
    <SelectField
      label={label}
      {...(empty === undefined ? {} : { empty })}
      value={filters.shown[name]}
      choices={choices.map(([value, said]) => ({ value, label: said }))}
      onChange={(event) => filters.change({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <FilterRow
      set={Math.max(0, set - (filters.values.search === '' ? 0 : 1))}
      {...(set > 0 ? { onClear: filters.clear } : {})}
      view={view}
      search={
        <SearchField
          label={t('search')}
          placeholder={t('packetSearchHint')}
          value={filters.shown.search}
          onChange={(event) => filters.change({ search: event.currentTarget.value })}
        />
      }
    >
      {select(
        'status',
        t('status'),
        orderStatuses.map((status) => [
          status,
          counts ? `${t(status)} (${count(counts[status] ?? 0)})` : t(status),
        ]),
        t('all'),
      )}
      {select(
        'contents',
        t('contents'),
        packetContents.map((contents) => [contents, t(contents)]),
        t('all'),
      )}
      {select('state', t('state'), places.states, t('all'))}
      {select(
        'courier',
        t('courier'),
        couriers.map(({ courierId, name }) => [String(courierId), name]),
        t('all'),
      )}
      {select(
        'mark',
        t('mark'),
        packetMarks.map((mark) => [mark, t(markWords[mark])]),
      )}
    </FilterRow>
  )
}
