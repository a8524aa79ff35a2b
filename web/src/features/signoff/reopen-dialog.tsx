import { text } from '@podium/contract/fields'
import { messages } from '@podium/contract/messages'
import { reopenList, type SignOffList } from '@podium/contract/signoff'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { dayText } from '#shell/format.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { useRenew } from './sign-dialog.tsx'
import { words } from './words.ts'

const schema = z.object({ reason: text(messages.reasonRequired, 500) })

/** Opens a list again; the reason is asked for and stays in its history. */
export function ReopenDialog({ list, onClose }: { list: SignOffList; onClose: () => void }) {
  const t = words.use()
  const renew = useRenew()
  const { eventManagementId, subjectName: subject, closesOn } = list
  const f = usePortalForm({
    schema,
    initialValues: { reason: '' },
    draftKey: `reopen.${eventManagementId}`,
    save: async ({ reason }) => {
      await call(reopenList, { body: { eventManagementId, reason } }).finally(renew)
      toast.success(t('reopenedNow', { subject }))
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} size="small" title={t('reopenTitle', { subject })}>
      <FormFrame of={f} asksBeforeLeaving={false}>
        <DialogBody>
          <div className="stack">
            <p>{t('reopenSays', { day: dayText(closesOn) })}</p>
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
          <Button type="submit" kind="primary" busy={f.saving}>
            {t('reopen')}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}
