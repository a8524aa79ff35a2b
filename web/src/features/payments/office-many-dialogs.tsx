import './office-many.css'
import type { AnswerOf } from '@podium/contract/endpoint'
import { formatRupees } from '@podium/contract/money'
import { paymentKinds } from '@podium/contract/payments'
import { type OfficePaymentRow, rejectPayments, verifyPayments } from '@podium/contract/payments-office'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { CallError, call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { RefusedDialog } from '#shell/refused-dialog.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { kindOf, sumOf } from './office-queue.tsx'
import { words } from './words-office.ts'

interface DialogProps {
  rows: readonly OfficePaymentRow[]
  onClose: () => void
  /** Something was decided: what is left of the choice is not chosen any more. */
  onDecided: () => void
}
type Outcome = AnswerOf<typeof verifyPayments>

/** The payments as they were when the dialog opened, what has become of them, and that everything is read again. */
function useOutcome(
  { rows, onClose, onDecided }: DialogProps,
  said: 'doneVerifiedMany' | 'doneRejectedMany',
) {
  const t = words.use()
  const client = useQueryClient()
  const [asked] = useState(rows)
  const [outcome, setOutcome] = useState<Outcome>()
  const end = (answer: Outcome) => {
    onDecided()
    if (answer.refused.length > 0) setOutcome(answer)
    else {
      const done = asked.filter(({ id }) => answer.done.some((one) => one.id === id))
      toast.success(t(said, { n: done.length, amount: formatRupees(sumOf(done)) }))
      onClose()
    }
    return client.invalidateQueries()
  }
  return { asked, outcome, end }
}

const decisions = (rows: readonly OfficePaymentRow[]) => rows.map(({ id, version }) => ({ id, version }))

/** What is going to be decided: of each kind how many and how much, and all of it. */
function Sums({ rows }: { rows: readonly OfficePaymentRow[] }) {
  const t = words.use()
  const schools = new Set(rows.map(({ schoolId }) => schoolId)).size
  return (
    <dl className="many-sums">
      {paymentKinds.map((kind) => {
        const its = rows.filter(({ paymentFor }) => paymentFor === kind)
        if (its.length === 0) return null
        return (
          <div key={kind}>
            <dt>{t('kindCount', { kind: kindOf(t, kind), n: its.length })}</dt>
            <dd>{formatRupees(sumOf(its))}</dd>
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

/** Verifies all that are chosen and have nothing doubtful; says what is left and why. */
export function VerifyManyDialog(props: DialogProps) {
  const t = words.use()
  const say = useSentences()
  const { asked, outcome, end } = useOutcome(props, 'doneVerifiedMany')
  const [busy, setBusy] = useState(false)
  const [key] = useState(() => crypto.randomUUID())
  const clear = asked.filter(({ doubts }) => doubts.length === 0)
  const verify = async () => {
    setBusy(true)
    try {
      await end(await call(verifyPayments, { body: { payments: decisions(clear) }, idempotencyKey: key }))
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
    } finally {
      setBusy(false)
    }
  }
  if (outcome) return <Told asked={asked} outcome={outcome} onClose={props.onClose} />
  return (
    <Dialog opened onClose={props.onClose} title={t('verifyManyTitle', { n: clear.length })} size="small">
      <DialogBody>
        <Sums rows={clear} />
        {clear.length < asked.length && (
          <Note kind="due">{t('doubtfulLeft', { n: asked.length - clear.length })}</Note>
        )}
        <p>{t('verifyManySays')}</p>
      </DialogBody>
      <DialogFoot>
        <Button onClick={props.onClose}>{t('cancel')}</Button>
        <Button
          kind="primary"
          busy={busy}
          data-autofocus
          disabled={clear.length === 0 ? t('nothingClear') : undefined}
          onClick={() => void verify()}
        >
          {t('verify', { amount: formatRupees(sumOf(clear)) })}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

/** Rejects all that are chosen for one reason, which every school reads. */
export function RejectManyDialog(props: DialogProps) {
  const t = words.use()
  const { asked, outcome, end } = useOutcome(props, 'doneRejectedMany')
  const [key] = useState(() => crypto.randomUUID())
  const f = usePortalForm({
    schema: z.object({ reason: rejectPayments.body.shape.reason }),
    initialValues: { reason: '' },
    save: async ({ reason }) => {
      const body = { payments: decisions(asked), reason }
      await end(await call(rejectPayments, { body, idempotencyKey: key }))
    },
  })
  if (outcome) return <Told asked={asked} outcome={outcome} onClose={props.onClose} />
  return (
    <Dialog opened onClose={props.onClose} title={t('rejectManyTitle', { n: asked.length })} size="small">
      <FormFrame of={f}>
        <DialogBody>
          <Sums rows={asked} />
          <p>{t('rejectManySays')}</p>
          <TextArea
            label={t('reason')}
            hint={t('reasonHint')}
            data-autofocus
            key={f.form.key('reason')}
            {...f.form.getInputProps('reason')}
          />
        </DialogBody>
        <DialogFoot>
          <Button onClick={props.onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="danger-filled" busy={f.saving}>
            {t('rejectNow')}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}

interface ToldProps {
  asked: readonly OfficePaymentRow[]
  outcome: Outcome
  onClose: () => void
}

/** What was done, and what could not be done and why, row by row. */
function Told({ asked, outcome, onClose }: ToldProps): ReactNode {
  const t = words.use()
  const done = asked.filter(({ id }) => outcome.done.some((one) => one.id === id))
  const { refused } = outcome
  return (
    <RefusedDialog
      title={t('notAll')}
      says={t('notAllSays', { done: done.length, amount: formatRupees(sumOf(done)), n: refused.length })}
      refused={refused}
      nameOf={(id) => {
        const row = asked.find((one) => one.id === id)
        return `${row?.schName} (${row?.schCode}), ${formatRupees(row?.payableAmount ?? 0)}`
      }}
      understood={t('understood')}
      onClose={onClose}
    />
  )
}
