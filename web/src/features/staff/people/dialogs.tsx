import {
  endStaffSessions,
  inviteForm,
  inviteStaff,
  resetSecondFactor,
  roles,
  type StaffMember,
  sendStaffLink,
  setStaffRole,
  setStaffStatus,
  staffList,
  staffSessions,
} from '@podium/contract/staff/calls-people'
import { type ComponentProps, useState } from 'react'
import { call } from '#shell/call.ts'
import { FormDialog, useFormDialog } from '#shell/form-dialog.tsx'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { useEndpoint } from '#shell/query.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { SessionPanel } from '#shell/sessions/session-list.tsx'
import { useAction } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { staffCalls, words } from './words.ts'

const emptyInvitation: { name: string; emailId: string; role: (typeof roles)[number] } = {
  name: '',
  emailId: '',
  role: 'viewer',
}

/** Invites a staff member: name, e-mail, role. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = words.use()
  const f = useFormDialog({
    schema: inviteForm,
    initialValues: emptyInvitation,
    draftKey: 'staff.invite',
    save: (body) => call(inviteStaff, { body }),
    invalidates: [staffList],
    done: (_, { name }) => t('inviteDone', { name }),
    onClose,
  })
  return (
    <FormDialog of={f} title={t('invite')} save={t('send')} asksBeforeLeaving>
      <TextField label={t('name')} autoComplete="off" data-autofocus {...f.form.field('name')} />
      <TextField label={t('email')} type="email" autoComplete="off" {...f.form.field('emailId')} />
      <RoleField {...f.form.field('role')} />
      <p className="hint">{t('inviteHint')}</p>
    </FormDialog>
  )
}

interface Props {
  member: StaffMember
  onClose: () => void
}

type OpenDialog = 'status' | 'factor'

/** A staff member: role, access, active sessions, history. */
export function ManageDialog({ member, onClose }: Props) {
  const t = words.use()
  const [asking, setAsking] = useState<OpenDialog>()
  const close = () => setAsking(undefined)
  if (asking === 'status') return <StatusDialog member={member} onClose={close} />
  if (asking === 'factor') return <ResetFactorDialog member={member} onClose={close} />
  return (
    <Dialog opened onClose={onClose} size="wide" title={member.name} fact={member.emailId}>
      <DialogBody>
        <div className="two">
          <div className="stack">
            {member.state === 'off' && <Note kind="due">{t('isInactive')}</Note>}
            <RolePart member={member} />
            <AccessPart member={member} onAsk={setAsking} />
            <SessionsPart member={member} />
          </div>
          <RecordHistory kind="staff" id={member.id} />
        </div>
      </DialogBody>
      <DialogFoot onClose={onClose} />
    </Dialog>
  )
}

function RolePart({ member }: { member: StaffMember }) {
  const t = words.use()
  const { busy, act } = useAction(staffCalls)
  const [role, setRole] = useState(member.role)
  const { id, version, name } = member
  const body = { id, version, role }
  return (
    <div className="stack gap-3">
      <RoleField
        value={role}
        hint={member.lastOwner ? t('lastOwner') : t('roleHint', { name })}
        disabled={member.lastOwner}
        onChange={(event) => setRole(roles.find((candidate) => candidate === event.target.value) ?? role)}
      />
      <div>
        <Button
          kind="primary"
          busy={busy}
          disabled={member.lastOwner ? t('lastOwner') : role === member.role}
          onClick={() => void act(() => call(setStaffRole, { body }), t('roleDone', { name }))}>
          {t('saveRole')}
        </Button>
      </div>
    </div>
  )
}

function AccessPart({ member, onAsk }: { member: StaffMember; onAsk: (asking: OpenDialog) => void }) {
  const t = words.use()
  const { busy, act } = useAction(staffCalls)
  const { id, version, emailId: email } = member
  const off = member.state === 'off'
  const send = () => act(() => call(sendStaffLink, { body: { id, version } }), t('linkDone', { email }))
  return (
    <section className="stack gap-3" aria-labelledby="staff-access">
      <h2 id="staff-access">{t('access')}</h2>
      <p className="quiet">{t('sendLinkHint')}</p>
      <div className="row gap-2">
        <Button icon="mail" busy={busy} disabled={off && t('isInactive')} onClick={() => void send()}>
          {t('sendLink')}
        </Button>
        <Button
          disabled={off ? t('isInactive') : !member.secondFactor && t('noFactor')}
          onClick={() => onAsk('factor')}>
          {t('resetFactor')}
        </Button>
        <Button
          kind={off ? 'secondary' : 'danger'}
          disabled={member.lastOwner && t('lastOwner')}
          onClick={() => onAsk('status')}>
          {t(off ? 'switchOn' : 'switchOff')}
        </Button>
      </div>
    </section>
  )
}

function SessionsPart({ member }: { member: StaffMember }) {
  const t = words.use()
  const { act } = useAction(staffCalls)
  const { id, name } = member
  const sessions = useEndpoint(staffSessions, { query: { id: String(id) } })
  const end = (session?: string) =>
    act(() => call(endStaffSessions, { body: { id, ...(session ? { session } : {}) } }), t('ended'))
  return (
    <SessionPanel
      title={t('sessionsTitle', { name })}
      sessions={sessions.data?.data}
      error={sessions.error}
      retry={sessions.refetch}
      endAll={t('endAll')}
      onEnd={end}
    />
  )
}

function StatusDialog({ member, onClose }: Props) {
  const t = words.use()
  const { id, version, name } = member
  const off = member.state === 'off'
  return (
    <ReasonDialog
      title={t(off ? 'onTitle' : 'offTitle', { name })}
      description={t(off ? 'onHint' : 'offHint', { name })}
      action={t(off ? 'switchOn' : 'switchOff')}
      danger={!off}
      draftKey={`staff.standing.${id}`}
      act={(reason) => call(setStaffStatus, { body: { id, version, active: off, reason } })}
      invalidates={staffCalls}
      done={t(off ? 'onDone' : 'offDone', { name })}
      onClose={onClose}
    />
  )
}

function ResetFactorDialog({ member, onClose }: Props) {
  const t = words.use()
  const { id, version, name } = member
  return (
    <ReasonDialog
      title={t('resetTitle', { name })}
      description={t('resetHint', { name })}
      action={t('resetFactor')}
      danger
      draftKey={`staff.factor.${id}`}
      act={(reason) => call(resetSecondFactor, { body: { id, version, reason } })}
      invalidates={staffCalls}
      done={t('resetDone', { name })}
      onClose={onClose}
    />
  )
}

/** Selects a role; each choice says what it allows. */
function RoleField(props: Omit<ComponentProps<typeof SelectField>, 'label' | 'choices'>) {
  const t = words.use()
  const choices = roles.map((role) => ({ value: role, label: `${t(role)}: ${t(`${role}May`)}` }))
  return <SelectField {...props} label={t('role')} choices={choices} />
}
