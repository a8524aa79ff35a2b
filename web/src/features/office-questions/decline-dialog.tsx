import { text } from '@podium/contract/fields'
import { messages } from '@podium/contract/messages'
import { declineQuestion, type OfficeQuestion, officeQuestions } from '@podium/contract/questions-office'
import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

const schema = z.object({ reason: text(messages.reasonRequired, 500) })

/** Declines a question with the reason that its school reads. */
export function DeclineDialog({ question, onClose }: { question: OfficeQuestion; onClose: () => void }) {
  const t = words.use()
  const client = useQueryClient()
  const { id, version } = question
  const f = usePortalForm({
    schema,
    initialValues: { reason: '' },
    draftKey: `question.${id}`,
    save: async ({ reason }) => {
      await call(declineQuestion, { body: { id, version, reason } }).finally(() =>
        client.invalidateQueries({ queryKey: [officeQuestions.path] }),
      )
      toast.success(t('declineDone'))
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={t('declineTitle')} size="small">
      <FormFrame of={f} asksBeforeLeaving={false}>
        <DialogBody>
          <div className="stack">
            <p>{t('declineSays', { name: question.sentBy })}</p>
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
          <Button type="submit" kind="danger-filled" busy={f.saving}>
            {t('decline')}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}
