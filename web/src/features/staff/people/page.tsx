import {
  exportStaff,
  roles,
  type StaffMember,
  staffList,
  staffStates,
} from '@podium/contract/staff/calls-people'
import { useState } from 'react'
import { useFilters } from '#shell/filters.ts'
import { Mail, Moment } from '#shell/format.tsx'
import { choicesOf, ListPage } from '#shell/list-table.tsx'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { NothingFound } from '#ui/note.tsx'
import { peopleFilters } from './filters.ts'
import { words } from './words.ts'

const InviteDialog = lazyDialog(() => import('./dialogs.tsx'), 'InviteDialog')
const ManageDialog = lazyDialog(() => import('./dialogs.tsx'), 'ManageDialog')

/** The office's staff, for owners: roles, access, active sessions. */
export function PeoplePage() {
  const t = words.use()
  const filters = useFilters(peopleFilters)
  const list = useEndpoint(staffList, { query: filters.values })
  const [inviting, setInviting] = useState(false)
  const [managed, setManaged] = useState<number>()
  // Looked up among all: after a change of role the member may no longer match the filters.
  const all = useEndpoint(staffList, { enabled: managed !== undefined })
  const member = all.data?.data.find(({ id }) => id === managed)
  return (
    <>
      <ListPage
        name="staff"
        title={t('title')}
        fact={list.data && t('fact', { n: list.data.data.length })}
        list={list}
        filters={filters}
        fields={{
          search: { label: t('search') },
          role: { label: t('role'), all: t('all'), choices: choicesOf(roles, t) },
          state: { label: t('state'), all: t('all'), choices: choicesOf(staffStates, t) },
        }}
        caption={t('caption')}
        columns={usePeopleColumns(setManaged)}
        rowKey={(row) => String(row.id)}
        gone={(row) => row.state === 'off'}
        empty={<NothingFound title={t('nothing')} onClear={filters.clear} />}>
        <ListDownloads endpoint={exportStaff} bodyOf={(format) => ({ ...filters.values, format })} />
        <Button kind="primary" icon="plus" onClick={() => setInviting(true)}>
          {t('invite')}
        </Button>
      </ListPage>

      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
      {member && <ManageDialog member={member} onClose={() => setManaged(undefined)} />}
    </>
  )
}

const badges = { active: 'active', invited: 'waiting', off: 'inactive' } as const

function usePeopleColumns(onManage: (id: number) => void): Column<StaffMember>[] {
  const t = words.use()
  return columnsOf(t, [
    {
      key: 'name',
      title: true,
      cell: (row) =>
        lines(
          <>
            {row.name}
            {row.self && <span className="quiet"> ({t('you')})</span>}
          </>,
          <Mail address={row.emailId} />,
        ),
    },
    { key: 'role', cell: (row) => t(row.role) },
    { key: 'state', cell: (row) => <Badge kind={badges[row.state]}>{t(row.state)}</Badge> },
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
          onClick={() => onManage(row.id)}>
          {t('manage')}
        </Button>
      ),
    },
  ])
}
