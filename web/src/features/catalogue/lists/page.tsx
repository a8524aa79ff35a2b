import { exportList, listed, listOffers, listSorts } from '@podium/contract/catalogue/calls-files'
import { type ListEntry, listKinds, officeList } from '@podium/contract/catalogue/calls-lists'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads, useListView } from '#shell/saved-views/list-view.tsx'
import { Button } from '#ui/button.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { LinkTabs } from '#ui/tabs.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { listFilters } from '../filters.ts'
import { ListTable, useListColumns } from './table.tsx'
import { listWords } from './words.ts'
import '../catalogue.css'

/** A list without filters; which list it is stays. */
const noFilters = { search: '', state: '', zone: '', offered: '', sort: '' } as const

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
function ListFilterRow({ filters, entries, view }: Props) {
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
      search={<SearchField label={t('search')} {...filters.field('search')} />}
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
        choices={listOffers.map((value) => ({ value, label: t(value === '' ? 'all' : value) }))}
        {...filters.field('offered')}
      />
      <SelectField
        label={t('order')}
        choices={usable.map((value) => ({ value, label: t(orders[value]) }))}
        {...filters.field('sort')}
      />
    </FilterRow>
  )
}

const orders = { '': 'ownOrder', name: 'byName', used: 'byUse' } as const

const EntryDialog = lazy(() => import('./entry-dialog.tsx').then((m) => ({ default: m.EntryDialog })))

/** The lists that forms choose from: one at a time. */
export function ListsPage() {
  const t = listWords.use()
  const filters = useFilters(listFilters)
  const { list: kind, ...wanted } = filters.values
  const list = useEndpoint(officeList, { query: { kind } })
  const [hand, setHand] = useState<ListEntry | 'new'>()
  const { data, error, refetch } = list
  const lock = data && data.can.write !== true ? t('mayNotWrite') : undefined
  const entries = list.isPlaceholderData ? undefined : data?.data
  const { columns, tools } = useListView(
    `list-${kind}`,
    useListColumns({
      kind,
      entries,
      lock,
      ownOrder: listed(entries ?? [], wanted).length === entries?.length && wanted.sort === '',
      onEdit: setHand,
    }),
  )
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact')}>
        <Link to={officePaths.catalogue}>{t('back')}</Link>
        <ListDownloads endpoint={exportList} bodyOf={(format) => ({ kind, ...wanted, format })} />
        <Button kind="primary" icon="plus" disabled={lock} onClick={() => setHand('new')}>
          {t('add')}
        </Button>
      </PageHeader>
      <LinkTabs label={t('kinds')}>
        {listKinds.map((name) => (
          <Link
            key={name}
            to="."
            search={listFilters.validate({ list: name })}
            replace
            resetScroll={false}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={name === kind ? 'page' : undefined}
          >
            {t(name)}
          </Link>
        ))}
      </LinkTabs>
      <ListFilterRow filters={filters} entries={data?.data ?? []} view={tools} />
      {error && !data ? (
        <LoadProblem error={error} retry={refetch} />
      ) : (
        <ListTable
          kind={kind}
          columns={columns}
          entries={entries && listed(entries, wanted)}
          filtered={filters.countSet('search', 'state', 'zone', 'offered') > 0}
          onClear={() => filters.change(noFilters)}
        />
      )}
      {hand && (
        <Suspense>
          <EntryDialog
            kind={kind}
            entry={hand === 'new' ? undefined : hand}
            onClose={() => setHand(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
