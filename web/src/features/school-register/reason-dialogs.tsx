import { officeRemovePerson } from '@podium/contract/colleagues-office'
import { text } from '@podium/contract/fields'
import { messages } from '@podium/contract/messages'
import type { SchoolPerson, SchoolRecord } from '@podium/contract/schools-record'
import { makeCoordinator, setSchoolAccount, setSchoolStanding } from '@podium/contract/schools-write'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { useRenew } from './use-record.ts'
import { words } from './words-record.ts'

const schema = z.object({ reason: text(messages.reasonRequired, 500) })

interface ReasonProps {
  title: string
  says: string
  action: string
  danger: boolean
  done: string
  draftKey: string
  act: (reason: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for the reason of what is about to be done; what is typed stays until it is sent. */
function ReasonDialog({ title, says, action, danger, done, draftKey, act, onClose }: ReasonProps) {
  const t = words.use()
  const renew = useRenew()
  const f = usePortalForm({
    schema,
    initialValues: { reason: '' },
    draftKey,
    save: async ({ reason }) => {
      await act(reason).finally(renew)
      toast.success(done)
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={title} size="small">
      <FormFrame of={f} asksBeforeLeaving={false}>
        <DialogBody>
          <div className="stack">
            <p>{says}</p>
            <TextArea
              label={t('reason')}
              rows={3}
              data-autofocus
              key={f.form.key('reason')}
              {...f.form.getInputProps('reason')}
            />
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind={danger ? 'danger-filled' : 'primary'} busy={f.saving}>
            {action}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}

/** Switches a school off, or on again. */
export function StandingDialog({ school, onClose }: { school: SchoolRecord; onClose: () => void }) {
  const t = words.use()
  const { id, version, active, schName: name } = school
  return (
    <ReasonDialog
      title={t(active ? 'offTitle' : 'onTitle', { name })}
      says={t(active ? 'offSays' : 'onSays')}
      action={t(active ? 'switchOff' : 'switchOn')}
      danger={active}
      done={t(active ? 'offDone' : 'onDone', { name })}
      draftKey={`standing.${id}`}
      act={(reason) => call(setSchoolStanding, { body: { id, version, active: !active, reason } })}
      onClose={onClose}
    />
  )
}

interface AccountProps {
  schoolId: number
  person: SchoolPerson
  onClose: () => void
}

/** Disables somebody's account, or enables it again. */
export function AccountDialog({ schoolId, person, onClose }: AccountProps) {
  const t = words.use()
  const { id: userId, version, disabled: enabled, name } = person
  return (
    <ReasonDialog
      title={t(enabled ? 'enableTitle' : 'disableTitle', { name })}
      says={t(enabled ? 'enableSays' : 'disableSays', { name })}
      action={t(enabled ? 'enable' : 'disable')}
      danger={!enabled}
      done={t(enabled ? 'enableDone' : 'disableDone', { name })}
      draftKey={`account.${userId}`}
      act={(reason) => call(setSchoolAccount, { body: { id: schoolId, userId, version, enabled, reason } })}
      onClose={onClose}
    />
  )
}

/** Makes somebody the coordinator in the place of who was it before. */
export function CoordinateDialog({ schoolId, person, before, onClose }: AccountProps & { before: string }) {
  const t = words.use()
  const { id: userId, name } = person
  return (
    <ReasonDialog
      title={t('coordinateTitle', { name })}
      says={before === '' ? t('coordinateFirst') : t('coordinateSays', { before })}
      action={t('coordinate')}
      danger={false}
      done={t('coordinateDone', { name })}
      draftKey={`coordinate.${userId}`}
      act={(reason) => call(makeCoordinator, { body: { id: schoolId, userId, reason } })}
      onClose={onClose}
    />
  )
}

/** Removes somebody from the school. */
export function RemoveDialog({ schoolId, person, onClose }: AccountProps) {
  const t = words.use()
  const { id: userId, version, name } = person
  return (
    <ReasonDialog
      title={t('removeTitle', { name })}
      says={t('removeSays', { name })}
      action={t('remove')}
      danger
      done={t('removeDone', { name })}
      draftKey={`remove.${userId}`}
      act={(reason) => call(officeRemovePerson, { body: { id: schoolId, userId, version, reason } })}
      onClose={onClose}
    />
  )
}
