import { text } from '@podium/contract/fields'
import { messages } from '@podium/contract/messages'
import type { OfficeStudent } from '@podium/contract/students-record'
import { renewOfficeFamilyLink, revokeFamilyLink } from '@podium/contract/students-write'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import type { LinkAct } from './record-family.tsx'
import { useRenew } from './use-record.ts'
import { words } from './words-record.ts'

const schema = z.object({ reason: text(messages.reasonRequired, 500) })

interface ReasonProps {
  title: string
  says: ReactNode
  action: string
  danger: boolean
  done: string
  draftKey: string
  act: (reason: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for the reason of what is about to be done; what is typed stays until it is sent. */
export function ReasonDialog({ title, says, action, danger, done, draftKey, act, onClose }: ReasonProps) {
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

interface LinkProps {
  act: LinkAct
  student: OfficeStudent
  onClose: () => void
}

/** Replaces the family's link and code, or takes them back. */
export function LinkDialog({ act, student, onClose }: LinkProps) {
  const t = words.use()
  const { id } = student
  const renews = act === 'renew'
  return (
    <ReasonDialog
      title={t(renews ? 'renewTitle' : 'revokeTitle')}
      says={t(renews ? 'renewSays' : 'revokeSays')}
      action={t(renews ? 'renew' : 'revoke')}
      danger={!renews}
      done={t(renews ? 'renewDone' : 'revokeDone')}
      draftKey={`family.${act}.${id}`}
      act={(reason) => call(renews ? renewOfficeFamilyLink : revokeFamilyLink, { body: { id, reason } })}
      onClose={onClose}
    />
  )
}
