import {
  officeInvite,
  officeResendInvitation,
  officeWithdrawInvitation,
  type SchoolContact,
  type SchoolPerson,
} from '@podium/contract/schools/calls-record'
import { confirmContact } from '@podium/contract/schools/calls-write'
import { useState } from 'react'
import { call } from '#shell/call.ts'
import { Mail, Moment } from '#shell/format.tsx'
import { InvitationList } from '#shell/invitations/invitation-list.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { useInvalidate } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable, lines } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { EmptyState } from '#ui/note.tsx'
import { BouncedEmail, PhoneNumbers, type SchoolAnswer, schoolCalls, words } from './parts.tsx'

/** The school's staff, and the contacts of the foundation there. */
export function People({ record }: { record: SchoolAnswer }) {
  return (
    <>
      <Staff record={record} />
      <Contacts record={record} />
    </>
  )
}

function stateOf(contact: SchoolContact) {
  if (!contact.active) return { kind: 'inactive', word: 'off' } as const
  return contact.confirmed
    ? ({ kind: 'verified', word: 'confirmed' } as const)
    : ({ kind: 'waiting', word: 'waits' } as const)
}

function Contacts({ record }: { record: SchoolAnswer }) {
  const t = words.use()
  const season = useSeason()
  const refusal = record.can.write === true ? undefined : t('mayNotWrite')
  const columns: Column<SchoolContact>[] = columnsOf(t, [
    { key: 'person', title: true, cell: (contact) => `${contact.title} ${contact.name}` },
    {
      key: 'designation',
      cell: (contact) =>
        lines(translateSentence(contact.designation), contact.fyear !== season && contact.fyear),
    },
    {
      key: 'email',
      card: 'wide',
      cell: (contact) =>
        lines(
          <BouncedEmail
            schoolId={record.school.id}
            email={contact.email}
            mark={contact.bounced}
            refusal={refusal}>
            <span className="long">
              <Mail address={contact.email} />
              {contact.altEmail && (
                <>
                  , <Mail address={contact.altEmail} />
                </>
              )}
            </span>
          </BouncedEmail>,
          <PhoneNumbers numbers={[contact.mobile, contact.altmobile]} name={contact.name} />,
        ),
    },
    {
      key: 'contactState',
      cell: (contact) => <Badge kind={stateOf(contact).kind}>{t(stateOf(contact).word)}</Badge>,
    },
    {
      key: 'act',
      label: '',
      act: true,
      cell: (contact) =>
        contact.active &&
        !contact.confirmed && <Confirm schoolId={record.school.id} contact={contact} refusal={refusal} />,
    },
  ])
  return (
    <section className="record-part">
      <h2>{t('contacts', { season })}</h2>
      <DataTable
        caption={t('contacts', { season })}
        columns={columns}
        rows={record.contacts}
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
  refusal: string | undefined
}

function Confirm({ schoolId, contact, refusal }: ConfirmProps) {
  const t = words.use()
  const { busy, act } = useAction(schoolCalls)
  const { id: contactId, version, name } = contact
  const body = { id: schoolId, contactId, version }
  const confirm = () => act(() => call(confirmContact, { body }), t('confirmDone', { name }))
  return (
    <Button
      busy={busy}
      disabled={refusal}
      aria-label={t('confirmOf', { name })}
      onClick={() => void confirm()}>
      {t('confirm')}
    </Button>
  )
}

const dialogs = () => import('./record-dialogs.tsx')
const AccountDialog = lazyDialog(dialogs, 'AccountDialog')
const CoordinateDialog = lazyDialog(dialogs, 'CoordinateDialog')
const RemoveDialog = lazyDialog(dialogs, 'RemoveDialog')
const InviteDialog = lazyDialog(() => import('#shell/invitations/invite-dialog.tsx'), 'InviteDialog')

type OpenDialog = { action: 'coordinate' | 'account' | 'remove'; person: SchoolPerson } | { action: 'invite' }

/** The staff of a school and the invited people, with the office's actions for each. */
function Staff({ record }: { record: SchoolAnswer }) {
  const t = words.use()
  const [openDialog, setOpenDialog] = useState<OpenDialog>()
  const refusal = record.can.write === true ? undefined : t('mayNotWrite')
  const mayNotInvite = refusal ?? (record.school.active ? undefined : t('offFirst'))
  return (
    <section className="record-part">
      <div className="row between gap-4 mb-2">
        <h2>{t('staff')}</h2>
        <Button icon="plus" disabled={mayNotInvite} onClick={() => setOpenDialog({ action: 'invite' })}>
          {t('invite')}
        </Button>
      </div>
      <StaffTable record={record} refusal={refusal} onAction={setOpenDialog} />
      {record.invitations.length > 0 && <Invitations record={record} refusal={mayNotInvite} />}
      <Dialogs record={record} openDialog={openDialog} onClose={() => setOpenDialog(undefined)} />
    </section>
  )
}

function Dialogs({
  record,
  openDialog,
  onClose,
}: {
  record: SchoolAnswer
  openDialog: OpenDialog | undefined
  onClose: () => void
}) {
  const invalidate = useInvalidate(schoolCalls)
  const schoolId = record.school.id
  if (openDialog === undefined) return null
  if (openDialog.action === 'invite')
    return (
      <InviteDialog
        draftKey={`invite.${schoolId}`}
        send={(body) => call(officeInvite, { body: { ...body, id: schoolId } }).finally(invalidate)}
        onClose={onClose}
      />
    )
  const accountProps = { schoolId, person: openDialog.person, onClose }
  if (openDialog.action === 'account') return <AccountDialog {...accountProps} />
  if (openDialog.action === 'remove') return <RemoveDialog {...accountProps} />
  return (
    <CoordinateDialog
      {...accountProps}
      before={record.staff.find((member) => member.coordinator)?.name ?? ''}
    />
  )
}

function Invitations({ record, refusal }: { record: SchoolAnswer; refusal: string | undefined }) {
  const t = words.use()
  const invitationRef = (invitationId: number) => ({ body: { id: record.school.id, invitationId } })
  return (
    <>
      <h3 className="register-invited">{t('invitations')}</h3>
      <InvitationList
        invitations={record.invitations}
        disabledReason={refusal}
        resend={({ id }) => call(officeResendInvitation, invitationRef(id))}
        withdraw={({ id }) => call(officeWithdrawInvitation, invitationRef(id))}
        invalidates={schoolCalls}
      />
    </>
  )
}

interface StaffProps {
  record: SchoolAnswer
  refusal: string | undefined
  onAction: (openDialog: OpenDialog) => void
}

function StaffTable({ record, refusal, onAction }: StaffProps) {
  const t = words.use()
  const hasOthers = (id: number) => record.staff.some((member) => member.id !== id && !member.disabled)
  const columns: Column<SchoolPerson>[] = columnsOf(t, [
    {
      key: 'person',
      title: true,
      cell: (person) => (
        <>
          {person.name} {person.coordinator && <Badge kind="verified">{t('coordinator')}</Badge>}
          <BouncedEmail
            schoolId={record.school.id}
            email={person.email}
            mark={person.bounced}
            refusal={refusal}>
            <span className="under long">
              <Mail address={person.email} />
            </span>
          </BouncedEmail>
          <span className="under">{translateSentence(person.designation)}</span>
        </>
      ),
    },
    {
      key: 'lastSeen',
      card: 'wide',
      cell: (person) =>
        person.lastSeen ? <Moment value={person.lastSeen} /> : <span className="quiet">{t('never')}</span>,
    },
    {
      key: 'account',
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
      cell: (person) => (
        <StaffActions
          person={person}
          othersCanSignIn={hasOthers(person.id)}
          refusal={refusal}
          onAction={onAction}
        />
      ),
    },
  ])
  return (
    <DataTable
      caption={t('staff')}
      columns={columns}
      rows={record.staff}
      rowKey={(person) => String(person.id)}
      gone={(person) => person.disabled}
      empty={<EmptyState icon="users">{t('noStaff')}</EmptyState>}
      cardColumns={2}
    />
  )
}

interface StaffActionsProps {
  person: SchoolPerson
  /** Another person of the school can sign in */
  othersCanSignIn: boolean
  refusal: string | undefined
  onAction: (openDialog: OpenDialog) => void
}

function StaffActions({ person, othersCanSignIn, refusal, onAction }: StaffActionsProps) {
  const t = words.use()
  const { name, disabled, coordinator } = person
  // The coordinator can leave only after the role is given to another person.
  const stays = refusal ?? (coordinator && othersCanSignIn ? t('coordinatorFirst') : undefined)
  return (
    <span className="staff-acts row inline gap-2">
      {!coordinator && !disabled && (
        <Button
          kind="text"
          disabled={refusal}
          aria-label={t('coordinateOf', { name })}
          onClick={() => onAction({ action: 'coordinate', person })}>
          {t('coordinate')}
        </Button>
      )}
      <Button
        kind="text"
        disabled={disabled ? refusal : stays}
        aria-label={t(disabled ? 'enableOf' : 'disableOf', { name })}
        onClick={() => onAction({ action: 'account', person })}>
        {t(disabled ? 'enable' : 'disable')}
      </Button>
      <Button
        kind="text"
        disabled={stays}
        aria-label={t('removeOf', { name })}
        onClick={() => onAction({ action: 'remove', person })}>
        {t('remove')}
      </Button>
    </span>
  )
}
