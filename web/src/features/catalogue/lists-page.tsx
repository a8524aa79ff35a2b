import './catalogue.css'
import { type ListEntry, listKinds, officeList } from '@podium/contract/catalogue-lists'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { LinkTabs } from '#ui/tabs.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { listFilters } from './filters.ts'
import { ListTable } from './list-table.tsx'
import { listWords } from './words-lists.ts'

const EntryDialog = lazy(() => import('./entry-dialog.tsx').then((m) => ({ default: m.EntryDialog })))

/** The lists that forms choose from: one at a time. */
export function ListsPage() {
  const t = listWords.use()
  const filters = useFilters(listFilters)
  const { list: kind, search } = filters.values
  const list = useEndpoint(officeList, { query: { kind } })
  const [hand, setHand] = useState<ListEntry | 'new'>()
  const { data, error, refetch } = list
  const lock = data && data.can.write !== true ? t('mayNotWrite') : undefined
  const fits = ({ name, state, zone, day }: ListEntry) =>
    `${name} ${state} ${zone} ${day}`.toLowerCase().includes(search.trim().toLowerCase())
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact')}>
        <Link to={officePaths.catalogue} className="cat-back">
          {t('back')}
        </Link>
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
      {(kind === 'districts' || kind === 'states') && (
        <FilterRow
          set={0}
          search={
            <SearchField
              label={t('search')}
              value={filters.shown.search}
              onChange={(event) => filters.change({ search: event.currentTarget.value })}
            />
          }
        />
      )}
      {error && !data ? (
        <LoadProblem error={error} retry={refetch} />
      ) : (
        <ListTable
          kind={kind}
          entries={list.isPlaceholderData ? undefined : data?.data.filter(fits)}
          lock={lock}
          onEdit={setHand}
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
