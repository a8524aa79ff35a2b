import { formatRupees } from '@podium/contract/money'
import { type OfficePayment, rejectPayment, verifyPayment } from '@podium/contract/payments-office'
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
import { doubtOf } from './office-queue.tsx'
import { words } from './words-office.ts'

interface DialogProps {
  payment: OfficePayment
  onClose: () => void
  /** The payment is decided, by this officer or meanwhile by another. */
  onDecided: () => void
}

/** A decision changes the queue, every opened payment and the counts around them: all is read again. */
function useRefresh() {
  const client = useQueryClient()
  return () => client.invalidateQueries()
}

const decidedMeanwhile = (cause: unknown) =>
  cause instanceof CallError && (cause.code === 'payments.decided' || cause.code === 'changed_meanwhile')

/** Says what happens and how much, before the money counts as arrived. */
export function VerifyDialog({ payment, onClose, onDecided }: DialogProps) {
  const t = words.use()
  const say = useSentences()
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  const [key] = useState(() => crypto.randomUUID())
  const amount = formatRupees(payment.payableAmount)
  const verify = async () => {
    setBusy(true)
    try {
      const { id, version } = payment
      const { receiptNo } = await call(verifyPayment, { body: { id, version }, idempotencyKey: key })
      toast.success(t('doneVerified', { receiptNo, amount }))
      onDecided()
      await refresh()
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
      if (decidedMeanwhile(cause)) {
        onClose()
        await refresh()
      }
    } finally {
      setBusy(false)
    }
  }
  const library = payment.paymentFor === 'Library Book Fee'
  const says = library
    ? 'verifyLibrarySays'
    : payment.paymentFor === 'Book Fee'
      ? 'verifyBooksSays'
      : 'verifySays'
  return (
    <ConfirmDialog
      opened
      title={t('verifyTitle', { amount })}
      action={t('verify', { amount })}
      busy={busy}
      onConfirm={verify}
      onCancel={onClose}
    >
      <p>{t(says, { school: payment.schName, n: library ? payment.books : payment.students })}</p>
      {payment.doubts.length > 0 && (
        <p>
          <strong>{t('lookTwice')}:</strong> {payment.doubts.map((doubt) => doubtOf(t, doubt)).join(', ')}
        </p>
      )}
    </ConfirmDialog>
  )
}

/** Asks for the reason that the school will read. */
export function RejectDialog({ payment, onClose, onDecided }: DialogProps) {
  const t = words.use()
  const say = useSentences()
  const refresh = useRefresh()
  const [key] = useState(() => crypto.randomUUID())
  const amount = formatRupees(payment.payableAmount)
  const { id, version } = payment
  const f = usePortalForm({
    schema: z.object({ reason: rejectPayment.body.shape.reason }),
    initialValues: { reason: '' },
    draftKey: `payments.reject.${id}`,
    save: async ({ reason }) => {
      try {
        await call(rejectPayment, { body: { id, version, reason }, idempotencyKey: key })
        toast.success(t('doneRejected', { amount, school: payment.schName }))
        onDecided()
      } catch (cause) {
        if (!decidedMeanwhile(cause)) throw cause
        toast.error(say(cause instanceof Error ? cause.message : ''))
        onClose()
      }
      await refresh()
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('rejectTitle', { amount, school: payment.schName })}
      size="small"
    >
      <FormFrame of={f}>
        <DialogBody>
          <p>{t('rejectSays')}</p>
          <TextArea
            label={t('reason')}
            hint={t('reasonHint')}
            data-autofocus
            key={f.form.key('reason')}
            {...f.form.getInputProps('reason')}
          />
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="danger-filled" busy={f.saving}>
            {t('rejectNow')}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}
