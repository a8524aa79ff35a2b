import { text } from '@podium/contract/fields'
import { messages } from '@podium/contract/messages'
import { formatRupees } from '@podium/contract/money'
import { approveWaiver, declineWaiver, type OfficeWaiver, officeWaivers } from '@podium/contract/waivers'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { CallError, call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog, Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

interface Props {
  waiver: OfficeWaiver
  onClose: () => void
}

function useRenew() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: [officeWaivers.path] })
}

/** Waives the fee after one more look at what it means. */
export function ApproveDialog({ waiver, onClose }: Props) {
  const t = words.use()
  const say = useSentences()
  const renew = useRenew()
  const [busy, setBusy] = useState(false)
  const { id, version, studentName: name, schName: school } = waiver
  const confirm = async () => {
    setBusy(true)
    try {
      await call(approveWaiver, { body: { id, version } })
      toast.success(t('approveDone', { name }))
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
    } finally {
      await renew()
      onClose()
    }
  }
  return (
    <ConfirmDialog
      opened
      title={t('approveTitle', { amount: formatRupees(waiver.amount), name })}
      action={t('approve')}
      busy={busy}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {t('approveSays', { school })}
    </ConfirmDialog>
  )
}

const schema = z.object({ reason: text(messages.reasonRequired, 500) })

/** Declines it with the reason that the school reads. */
export function DeclineDialog({ waiver, onClose }: Props) {
  const t = words.use()
  const renew = useRenew()
  const { id, version, studentName: name } = waiver
  const f = usePortalForm({
    schema,
    initialValues: { reason: '' },
    draftKey: `waiver.${id}`,
    save: async ({ reason }) => {
      await call(declineWaiver, { body: { id, version, reason } }).finally(renew)
      toast.success(t('declineDone', { name }))
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={t('declineTitle', { name })} size="small">
      <FormFrame of={f} asksBeforeLeaving={false}>
        <DialogBody>
          <div className="stack">
            <p>{t('declineSays')}</p>
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
