import { rejectApplication } from '@podium/contract/applications'
import { text } from '@podium/contract/fields'
import { messages } from '@podium/contract/messages'
import * as z from 'zod/mini'
import { CallError, call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { useKitWords } from '#ui/kit-words.ts'
import { TextArea } from '#ui/text-field.tsx'
import type { DecisionProps } from './decision.ts'
import { words } from './words.ts'

const schema = z.object({ reason: text(messages.reasonRequired, 500) })

/** Rejects with the reason that the school reads; what is typed stays until it is sent. */
export function RejectDialog({ detail, onDone, onRefused, onClose }: DecisionProps) {
  const t = words.use()
  const kit = useKitWords()
  const { id, version, schName, city, applicantName: applicant } = detail.application
  const f = usePortalForm({
    schema,
    initialValues: { reason: '' },
    draftKey: `reject.${id}`,
    save: async ({ reason }) => {
      try {
        await call(rejectApplication, { body: { id, version, reason } })
        onDone(t('rejectedToast', { name: schName }))
      } catch (cause) {
        if (!(cause instanceof CallError) || !onRefused(cause)) throw cause
      }
    },
  })
  return (
    <Dialog opened onClose={onClose} title={t('rejectTitle')} size="small">
      <FormFrame of={f} asksBeforeLeaving={false}>
        <DialogBody>
          <div className="appl-ask">
            <p>
              <b>{schName}</b>, {city}
            </p>
            <p>{t('rejectText', { applicant })}</p>
            <TextArea
              label={t('reason')}
              rows={4}
              data-autofocus
              key={f.form.key('reason')}
              {...f.form.getInputProps('reason')}
            />
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{kit.cancel}</Button>
          <Button type="submit" kind="danger-filled" busy={f.saving}>
            {t('rejectSave')}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}
