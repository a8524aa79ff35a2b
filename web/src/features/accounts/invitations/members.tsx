import {
  type Colleague,
  offerCoordination,
  removeColleague,
} from '@podium/contract/accounts/calls-invitations'
import { lazy, Suspense, useState } from 'react'
import { call } from '#shell/call.ts'
import { useFocusBack } from '#shell/focus-back.ts'
import { Moment } from '#shell/format.tsx'
import { useAct } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { shownOfColleagues } from './shown.ts'
import { words } from './words.ts'

const ConfirmDialog = lazy(() => import('#ui/dialog.tsx').then((m) => ({ default: m.ConfirmDialog })))

type Asked = { what: 'handOver' | 'remove'; person: Colleague }

interface PeopleProps {
  people: readonly Colleague[]
  mayNot: string | undefined
}

/** The people of the school with role and last sign-in, and what its coordinator may do about each. */
export function People({ people, mayNot }: PeopleProps) {
  const t = words.use()
  const [asked, ask] = useState<Asked>()
  const focus = useFocusBack()
  const close = () => {
    ask(undefined)
    focus.goBack()
  }
  const columns: Column<Colleague>[] = [
    {
      key: 'name',
      label: t('name'),
      title: true,
      cell: (person) => (
        <>
          {person.name}
          {person.self && <span className="quiet"> ({t('you')})</span>}
          <span className="under colleagues-long">{person.emailId}</span>
        </>
      ),
    },
    {
      key: 'role',
      label: t('role'),
      cell: (person) =>
        person.coordinator ? (
          <Badge kind="verified">{t('coordinator')}</Badge>
        ) : (
          <Badge tone="info" icon="users">
            {t('staff')}
          </Badge>
        ),
    },
    {
      key: 'state',
      label: t('state'),
      cell: (person) => (
        <Badge kind={person.disabled ? 'inactive' : 'active'}>
          {t(person.disabled ? 'disabled' : 'enabled')}
        </Badge>
      ),
    },
    {
      key: 'seen',
      label: t('lastSeen'),
      card: 'wide',
      cell: (person) =>
        person.lastSeen ? <Moment value={person.lastSeen} /> : <span className="quiet">{t('never')}</span>,
    },
    {
      key: 'act',
      label: '',
      act: true,
      cell: (person) =>
        !person.coordinator && (
          <Acts
            person={person}
            mayNot={mayNot}
            onAsk={(what) => {
              focus.remember()
              ask({ what, person })
            }}
          />
        ),
    },
  ]
  return (
    <>
      <DataTable
        caption={t('people')}
        columns={columns}
        rows={[...people]}
        rowKey={(person) => String(person.id)}
        gone={(person) => person.disabled}
        empty={null}
        cardColumns={2}
      />
      <Suspense>{asked && <Ask {...asked} onClose={close} />}</Suspense>
    </>
  )
}

interface ActsProps {
  person: Colleague
  mayNot: string | undefined
  onAsk: (what: Asked['what']) => void
}

function Acts({ person: { name, disabled }, mayNot, onAsk }: ActsProps) {
  const t = words.use()
  return (
    <span className="colleagues-acts">
      {!disabled && (
        <Button
          kind="text"
          disabled={mayNot}
          aria-label={t('handOverOf', { name })}
          onClick={() => onAsk('handOver')}
        >
          {t('handOver')}
        </Button>
      )}
      <Button
        kind="text"
        disabled={mayNot}
        aria-label={t('removeOf', { name })}
        onClick={() => onAsk('remove')}
      >
        {t('remove')}
      </Button>
    </span>
  )
}

function Ask({ what, person: { id, name, version }, onClose }: Asked & { onClose: () => void }) {
  const t = words.use()
  const { busy, act } = useAct(shownOfColleagues)
  const removing = what === 'remove'
  const confirm = async () => {
    if (removing) await act(() => call(removeColleague, { body: { id, version } }), t('removed', { name }))
    else await act(() => call(offerCoordination, { body: { id } }), t('handedOver', { name }))
    onClose()
  }
  return (
    <ConfirmDialog
      opened
      title={t(removing ? 'removeTitle' : 'handOverTitle', { name })}
      action={t(removing ? 'remove' : 'handOverAct')}
      danger={removing}
      busy={busy}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {t(removing ? 'removeSays' : 'handOverSays', { name })}
    </ConfirmDialog>
  )
}
