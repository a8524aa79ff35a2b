import {
  officeInvite,
  officeResendInvitation,
  officeWithdrawInvitation,
  type SchoolContact,
  type SchoolPerson,
} from '@podium/contract/schools/calls-record'
import { confirmContact } from '@podium/contract/schools/calls-write'
import { lazy, Suspense, useState } from 'react'
import { call } from '#shell/call.ts'
import { Mail, Moment } from '#shell/format.tsx'
import { InvitationList } from '#shell/invitations/invitation-list.tsx'
import { useInvalidate } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { EmptyState } from '#ui/note.tsx'
import { Numbers, Returned, type SchoolOne, shownOfSchools, words } from './parts.tsx'

/** The school's staff, and the contacts of the foundation there. */
export function People({ one }: { one: SchoolOne }) {
  return (
    <>
      <Staff one={one} />
      <Contacts one={one} />
    </>
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
          <Returned schoolId={one.school.id} email={contact.email} mark={contact.bounced} mayNot={mayNot}>
            <span className="long">
              <Mail address={contact.email} />
              {contact.altEmail && (
                <>
                  , <Mail address={contact.altEmail} />
                </>
              )}
            </span>
          </Returned>
          <span className="under">
            <Numbers of={[contact.mobile, contact.altmobile]} name={contact.name} />
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
    <section className="record-part">
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
  const { busy, act } = useAction(shownOfSchools)
  const { id: contactId, version, name } = contact
  const body = { id: schoolId, contactId, version }
  const confirm = () => act(() => call(confirmContact, { body }), t('confirmDone', { name }))
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

const dialogs = () => import('./record-dialogs.tsx')
const AccountDialog = lazy(() => dialogs().then((m) => ({ default: m.AccountDialog })))
const CoordinateDialog = lazy(() => dialogs().then((m) => ({ default: m.CoordinateDialog })))
const RemoveDialog = lazy(() => dialogs().then((m) => ({ default: m.RemoveDialog })))
const InviteDialog = lazy(() =>
  import('#shell/invitations/invite-dialog.tsx').then((m) => ({ default: m.InviteDialog })),
)

type Doing = { what: 'coordinate' | 'account' | 'remove'; person: SchoolPerson } | { what: 'invite' }

/** The staff of a school and the invited people, with the office's actions for each. */
function Staff({ one }: { one: SchoolOne }) {
  const t = words.use()
  const [doing, setDoing] = useState<Doing>()
  const mayNot = one.can.write === true ? undefined : t('mayNotWrite')
  const mayNotInvite = mayNot ?? (one.school.active ? undefined : t('offFirst'))
  return (
    <section className="record-part">
      <div className="row between gap-4 mb-2">
        <h2>{t('staff')}</h2>
        <Button icon="plus" disabled={mayNotInvite} onClick={() => setDoing({ what: 'invite' })}>
          {t('invite')}
        </Button>
      </div>
      <StaffTable one={one} mayNot={mayNot} onDo={setDoing} />
      {one.invitations.length > 0 && <Invitations one={one} mayNot={mayNotInvite} />}
      <Suspense>
        <Dialogs one={one} doing={doing} onClose={() => setDoing(undefined)} />
      </Suspense>
    </section>
  )
}

function Dialogs({ one, doing, onClose }: { one: SchoolOne; doing: Doing | undefined; onClose: () => void }) {
  const renew = useInvalidate(shownOfSchools)
  const schoolId = one.school.id
  if (doing === undefined) return null
  if (doing.what === 'invite')
    return (
      <InviteDialog
        draftKey={`invite.${schoolId}`}
        send={(body) => call(officeInvite, { body: { ...body, id: schoolId } }).finally(renew)}
        onClose={onClose}
      />
    )
  const given = { schoolId, person: doing.person, onClose }
  if (doing.what === 'account') return <AccountDialog {...given} />
  if (doing.what === 'remove') return <RemoveDialog {...given} />
  return <CoordinateDialog {...given} before={one.staff.find((other) => other.coordinator)?.name ?? ''} />
}

function Invitations({ one, mayNot }: { one: SchoolOne; mayNot: string | undefined }) {
  const t = words.use()
  const { act } = useAction(shownOfSchools)
  const which = (invitationId: number) => ({ body: { id: one.school.id, invitationId } })
  return (
    <>
      <h3 className="register-invited">{t('invitations')}</h3>
      <InvitationList
        invitations={one.invitations}
        mayNot={mayNot}
        resend={({ id }, done) => act(() => call(officeResendInvitation, which(id)), done)}
        withdraw={({ id }, done) => act(() => call(officeWithdrawInvitation, which(id)), done)}
      />
    </>
  )
}

interface StaffProps {
  one: SchoolOne
  mayNot: string | undefined
  onDo: (doing: Doing) => void
}

function StaffTable({ one, mayNot, onDo }: StaffProps) {
  const t = words.use()
  const others = (id: number) => one.staff.some((other) => other.id !== id && !other.disabled)
  const columns: Column<SchoolPerson>[] = [
    {
      key: 'name',
      label: t('person'),
      title: true,
      cell: (person) => (
        <>
          {person.name} {person.coordinator && <Badge kind="verified">{t('coordinator')}</Badge>}
          <Returned schoolId={one.school.id} email={person.email} mark={person.bounced} mayNot={mayNot}>
            <span className="under long">
              <Mail address={person.email} />
            </span>
          </Returned>
          <span className="under">{person.designation}</span>
        </>
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
      cell: (person) => <StaffActs person={person} others={others(person.id)} mayNot={mayNot} onDo={onDo} />,
    },
  ]
  return (
    <DataTable
      caption={t('staff')}
      columns={columns}
      rows={one.staff}
      rowKey={(person) => String(person.id)}
      gone={(person) => person.disabled}
      empty={<EmptyState icon="users">{t('noStaff')}</EmptyState>}
      cardColumns={2}
    />
  )
}

interface StaffActsProps {
  person: SchoolPerson
  /** Another person of the school can sign in */
  others: boolean
  mayNot: string | undefined
  onDo: (doing: Doing) => void
}

function StaffActs({ person, others, mayNot, onDo }: StaffActsProps) {
  const t = words.use()
  const { name, disabled, coordinator } = person
  // The coordinator can leave only after the role is given to another person.
  const stays = mayNot ?? (coordinator && others ? t('coordinatorFirst') : undefined)
  return (
    <span className="staff-acts row inline gap-2">
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
        disabled={disabled ? mayNot : stays}
        aria-label={t(disabled ? 'enableOf' : 'disableOf', { name })}
        onClick={() => onDo({ what: 'account', person })}
      >
        {t(disabled ? 'enable' : 'disable')}
      </Button>
      <Button
        kind="text"
        disabled={stays}
        aria-label={t('removeOf', { name })}
        onClick={() => onDo({ what: 'remove', person })}
      >
        {t('remove')}
      </Button>
    </span>
  )
}
