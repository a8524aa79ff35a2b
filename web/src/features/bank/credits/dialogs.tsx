import {
  type CreditRow,
  decideRefund,
  payRefund,
  proposeRefund,
  type Refund,
  returnRefund,
  withdrawRefund,
} from '@podium/contract/bank/calls-credits'
import { text } from '@podium/contract/fields'
import { formatRupees } from '@podium/contract/money'
import { officeMessages } from '@podium/contract/office/messages'
import { useState } from 'react'
import * as z from 'zod/mini'
import { words } from '#features/ledger/words.ts'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { callOnce } from '#shell/call-once.ts'
import { FormDialog, useFormDialog } from '#shell/form-dialog.tsx'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { Segmented } from '#ui/button.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'

const fields = proposeRefund.body.shape
const payee = fields.account.def.innerType
const amountTyped = z.pipe(
  z.pipe(
    z.string(),
    z.transform((typed: string) => (typed.trim() === '' ? Number.NaN : Number(typed.replace(/[,₹\s]/g, '')))),
  ),
  fields.amount,
)

/** Proposes to refund a school's credit, in part or in full. */
export function ProposeDialog({ school, onClose }: { school: CreditRow; onClose: () => void }) {
  const t = words.use()
  const [byUpi, setByUpi] = useState(false)
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const available = (Math.round(school.amount * 100) - Math.round(school.promised * 100)) / 100
  const f = useFormDialog({
    schema: byUpi
      ? z.object({
          amount: amountTyped,
          payTo: text(officeMessages.payeeRequired, 300),
          reason: fields.reason,
        })
      : z.object({ amount: amountTyped, ...payee.shape, reason: fields.reason }),
    initialValues: {
      amount: String(available),
      payTo: '',
      accountName: '',
      accountNo: '',
      ifsc: '',
      reason: '',
    },
    save: ({ amount, reason, ...to }) => {
      const where = 'payTo' in to ? { payTo: to.payTo } : { account: to }
      const body = { schoolId: school.schoolId, amount, reason, ...where }
      return callOnce(proposeRefund, { body, idempotencyKey })
    },
    invalidates: 'all',
    done: t('doneProposed'),
    onClose,
  })
  return (
    <FormDialog
      of={f}
      title={t('refundTitle', { school: school.schName })}
      save={t('propose')}
      asksBeforeLeaving>
      <p>{t('refundHint', { amount: formatRupees(available) })}</p>
      <TextField label={t('amount')} inputMode="decimal" {...f.form.field('amount')} />
      <Segmented
        label={t('payTo')}
        value={byUpi ? 'upi' : 'account'}
        choices={[
          { value: 'account', label: t('toAccount') },
          { value: 'upi', label: t('toUpi') },
        ]}
        onChange={(value) => setByUpi(value === 'upi')}
      />
      {byUpi ? (
        <TextField label={t('upiId')} {...f.form.field('payTo')} />
      ) : (
        (['accountName', 'accountNo', 'ifsc'] as const).map((name) => (
          <TextField key={name} label={t(name)} {...f.form.field(name)} />
        ))
      )}
      <TextArea label={t('reason')} rows={2} {...f.form.field('reason')} />
    </FormDialog>
  )
}

interface DecideProps {
  refund: Refund
  what: 'approve' | 'reject' | 'withdraw'
  onClose: () => void
}

/** Records that an approved refund was transferred, with its UTR, or that the bank refused it. */
export function SettleDialog({
  refund,
  what,
  onClose,
}: {
  refund: Refund
  what: 'pay' | 'sendBack'
  onClose: () => void
}) {
  const t = words.use()
  const values = { amount: formatRupees(refund.amount), school: refund.schName }
  const { id } = refund
  const pays = what === 'pay'
  return (
    <ReasonDialog<unknown>
      title={t(pays ? 'payTitle' : 'sendBackTitle', values)}
      description={pays ? t('payHint', { to: refund.payTo }) : t('sendBackHint')}
      label={t(pays ? 'utr' : 'reason')}
      short={pays}
      rule={pays ? payRefund.body.shape.utr : returnRefund.body.shape.reason}
      action={t(what)}
      danger={!pays}
      act={(typed) =>
        pays
          ? call(payRefund, { body: { id, utr: typed } })
          : call(returnRefund, { body: { id, reason: typed } })
      }
      invalidates="all"
      done={t(pays ? 'donePaid' : 'doneSentBack', values)}
      onClose={onClose}
    />
  )
}

/** Approves or rejects a refund by a second person, or withdraws it by the first. */
export function DecideDialog({ refund, what, onClose }: DecideProps) {
  const t = words.use()
  const { id } = refund
  const values = { amount: formatRupees(refund.amount), school: refund.schName }
  const shared = { action: t(what), invalidates: 'all' as const, onClose }
  if (what === 'withdraw')
    return (
      <ConfirmAction
        {...shared}
        danger
        title={t('rejectTitle', values)}
        act={() => call(withdrawRefund, { body: { id } })}
        done={t('doneWithdrawn', values)}>
        {t('rejectHint')}
      </ConfirmAction>
    )
  const approve = what === 'approve'
  return (
    <ReasonDialog
      {...shared}
      title={t(approve ? 'approveTitle' : 'rejectTitle', values)}
      description={t(approve ? 'approveHint' : 'rejectHint')}
      label={t('note')}
      optional
      rule={decideRefund.body.shape.note}
      danger={!approve}
      act={(note) => call(decideRefund, { body: { id, approve, note } })}
      done={t(approve ? 'doneApproved' : 'doneRejected', values)}
    />
  )
}
