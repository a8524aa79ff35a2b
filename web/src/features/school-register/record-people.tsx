import type { SchoolContact, SchoolPerson } from '@podium/contract/schools-record'
import { confirmContact, makeCoordinator } from '@podium/contract/schools-write'
import { lazy, Suspense, useState } from 'react'
import { call } from '#shell/call.ts'
import { Moment } from '#shell/format.tsx'
import { useSeason } from '#shell/season.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { EmptyState } from '#ui/note.tsx'
import { type SchoolOne, useDoing } from './use-record.ts'
import { words } from './words-record.ts'

const AccountDialog = lazy(() => import('./reason-dialogs.tsx').then((m) => ({ default: m.AccountDialog })))
const ConfirmDialog = lazy(() => import('#ui/dialog.tsx').then((m) => ({ default: m.ConfirmDialog })))

/** Who signs in for the school, and whom the foundation calls there. */
export function People({ one }: { one: SchoolOne }) {
  return (
    <>
      <Staff one={one} />
      <Contacts one={one} />
    </>
  )
}

type Doing = { what: 'coordinate' | 'account'; person: SchoolPerson }

function Staff({ one }: { one: SchoolOne }) {
  const t = words.use()
  const [doing, setDoing] = useState<Doing>()
  const mayNot = one.can.write === true ? undefined : t('mayNotWrite')
  const close = () => setDoing(undefined)
  const columns: Column<SchoolPerson>[] = [
    {
      key: 'name',
      label: t('person'),
      title: true,
      cell: (person) => (
        <>
          {person.name} {person.coordinator && <Badge kind="verified">{t('coordinator')}</Badge>}
          <span className="under register-long">{person.email}</span>
        </>
      ),
    },
    { key: 'designation', label: t('designation'), cell: (person) => person.designation },
    {
      key: 'seen',
      label: t('lastSeen'),
      cell: (person) =>
        person.lastSeen ? <Moment value={person.lastSeen} /> : <span className="quiet">{t('never')}</span>,
    },
    {
      key: 'account',
      label: t('account'),
      cell: (person) => (
        <Badge kind={person.disabled ? 'inactive' : 'active'}>
          {t(person.disabled ? 'disabled' : 'enabled')}
        </Badge>
      ),
    },
    {
      key: 'act',
      label: '',
      act: true,
      cell: (person) => <StaffActs person={person} mayNot={mayNot} onDo={setDoing} />,
    },
  ]
  return (
    <section className="register-part">
      <h2>{t('staff')}</h2>
      <DataTable
        caption={t('staff')}
        columns={columns}
        rows={one.staff}
        rowKey={(person) => String(person.id)}
        gone={(person) => person.disabled}
        empty={<EmptyState icon="users">{t('noStaff')}</EmptyState>}
        cardColumns={2}
      />
      <Suspense>
        {doing?.what === 'account' && (
          <AccountDialog schoolId={one.school.id} person={doing.person} onClose={close} />
        )}
        {doing?.what === 'coordinate' && <Coordinate one={one} person={doing.person} onClose={close} />}
      </Suspense>
    </section>
  )
}

interface StaffActsProps {
  person: SchoolPerson
  mayNot: string | undefined
  onDo: (doing: Doing) => void
}

function StaffActs({ person, mayNot, onDo }: StaffActsProps) {
  const t = words.use()
  const { name, disabled, coordinator } = person
  return (
    <span className="register-acts">
      {!coordinator && !disabled && (
        <Button
          kind="text"
          disabled={mayNot}
          aria-label={t('coordinateOf', { name })}
          onClick={() => onDo({ what: 'coordinate', person })}
        >
          {t('coordinate')}
        </Button>
      )}
      <Button
        kind="text"
        disabled={mayNot}
        aria-label={t(disabled ? 'enableOf' : 'disableOf', { name })}
        onClick={() => onDo({ what: 'account', person })}
      >
        {t(disabled ? 'enable' : 'disable')}
      </Button>
    </span>
  )
}

function Coordinate({ one, person, onClose }: { one: SchoolOne; person: SchoolPerson; onClose: () => void }) {
  const t = words.use()
  const doing = useDoing()
  const [busy, setBusy] = useState(false)
  const { id: userId, name } = person
  const before = one.staff.find((other) => other.coordinator)?.name
  const confirm = async () => {
    setBusy(true)
    const body = { id: one.school.id, userId }
    await doing(() => call(makeCoordinator, { body }), t('coordinateDone', { name }))
    onClose()
  }
  return (
    <ConfirmDialog
      opened
      title={t('coordinateTitle', { name })}
      action={t('coordinate')}
      busy={busy}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {before ? t('coordinateSays', { before }) : t('coordinateFirst')}
    </ConfirmDialog>
  )
}

function stateOf(contact: SchoolContact) {
  if (!contact.confirmed) return { kind: 'waiting', word: 'waits' } as const
  return contact.active
    ? ({ kind: 'verified', word: 'confirmed' } as const)
    : ({ kind: 'inactive', word: 'off' } as const)
}

function Contacts({ one }: { one: SchoolOne }) {
  const t = words.use()
  const season = useSeason()
  const mayNot = one.can.write === true ? undefined : t('mayNotWrite')
  const columns: Column<SchoolContact>[] = [
    {
      key: 'name',
      label: t('person'),
      title: true,
      cell: (contact) => `${contact.title} ${contact.name}`,
    },
    {
      key: 'designation',
      label: t('designation'),
      cell: (contact) => (
        <>
          {contact.designation}
          {contact.fyear !== season && <span className="under">{contact.fyear}</span>}
        </>
      ),
    },
    {
      key: 'reach',
      label: t('email'),
      card: 'wide',
      cell: (contact) => (
        <>
          <span className="register-long">
            {[contact.email, contact.altEmail].filter(Boolean).join(', ')}
          </span>
          <span className="under nowrap">
            {[contact.mobile, contact.altmobile].filter(Boolean).join(', ')}
          </span>
        </>
      ),
    },
    {
      key: 'state',
      label: t('contactState'),
      cell: (contact) => <Badge kind={stateOf(contact).kind}>{t(stateOf(contact).word)}</Badge>,
    },
    {
      key: 'act',
      label: '',
      act: true,
      cell: (contact) =>
        !contact.confirmed && <Confirm schoolId={one.school.id} contact={contact} mayNot={mayNot} />,
    },
  ]
  return (
    <section className="register-part">
      <h2>{t('contacts', { season })}</h2>
      <DataTable
        caption={t('contacts', { season })}
        columns={columns}
        rows={one.contacts}
        rowKey={(contact) => String(contact.id)}
        empty={<EmptyState icon="phone">{t('noContacts')}</EmptyState>}
        cardColumns={2}
      />
    </section>
  )
}

interface ConfirmProps {
  schoolId: number
  contact: SchoolContact
  mayNot: string | undefined
}

function Confirm({ schoolId, contact, mayNot }: ConfirmProps) {
  const t = words.use()
  const doing = useDoing()
  const [busy, setBusy] = useState(false)
  const { id: contactId, version, name } = contact
  const confirm = async () => {
    setBusy(true)
    const body = { id: schoolId, contactId, version }
    await doing(() => call(confirmContact, { body }), t('confirmDone', { name }))
    setBusy(false)
  }
  return (
    <Button
      busy={busy}
      disabled={mayNot}
      aria-label={t('confirmOf', { name })}
      onClick={() => void confirm()}
    >
      {t('confirm')}
    </Button>
  )
}
