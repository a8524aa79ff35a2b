import { formatRupees } from '@podium/contract/money'
import {
  type OfficePayment,
  rejectPayment,
  verifyExact,
  verifyPayment,
} from '@podium/contract/payments/calls-verification'
import { useState } from 'react'
import { type CallError, call } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { useInvalidate } from '#shell/query.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { tellRefusal } from '#shell/tell-refusal.ts'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { toast } from '#ui/toast.tsx'
import { doubtOf } from './queue.tsx'
import { words } from './words.ts'

interface DialogProps {
  payment: OfficePayment
  onClose: () => void
  /** The payment is decided, by this officer or meanwhile by another. */
  onDecided: () => void
}

const decidedMeanwhile = ({ code }: CallError) => code === 'payments.decided' || code === 'changed_meanwhile'

/** Says what happens and how much, before the money counts as arrived. */
export function VerifyDialog({ payment, onClose, onDecided }: DialogProps) {
  const t = words.use()
  const say = useSentences()
  // A decision changes the queue, every opened payment and the counts around them.
  const refresh = useInvalidate('all')
  const [busy, setBusy] = useState(false)
  const [key] = useState(() => crypto.randomUUID())
  const amount = formatRupees(payment.payableAmount)
  // Its bank line is matched with it; the server looks at the line again.
  const exact = payment.onBank === 'exact'
  const verify = async () => {
    setBusy(true)
    try {
      const { id, version } = payment
      if (exact) {
        const body = { payments: [{ id, version }], looked: payment.doubts.length > 0 }
        const { refused } = await call(verifyExact, { body, idempotencyKey: key })
        if (refused[0]) {
          toast.error(say(refused[0].message))
          onClose()
          return await refresh()
        }
        toast.success(t('doneExact', { n: 1, amount }))
      } else {
        const { receiptNo } = await call(verifyPayment, { body: { id, version }, idempotencyKey: key })
        toast.success(t('doneVerified', { receiptNo, amount }))
      }
      onDecided()
      await refresh()
    } catch (cause) {
      tellRefusal(cause)
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
      <p>
        {exact
          ? t('verifyOneExactSays', { school: payment.schName })
          : t(says, { school: payment.schName, n: library ? payment.books : payment.students })}
      </p>
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
  const refresh = useInvalidate('all')
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const { id, version, schName: school } = payment
  const amount = formatRupees(payment.payableAmount)
  return (
    <ReasonDialog
      title={t('rejectTitle', { amount, school })}
      says={t('rejectSays')}
      hint={t('reasonHint')}
      rule={rejectPayment.body.shape.reason}
      picks="payment"
      action={t('rejectNow')}
      danger
      draftKey={`payments.reject.${id}`}
      act={(reason) => call(rejectPayment, { body: { id, version, reason }, idempotencyKey })}
      done={t('doneRejected', { amount, school })}
      onDone={() => {
        // The next payment is chosen by the queue as it was.
        onDecided()
        return refresh()
      }}
      onRefused={(cause) => {
        if (!decidedMeanwhile(cause)) return false
        toast.error(say(cause.message))
        onClose()
        void refresh()
        return true
      }}
      onClose={onClose}
    />
  )
}
