import './incidents.css'
import {
  exportIncidents,
  type IncidentRow,
  incidentList,
  incidentSorts,
  natures,
} from '@podium/contract/privacy/calls-incidents'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { count, Day, Moment } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads, useListView } from '#shell/saved-views/list-view.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button, Segmented } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { FilterRow } from '#ui/filter-row.tsx'
import { EmptyState } from '#ui/note.tsx'
import { pagingOf } from '#ui/pager.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { incidentFilters } from '../filters.ts'
import { words } from './use-incident.ts'

const loadForm = () => import('./dialogs.tsx').then((m) => ({ default: m.IncidentDialog }))
const IncidentDialog = lazy(loadForm)

/** The register of breaches of personal data, with how many of the people affected were notified. */
export function IncidentsPage() {
  const t = words.use()
  const filters = useFilters(incidentFilters)
  const { page, ...filterValues } = filters.values
  const list = useEndpoint(incidentList, { query: { ...filterValues, page: String(page) } })
  const { data, error, refetch, isPlaceholderData } = list
  const { columns, tools } = useListView('incidents', useIncidentColumns())
  const mayWrite = useMay('incidents.write')
  const [opening, setOpening] = useState(false)
  const filtered = filters.countSet('search', 'nature', 'sort') > 0
  if (error && !data) return <PageProblem title={t('title')} error={error} retry={refetch} />
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact')}>
        <ListDownloads endpoint={exportIncidents} bodyOf={(format) => ({ ...filterValues, format })} />
        <Button
          kind="primary"
          icon="plus"
          disabled={mayWrite ? undefined : t('mayNotWrite')}
          onClick={() => setOpening(true)}
          onPointerEnter={() => void loadForm()}
        >
          {t('open')}
        </Button>
      </PageHeader>
      <FilterRow
        set={filters.countSet('nature', 'sort')}
        {...(filtered ? { onClear: () => filters.change({ search: '', nature: '', sort: 'newest' }) } : {})}
        search={
          <SearchField label={t('search')} placeholder={t('searchHint')} {...filters.field('search')} />
        }
        view={
          <div className="view-tools">
            <Segmented
              label={t('state')}
              value={filters.shown.state}
              choices={(['open', 'closed', 'all'] as const).map((value) => ({
                value,
                label: t(`show_${value}`),
              }))}
              onChange={(state) => filters.change({ state })}
            />
            {tools}
          </div>
        }
      >
        <SelectField
          label={t('nature')}
          empty={t('allNatures')}
          choices={natures.map((value) => ({ value, label: t(`nature_${value}`) }))}
          {...filters.field('nature')}
        />
        <SelectField
          label={t('order')}
          choices={incidentSorts.map((value) => ({ value, label: t(`order_${value}`) }))}
          {...filters.field('sort')}
        />
      </FilterRow>
      <DataTable
        caption={t('title')}
        columns={columns}
        rows={data?.data}
        rowKey={(row) => String(row.id)}
        stale={isPlaceholderData}
        cardColumns={2}
        empty={<Nothing open={filterValues.state === 'open' && !filtered} />}
        {...pagingOf(data, filters)}
      />
      <Suspense>{opening && <IncidentDialog onClose={() => setOpening(false)} />}</Suspense>
    </>
  )
}

function Nothing({ open }: { open: boolean }) {
  const t = words.use()
  return open ? (
    <EmptyState icon="ok" title={t('noneOpen')}>
      {t('noneOpenSays')}
    </EmptyState>
  ) : (
    <EmptyState icon="search">{t('nothing')}</EmptyState>
  )
}

function useIncidentColumns(): Column<IncidentRow>[] {
  const t = words.use()
  return [
    {
      key: 'title',
      label: t('incident'),
      title: true,
      cell: (row) => (
        <>
          <Link to={officePaths.incident} params={{ id: String(row.id) }}>
            {row.title}
          </Link>
          <span className="under">{t(`nature_${row.nature}`)}</span>
        </>
      ),
    },
    { key: 'found', label: t('found'), cell: (row) => <Moment value={row.foundAt} /> },
    { key: 'children', label: t('children'), num: true, cell: (row) => count(row.children) },
    { key: 'people', label: t('people'), num: true, cell: (row) => count(row.people) },
    { key: 'told', label: t('told'), num: true, cell: (row) => count(row.told) },
    {
      key: 'state',
      label: t('state'),
      cell: (row) =>
        row.state === 'open' ? (
          <Badge kind="underway">{t('isOpen')}</Badge>
        ) : (
          <>
            <Badge kind="yes">{t('isClosed')}</Badge>
            <span className="under">
              <Day value={row.closedAt} />
            </span>
          </>
        ),
    },
    { key: 'by', label: t('openedBy'), cell: (row) => row.openedBy },
  ]
}
