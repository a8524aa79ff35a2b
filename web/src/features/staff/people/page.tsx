import {
  exportStaff,
  roles,
  type StaffMember,
  staffList,
  staffStates,
} from '@podium/contract/staff/calls-people'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { Moment } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { PageProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads, useListView } from '#shell/saved-views/list-view.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { FilterRow } from '#ui/filter-row.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { peopleFilters } from './filters.ts'
import { words } from './words.ts'

const InviteDialog = lazy(() => import('./dialogs.tsx').then((m) => ({ default: m.InviteDialog })))
const ManageDialog = lazy(() => import('./dialogs.tsx').then((m) => ({ default: m.ManageDialog })))

/** The office's staff, for owners: roles, access, active sessions. */
export function PeoplePage() {
  const t = words.use()
  const filters = useFilters(peopleFilters)
  const list = useEndpoint(staffList, { query: filters.values })
  const [inviting, setInviting] = useState(false)
  const [managed, setManaged] = useState<number>()
  const { columns, tools } = useListView('staff', usePeopleColumns(setManaged))
  // Looked up among all: after a change of role the member may no longer match the filters.
  const all = useEndpoint(staffList, { enabled: managed !== undefined })
  const member = all.data?.data.find(({ id }) => id === managed)
  if (list.error && !list.data)
    return <PageProblem title={t('title')} error={list.error} retry={list.refetch} />
  return (
    <>
      <PageHeader title={t('title')} fact={list.data && t('fact', { n: list.data.data.length })}>
        <ListDownloads endpoint={exportStaff} bodyOf={(format) => ({ ...filters.values, format })} />
        <Button kind="primary" icon="plus" onClick={() => setInviting(true)}>
          {t('invite')}
        </Button>
      </PageHeader>
      <Filters filters={filters} view={tools} />
      <People list={list} filters={filters} columns={columns} />
      <Suspense>
        {inviting && <InviteDialog onClose={() => setInviting(false)} />}
        {member && <ManageDialog member={member} onClose={() => setManaged(undefined)} />}
      </Suspense>
    </>
  )
}

type Filtering = ReturnType<typeof useFilters<typeof peopleFilters.readers>>

function Filters({ filters, view }: { filters: Filtering; view: ReactNode }) {
  const t = words.use()
  const set = filters.countSet('role', 'state')
  const isFiltered = set > 0 || filters.values.search !== ''
  return (
    <FilterRow
      set={set}
      view={view}
      {...(isFiltered ? { onClear: filters.clear } : {})}
      search={<SearchField label={t('search')} {...filters.field('search')} />}
    >
      <SelectField
        label={t('role')}
        empty={t('all')}
        choices={roles.map((role) => ({ value: role, label: t(role) }))}
        {...filters.field('role')}
      />
      <SelectField
        label={t('state')}
        empty={t('all')}
        choices={staffStates.map((state) => ({ value: state, label: t(state) }))}
        {...filters.field('state')}
      />
    </FilterRow>
  )
}

const badges = { active: 'active', invited: 'waiting', off: 'inactive' } as const

interface PeopleProps {
  columns: readonly Column<StaffMember>[]
  list: ReturnType<typeof useEndpoint<typeof staffList>>
  filters: Filtering
}

function usePeopleColumns(onManage: (id: number) => void): Column<StaffMember>[] {
  const t = words.use()
  return [
    {
      key: 'name',
      label: t('name'),
      title: true,
      cell: (row) => (
        <>
          {row.name}
          {row.self && <span className="quiet"> ({t('you')})</span>}
          <span className="under quiet">{row.emailId}</span>
        </>
      ),
    },
    { key: 'role', label: t('role'), cell: (row) => t(row.role) },
    {
      key: 'state',
      label: t('state'),
      cell: (row) => <Badge kind={badges[row.state]}>{t(row.state)}</Badge>,
    },
    {
      key: 'factor',
      label: t('secondFactor'),
      cell: (row) => t(row.secondFactor ? 'factorYes' : 'factorNo'),
    },
    {
      key: 'seen',
      label: t('lastSeen'),
      card: 'wide',
      cell: (row) => (row.lastSeen === null ? t('never') : <Moment value={row.lastSeen} />),
    },
    {
      key: 'sessions',
      label: t('sessions'),
      cell: (row) => (row.sessions === 0 ? t('nowhere') : t('sessionsAt', { n: row.sessions })),
    },
    {
      key: 'act',
      label: t('manage'),
      act: true,
      cell: (row) => (
        <Button
          className="sm"
          aria-label={t('manageOf', { name: row.name })}
          onClick={() => onManage(row.id)}
        >
          {t('manage')}
        </Button>
      ),
    },
  ]
}

function People({ list, filters, columns }: PeopleProps) {
  const t = words.use()
  const translate = useSentences()
  return (
    <DataTable
      caption={t('caption')}
      columns={columns}
      rows={list.data?.data}
      rowKey={(row) => String(row.id)}
      stale={list.isPlaceholderData}
      gone={(row) => row.state === 'off'}
      {...(list.error ? { error: { message: translate(list.error.message), retry: list.refetch } } : {})}
      empty={
        <EmptyState
          icon="search"
          title={t('nothing')}
          actions={<Button onClick={filters.clear}>{t('clear')}</Button>}
        />
      }
    />
  )
}
