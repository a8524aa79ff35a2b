import { formatRupees } from '@podium/contract/money'
import { type BankLine, discardLine } from '@podium/contract/payments-bank'
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

interface DiscardProps {
  line: BankLine
  onClose: () => void
  onDecided: () => void
}

/** Asks why a line is no money of schools. */
export function DiscardDialog({ line, onClose, onDecided }: DiscardProps) {
  const t = words.use()
  const client = useQueryClient()
  const amount = formatRupees(line.amount)
  const f = usePortalForm({
    schema: z.object({ reason: discardLine.body.shape.reason }),
    initialValues: { reason: '' },
    save: async ({ reason }) => {
      const lines = [{ id: line.id, version: line.version }]
      await call(discardLine, { body: { lines, reason } })
      toast.success(t('doneDiscarded', { amount }))
      onDecided()
      await client.invalidateQueries()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={t('discardTitle', { amount })} size="small">
      <FormFrame of={f}>
        <DialogBody>
          <p>{t('discardSays')}</p>
          <TextArea
            label={t('reason')}
            hint={t('reasonHint')}
            rows={2}
            data-autofocus
            key={f.form.key('reason')}
            {...f.form.getInputProps('reason')}
          />
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="danger-filled" busy={f.saving}>
            {t('discardNow')}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}
