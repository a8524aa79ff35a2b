import { listOffers, listSorts } from '@podium/contract/catalogue/calls-files'
import type { ListEntry } from '@podium/contract/catalogue/calls-lists'
import type { ReactNode } from 'react'
import type { useFilters } from '#shell/filters.ts'
import { FilterRow } from '#ui/filter-row.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import type { listFilters } from '../filters.ts'
import { listWords } from './words.ts'

/** A list without filters; which list it is stays. */
export const noFilters = { search: '', state: '', zone: '', offered: '', sort: '' } as const

const namesOf = (entries: readonly ListEntry[], of: 'state' | 'zone', also: string) =>
  [...new Set([...entries.map((entry) => entry[of]), also].filter(Boolean))]
    .toSorted((a, b) => a.localeCompare(b, 'en'))
    .map((name) => ({ value: name, label: name }))

interface Props {
  filters: ReturnType<typeof useFilters<typeof listFilters.readers>>
  entries: readonly ListEntry[]
  view: ReactNode
}

/** Search, place, whether it is offered, and the order. */
export function ListFilterRow({ filters, entries, view }: Props) {
  const t = listWords.use()
  const { shown, change } = filters
  const place = shown.list === 'districts' ? 'state' : shown.list === 'states' ? 'zone' : undefined
  const set = filters.countSet('state', 'zone', 'offered', 'sort')
  const any = set > 0 || shown.search !== ''
  const usable = shown.list === 'holidays' ? (['', 'name'] as const) : listSorts
  return (
    <FilterRow
      set={set}
      view={view}
      {...(any ? { onClear: () => change(noFilters) } : {})}
      search={
        <SearchField
          label={t('search')}
          value={shown.search}
          onChange={(event) => change({ search: event.currentTarget.value })}
        />
      }
    >
      {place && (
        <SelectField
          label={t(place)}
          empty={t('all')}
          value={shown[place]}
          choices={namesOf(entries, place, shown[place])}
          onChange={(event) => change({ [place]: event.currentTarget.value })}
        />
      )}
      <SelectField
        label={t('offered')}
        value={shown.offered}
        choices={listOffers.map((value) => ({ value, label: t(value === '' ? 'all' : value) }))}
        onChange={(event) =>
          change({ offered: listOffers.find((one) => one === event.currentTarget.value) ?? '' })
        }
      />
      <SelectField
        label={t('order')}
        value={shown.sort}
        choices={usable.map((value) => ({ value, label: t(orders[value]) }))}
        onChange={(event) =>
          change({ sort: listSorts.find((one) => one === event.currentTarget.value) ?? '' })
        }
      />
    </FilterRow>
  )
}

const orders = { '': 'ownOrder', name: 'byName', used: 'byUse' } as const
