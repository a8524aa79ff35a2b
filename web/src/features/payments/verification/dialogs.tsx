import type { AnswerOf } from '@podium/contract/endpoint'
import { formatRupees } from '@podium/contract/money'
import {
  type OfficePayment,
  type OfficePaymentRow,
  rejectPayment,
  rejectPayments,
  verifyExact,
  verifyPayment,
  verifyPayments,
} from '@podium/contract/payments/calls-verification'
import { paymentKinds } from '@podium/contract/payments/rules'
import { type ReactNode, useState } from 'react'
import { type BulkActionProps, RefusedDialog, useBulkAction } from '#shell/action-dialogs.tsx'
import type { CallError } from '#shell/call.ts'
import { callOnce } from '#shell/call-once.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { useInvalidate } from '#shell/query.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { showRefusal } from '#shell/use-downloads.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog, Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { toast } from '#ui/toast.tsx'
import { doubtOf, paymentKind, sumOf, words } from './queue.tsx'

interface DialogProps {
  payment: OfficePayment
  onClose: () => void
  /** Called when the payment has been decided, by this officer or in the meantime by another. */
  onDecided: () => void
}

const decidedMeanwhile = ({ code }: CallError) => code === 'payments.decided' || code === 'changed_meanwhile'

/** Confirms a verification: explains the effect and shows the amount. */
export function VerifyDialog({ payment, onClose, onDecided }: DialogProps) {
  const t = words.use()
  const translate = useSentences()
  // A decision changes the queue, open payments and the counts.
  const refresh = useInvalidate('all')
  const [busy, setBusy] = useState(false)
  const [key] = useState(() => crypto.randomUUID())
  const amount = formatRupees(payment.payableAmount)
  // The exact bank line is matched with the payment; the server checks the line again.
  const exact = payment.onBank === 'exact'
  const verify = async () => {
    setBusy(true)
    try {
      const { id, version } = payment
      if (exact) {
        const body = { payments: [{ id, version }], looked: payment.doubts.length > 0 }
        const { refused } = await callOnce(verifyExact, { body, idempotencyKey: key })
        if (refused[0]) {
          toast.error(translate(refused[0].message))
          onClose()
          return await refresh()
        }
        toast.success(t('doneExact', { n: 1, amount }))
      } else {
        const { receiptNo } = await callOnce(verifyPayment, { body: { id, version }, idempotencyKey: key })
        toast.success(t('doneVerified', { receiptNo, amount }))
      }
      onDecided()
      await refresh()
    } catch (cause) {
      showRefusal(cause)
      if (decidedMeanwhile(cause)) {
        onClose()
        await refresh()
      }
    } finally {
      setBusy(false)
    }
  }
  const library = payment.paymentFor === 'Library Book Fee'
  const hint = library
    ? 'verifyLibraryHint'
    : payment.paymentFor === 'Book Fee'
      ? 'verifyBooksHint'
      : 'verifyHint'
  return (
    <ConfirmDialog
      opened
      title={t('verifyTitle', { amount })}
      action={t('verify', { amount })}
      busy={busy}
      onConfirm={verify}
      onCancel={onClose}>
      <p>
        {exact
          ? t('verifyOneExactHint', { school: payment.schName })
          : t(hint, { school: payment.schName, n: library ? payment.books : payment.students })}
      </p>
      {payment.doubts.length > 0 && (
        <p>
          <strong>{t('checkCarefully')}:</strong>{' '}
          {payment.doubts.map((doubt) => doubtOf(t, doubt)).join(', ')}
        </p>
      )}
    </ConfirmDialog>
  )
}

/** Asks for the reason for the rejection, which the school will read. */
export function RejectDialog({ payment, onClose, onDecided }: DialogProps) {
  const t = words.use()
  const translate = useSentences()
  const refresh = useInvalidate('all')
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const { id, version, schName: school } = payment
  const amount = formatRupees(payment.payableAmount)
  return (
    <ReasonDialog
      title={t('rejectTitle', { amount, school })}
      description={t('rejectHint')}
      hint={t('reasonHint')}
      rule={rejectPayment.body.shape.reason}
      picks="payment"
      action={t('rejectNow')}
      danger
      draftKey={`payments.reject.${id}`}
      act={(reason) => callOnce(rejectPayment, { body: { id, version, reason }, idempotencyKey })}
      done={t('doneRejected', { amount, school })}
      onDone={() => {
        // Before the refresh: the next payment is chosen from the old queue.
        onDecided()
        return refresh()
      }}
      onRefused={(cause) => {
        if (!decidedMeanwhile(cause)) return false
        toast.error(translate(cause.message))
        onClose()
        void refresh()
        return true
      }}
      onClose={onClose}
    />
  )
}

type BulkProps = BulkActionProps<OfficePaymentRow>
type Outcome = Pick<AnswerOf<typeof verifyPayments>, 'refused'> & { done: { id: number }[] }

const sumsOf = (rows: readonly OfficePaymentRow[], done: Outcome['done']) => {
  const decided = rows.filter(({ id }) => done.some((item) => item.id === id))
  return { n: decided.length, amount: formatRupees(sumOf(decided)) }
}

const isExact = ({ onBank }: OfficePaymentRow) => onBank === 'exact'

const decisions = (rows: readonly OfficePaymentRow[]) => rows.map(({ id, version }) => ({ id, version }))

/** Number and amount of the selected payments by kind, with the total. */
function Sums({ rows }: { rows: readonly OfficePaymentRow[] }) {
  const t = words.use()
  const schools = new Set(rows.map(({ schoolId }) => schoolId)).size
  return (
    <dl className="many-sums">
      {paymentKinds.map((kind) => {
        const ofKind = rows.filter(({ paymentFor }) => paymentFor === kind)
        if (ofKind.length === 0) return null
        return (
          <div key={kind}>
            <dt>{t('kindCount', { kind: paymentKind(t, kind), n: ofKind.length })}</dt>
            <dd>{formatRupees(sumOf(ofKind))}</dd>
          </div>
        )
      })}
      <div className="tot">
        <dt>{t('manyTotal', { n: rows.length, schools: t('schools', { n: schools }) })}</dt>
        <dd>{formatRupees(sumOf(rows))}</dd>
      </div>
    </dl>
  )
}

/**
 * Verifies all selected payments that have no doubts, and shows which ones remain and why. A payment with an exact bank
 * line is matched with it; the server checks the line again.
 */
export function VerifyManyDialog(props: BulkProps) {
  const t = words.use()
  const { asked, confirm, busy, outcome } = useBulkAction(props, {
    doneText: (done: Outcome['done'], rows) =>
      [rows.filter(isExact), rows.filter((row) => !isExact(row))]
        .map((group) => ({ group, sums: sumsOf(group, done) }))
        .filter(({ sums }) => sums.n > 0)
        .map(({ group, sums }) => t(group.every(isExact) ? 'doneExact' : 'doneVerifiedMany', sums))
        .join(' '),
  })
  const clear = asked.filter((row) => isExact(row) || row.doubts.length === 0)
  const exact = clear.filter(isExact)
  const unmatched = clear.filter((row) => !isExact(row))
  const ask = async (idempotencyKey: string): Promise<Outcome> => {
    const nothing: Outcome = { done: [], refused: [] }
    const matched =
      exact.length > 0
        ? await callOnce(verifyExact, { body: { payments: decisions(exact) }, idempotencyKey })
        : nothing
    const verified =
      unmatched.length > 0
        ? await callOnce(verifyPayments, { body: { payments: decisions(unmatched) }, idempotencyKey })
        : nothing
    return { done: [...matched.done, ...verified.done], refused: [...matched.refused, ...verified.refused] }
  }
  if (outcome) return <RefusedPayments asked={asked} outcome={outcome} onClose={props.onClose} />
  return (
    <Dialog opened onClose={props.onClose} title={t('verifyManyTitle', { n: clear.length })} size="small">
      <DialogBody>
        <Sums rows={clear} />
        {clear.length < asked.length && (
          <Note kind="due">{t('doubtfulLeft', { n: asked.length - clear.length })}</Note>
        )}
        {exact.length > 0 && <p>{t('verifyExactHint')}</p>}
        {unmatched.length > 0 && <p>{t('verifyManyHint')}</p>}
      </DialogBody>
      <DialogFoot onCancel={props.onClose}>
        <Button
          kind="primary"
          busy={busy}
          data-autofocus
          disabled={clear.length === 0 ? t('nothingClear') : undefined}
          onClick={() => void confirm(ask)}>
          {t('verify', { amount: formatRupees(sumOf(clear)) })}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

/** Rejects all selected payments for one reason, which every school reads. */
export function RejectManyDialog(props: BulkProps) {
  const t = words.use()
  const { asked, key, showOutcome, outcome } = useBulkAction(props, {
    doneText: (done: Outcome['done'], rows) => t('doneRejectedMany', sumsOf(rows, done)),
  })
  if (outcome) return <RefusedPayments asked={asked} outcome={outcome} onClose={props.onClose} />
  return (
    <ReasonDialog
      title={t('rejectManyTitle', { n: asked.length })}
      description={
        <>
          <Sums rows={asked} />
          <p>{t('rejectManyHint')}</p>
        </>
      }
      hint={t('reasonHint')}
      rule={rejectPayments.body.shape.reason}
      picks="payment"
      action={t('rejectNow')}
      danger
      act={(reason) =>
        callOnce(rejectPayments, { body: { payments: decisions(asked), reason }, idempotencyKey: key })
      }
      onDone={showOutcome}
      onClose={props.onClose}
    />
  )
}

interface RefusedPaymentsProps {
  asked: readonly OfficePaymentRow[]
  outcome: Outcome
  onClose: () => void
}

/** Says how many payments were decided, and lists those that were refused, with the reason. */
function RefusedPayments({ asked, outcome, onClose }: RefusedPaymentsProps): ReactNode {
  const t = words.use()
  const { n: done, amount } = sumsOf(asked, outcome.done)
  const { refused } = outcome
  return (
    <RefusedDialog
      title={t('notAll')}
      summary={t('notAllText', { done, amount, n: refused.length })}
      refused={refused}
      nameOf={(id) => {
        const row = asked.find((item) => item.id === id)
        return `${row?.schName} (${row?.schCode}), ${formatRupees(row?.payableAmount ?? 0)}`
      }}
      understood={t('understood')}
      onClose={onClose}
    />
  )
}
