import '../catalogue.css'
import { exportList, listed } from '@podium/contract/catalogue/calls-files'
import { type ListEntry, listKinds, officeList } from '@podium/contract/catalogue/calls-lists'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads } from '#shell/saved-views/list-downloads.tsx'
import { useListView } from '#shell/saved-views/list-view.tsx'
import { Button } from '#ui/button.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { LinkTabs } from '#ui/tabs.tsx'
import { listFilters } from '../filters.ts'
import { ListFilterRow, noFilters } from './filter-row.tsx'
import { ListTable, useListColumns } from './table.tsx'
import { listWords } from './words.ts'

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
        <Link to={officePaths.catalogue} className="cat-back">
          {t('back')}
        </Link>
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
