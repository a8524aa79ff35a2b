import { pagingOf } from '#shell/paging.ts'
import './incidents.css'
import { exportIncidents, incidentList, incidentSorts, natures } from '@podium/contract/incidents'
import { lazy, Suspense, useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { PageProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { ListDownloads } from '#shell/views/list-downloads.tsx'
import { useListView } from '#shell/views/list-view.tsx'
import { Button, Segmented } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { incidentFilters } from './filters.ts'
import { useIncidentColumns } from './list-columns.tsx'
import { words } from './words.ts'

const loadForm = () => import('./facts-dialog.tsx').then((m) => ({ default: m.FactsDialog }))
const FactsDialog = lazy(loadForm)

/** The register of breaches of personal data, with the clocks of the law. */
export function IncidentsPage() {
  const t = words.use()
  const filters = useFilters(incidentFilters)
  const { page, ...wanted } = filters.values
  const list = useEndpoint(incidentList, { query: { ...wanted, page: String(page) } })
  const { data, error, refetch, isPlaceholderData } = list
  const { columns, tools } = useListView('incidents', useIncidentColumns())
  const mayWrite = useSession()?.permissions?.includes('incidents.write') ?? false
  const [opening, setOpening] = useState(false)
  const filtered = filters.countSet('search', 'nature', 'sort') > 0
  if (error && !data) return <PageProblem title={t('title')} error={error} retry={refetch} />
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact')}>
        <ListDownloads endpoint={exportIncidents} bodyOf={(format) => ({ ...wanted, format })} />
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
      {data && data.late > 0 && <Note kind="bad">{t('lateOnes', { n: data.late })}</Note>}
      <FilterRow
        set={filters.countSet('nature', 'sort')}
        {...(filtered ? { onClear: () => filters.change({ search: '', nature: '', sort: 'newest' }) } : {})}
        search={
          <SearchField
            label={t('search')}
            placeholder={t('searchHint')}
            value={filters.shown.search}
            onChange={(event) => filters.change({ search: event.currentTarget.value })}
          />
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
          value={filters.shown.nature}
          empty={t('allNatures')}
          choices={natures.map((value) => ({ value, label: t(`nature_${value}`) }))}
          onChange={(event) =>
            filters.change({ nature: natures.find((one) => one === event.currentTarget.value) ?? '' })
          }
        />
        <SelectField
          label={t('order')}
          value={filters.shown.sort}
          choices={incidentSorts.map((value) => ({ value, label: t(`order_${value}`) }))}
          onChange={(event) =>
            filters.change({
              sort: incidentSorts.find((one) => one === event.currentTarget.value) ?? 'newest',
            })
          }
        />
      </FilterRow>
      <DataTable
        caption={t('title')}
        columns={columns}
        rows={data?.data}
        rowKey={(row) => String(row.id)}
        stale={isPlaceholderData}
        cardColumns={2}
        empty={<Nothing open={wanted.state === 'open' && !filtered} />}
        {...pagingOf(data, filters)}
      />
      <Suspense>{opening && <FactsDialog onClose={() => setOpening(false)} />}</Suspense>
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
