import { replaceClassNames } from '@podium/contract/classes'
import {
  type Incident,
  type IncidentPerson,
  incidentPeople,
  markNotifiedOtherwise,
  personStatuses,
  removeAffected,
} from '@podium/contract/privacy/calls-incidents'
import { useState } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { useDisabledReason } from '#shell/disabled-reason.ts'
import { useFilters } from '#shell/filters.ts'
import { count, Moment } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { choicesOf, ListFilters, ListTable } from '#shell/list-table.tsx'
import { useEndpoint } from '#shell/query.ts'
import { StudentLink } from '#shell/record-links.tsx'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { EmptyState } from '#ui/note.tsx'
import { Panel, Tile, Tiles } from '#ui/panel.tsx'
import { peopleFilters } from '../filters.ts'
import { incidentCalls, words } from './use-incident.ts'

const AddDialog = lazyDialog(() => import('./dialogs.tsx'), 'AddDialog')
const ReasonDialog = lazyDialog(() => import('#shell/reason-dialog.tsx'), 'ReasonDialog')

type OpenDialog = 'add' | 'remove' | 'otherwise'

/** Who is affected, and when and how each was notified. */
export function People({ incident }: { incident: Incident }) {
  const t = words.use()
  const reason = useDisabledReason(t('mayNotWrite'))
  const [openDialog, setOpenDialog] = useState<OpenDialog>()
  const { children, people, notified, waiting, unreachable, can } = incident
  const locked = reason(can.change)
  return (
    <>
      <Panel
        title={t('affected')}
        aside={
          <span className="row inline gap-2">
            {unreachable > 0 && (
              <Button disabled={locked} onClick={() => setOpenDialog('otherwise')}>
                {t('noteOtherwise')}
              </Button>
            )}
            {waiting + unreachable > 0 && (
              <Button disabled={locked} onClick={() => setOpenDialog('remove')}>
                {t('removeAll')}
              </Button>
            )}
            <Button
              icon="plus"
              disabled={locked}
              onClick={() => setOpenDialog('add')}
              onPointerEnter={() => void AddDialog.load()}>
              {t('add')}
            </Button>
          </span>
        }>
        <Tiles>
          <Tile label={t('children')} value={count(children)} />
          <Tile label={t('people')} value={count(people)} />
          <Tile label={t('notified')} value={count(notified)} />
          <Tile
            label={t('notNotified')}
            value={count(waiting + unreachable)}
            meaning={t('unreachable', { n: unreachable })}
          />
        </Tiles>
      </Panel>
      <AffectedTable incident={incident} />
      {openDialog && (
        <PeopleDialog incident={incident} openDialog={openDialog} onClose={() => setOpenDialog(undefined)} />
      )}
    </>
  )
}

function PeopleDialog({
  incident,
  openDialog,
  onClose,
}: {
  incident: Incident
  openDialog: OpenDialog
  onClose: () => void
}) {
  const t = words.use()
  const { id, version, unreachable } = incident
  if (openDialog === 'add') return <AddDialog incident={incident} onClose={onClose} />
  if (openDialog === 'remove') return <RemoveDialog incident={incident} onClose={onClose} />
  return (
    <ReasonDialog
      title={t('noteOtherwise')}
      description={t('otherwiseHint', { n: unreachable })}
      label={t('otherwiseHow')}
      rule={markNotifiedOtherwise.body.shape.note}
      invalidates={incidentCalls}
      action={t('noteIt')}
      done={t('saved')}
      draftKey={`incident.${id}.otherwise`}
      act={(note) => call(markNotifiedOtherwise, { body: { id, version, note } })}
      onClose={onClose}
    />
  )
}

function RemoveDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const t = words.use()
  const { id, version, waiting, unreachable } = incident
  return (
    <ConfirmAction
      danger
      title={t('removeAll')}
      action={t('remove')}
      act={() => call(removeAffected, { body: { id, version } })}
      invalidates={incidentCalls}
      done={t('removed')}
      onClose={onClose}>
      <p>{t('removeHint', { n: waiting + unreachable })}</p>
    </ConfirmAction>
  )
}

function AffectedTable({ incident }: { incident: Incident }) {
  const t = words.use()
  const filters = useFilters(peopleFilters)
  const { page, ...filterValues } = filters.values
  const list = useEndpoint(incidentPeople, {
    query: { id: String(incident.id), ...filterValues, page: String(page) },
  })
  const columns = usePeopleColumns(incident)
  const nobody = incident.children + incident.people === 0
  return (
    <>
      {!nobody && (
        <ListFilters
          filters={filters}
          fields={{
            search: { label: t('searchPeople'), placeholder: t('searchPeopleHint') },
            status: {
              label: t('notification'),
              choices: choicesOf(personStatuses, (value) =>
                t(value === '' ? 'notification_all' : `notification_${value}`),
              ),
            },
          }}
        />
      )}
      <ListTable
        caption={t('affected')}
        columns={columns}
        list={list}
        filters={nobody ? undefined : filters}
        rowKey={(row) => String(row.id)}
        cardColumns={2}
        empty={
          nobody ? (
            <EmptyState icon="users" title={t('nobody')}>
              {t('nobodyHint')}
            </EmptyState>
          ) : (
            <EmptyState icon="search">{t('nothing')}</EmptyState>
          )
        }
      />
    </>
  )
}

function usePeopleColumns(incident: Incident): Column<IncidentPerson>[] {
  const t = words.use()
  const reason = useDisabledReason(t('mayNotWrite'))
  const { busy, act } = useAction(incidentCalls)
  const { id, version, can } = incident
  return columnsOf(t, [
    {
      key: 'name',
      title: true,
      cell: (row) =>
        lines(
          row.studentId === null ? row.name : <StudentLink id={row.studentId}>{row.name}</StudentLink>,
          t(row.kind),
        ),
    },
    { key: 'place', card: 'wide', cell: (row) => replaceClassNames(row.place, translateSentence) },
    { key: 'notified', card: 'wide', cell: (row) => <NotificationStatus person={row} /> },
    {
      key: 'act',
      label: '',
      act: true,
      cell: (row) =>
        row.notifiedAt === null && (
          <Button
            kind="text"
            busy={busy}
            disabled={reason(can.change)}
            aria-label={`${t('remove')}: ${row.name}`}
            onClick={() =>
              void act(() => call(removeAffected, { body: { id, version, people: [row.id] } }), t('removed'))
            }>
            {t('remove')}
          </Button>
        ),
    },
  ])
}

function NotificationStatus({
  person: { notifiedAt, via, note, delivery, mail },
}: {
  person: IncidentPerson
}) {
  const t = words.use()
  if (notifiedAt === null)
    return mail ? <Badge kind="waiting">{t('byMail')}</Badge> : <Badge kind="doubt">{t('noMail')}</Badge>
  return lines(
    delivery === 'failed' ? (
      <Badge kind="rejected">{t('mailFailed')}</Badge>
    ) : delivery === 'waiting' ? (
      <Badge kind="underway">{t('mailSending')}</Badge>
    ) : (
      <Badge kind="yes">{t(via === 'mail' ? 'mailSent' : 'notifiedOtherwise')}</Badge>
    ),
    <>
      <Moment value={notifiedAt} />
      {note !== '' && ` · ${note}`}
    </>,
  )
}
