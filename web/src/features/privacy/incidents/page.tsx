import { lines } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import './incidents.css'
import {
  exportIncidents,
  type IncidentRow,
  incidentList,
  incidentNatures,
  incidentSorts,
} from '@podium/contract/privacy/calls-incidents'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { count, Day, Moment } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { choicesOf, ListPage } from '#shell/list-table.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { EmptyState } from '#ui/note.tsx'
import { incidentFilters } from '../filters.ts'
import { words } from './use-incident.ts'

const IncidentDialog = lazyDialog(() => import('./dialogs.tsx'), 'IncidentDialog')

/** The register of breaches of personal data, with how many of the people affected were notified. */
export function IncidentsPage() {
  const t = words.use()
  const filters = useFilters(incidentFilters)
  const { page, ...wanted } = filters.values
  const list = useEndpoint(incidentList, { query: { ...wanted, page: String(page) } })
  const mayWrite = useMay('incidents.write')
  const [opening, setOpening] = useState(false)
  const nothing = <EmptyState icon="search">{t('nothing')}</EmptyState>
  return (
    <>
      <ListPage
        name="incidents"
        title={t('title')}
        fact={t('fact')}
        list={list}
        filters={filters}
        fields={{
          search: { label: t('search'), placeholder: t('searchHint') },
          nature: {
            label: t('nature'),
            all: t('allNatures'),
            choices: choicesOf(incidentNatures, (value) => t(`nature_${value}`)),
          },
          sort: { label: t('order'), choices: choicesOf(incidentSorts, (value) => t(`order_${value}`)) },
        }}
        tabs={{
          name: 'state',
          label: t('state'),
          choices: choicesOf(['open', 'closed', 'all'], (value) => t(`show_${value}`)),
        }}
        caption={t('title')}
        columns={useIncidentColumns()}
        rowKey={(row) => String(row.id)}
        cardColumns={2}
        nothing={nothing}
        empty={
          wanted.state === 'open' ? (
            <EmptyState icon="ok" title={t('noneOpen')}>
              {t('noneOpenHint')}
            </EmptyState>
          ) : (
            nothing
          )
        }>
        <ListDownloads endpoint={exportIncidents} bodyOf={(format) => ({ ...wanted, format })} />
        <Button
          kind="primary"
          icon="plus"
          disabled={mayWrite ? undefined : t('mayNotWrite')}
          onClick={() => setOpening(true)}
          onPointerEnter={() => void IncidentDialog.load()}>
          {t('open')}
        </Button>
      </ListPage>
      {opening && <IncidentDialog onClose={() => setOpening(false)} />}
    </>
  )
}

function useIncidentColumns(): Column<IncidentRow>[] {
  const t = words.use()
  return columnsOf(t, [
    {
      key: 'title',
      label: t('incident'),
      title: true,
      cell: (row) =>
        lines(
          <Link to={officePaths.incident} params={{ id: String(row.id) }}>
            {row.title}
          </Link>,
          t(`nature_${row.nature}`),
        ),
    },
    { key: 'found', cell: (row) => <Moment value={row.foundAt} /> },
    { key: 'children', num: true, cell: (row) => count(row.children) },
    { key: 'people', num: true, cell: (row) => count(row.people) },
    { key: 'notified', num: true, cell: (row) => count(row.notified) },
    {
      key: 'state',
      cell: (row) =>
        row.state === 'open' ? (
          <Badge kind="underway">{t('isOpen')}</Badge>
        ) : (
          lines(<Badge kind="yes">{t('isClosed')}</Badge>, <Day value={row.closedAt} />)
        ),
    },
    { key: 'by', label: t('openedBy'), cell: (row) => row.openedBy },
  ])
}
