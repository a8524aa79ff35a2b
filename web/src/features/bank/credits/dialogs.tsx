import {
  type CreditRow,
  decideRefund,
  proposeRefund,
  type Refund,
  withdrawRefund,
} from '@podium/contract/bank/calls-credits'
import { formatRupees } from '@podium/contract/money'
import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { AskDialog } from '#features/ledger/ask-dialog.tsx'
import { words } from '#features/ledger/words.ts'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { useAct } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'

const fields = proposeRefund.body.shape
const amountTyped = z.pipe(
  z.pipe(
    z.string(),
    z.transform((typed: string) => (typed.trim() === '' ? Number.NaN : Number(typed.replace(/[,₹\s]/g, '')))),
  ),
  fields.amount,
)

/** Proposes to pay a part or all of a school's credit back. */
export function ProposeDialog({ school, onClose }: { school: CreditRow; onClose: () => void }) {
  const t = words.use()
  const client = useQueryClient()
  const free = (Math.round(school.amount * 100) - Math.round(school.promised * 100)) / 100
  const f = usePortalForm({
    schema: z.object({ amount: amountTyped, payTo: fields.payTo, reason: fields.reason }),
    initialValues: { amount: String(free), payTo: '', reason: '' },
    save: async (typed) => {
      await call(proposeRefund, { body: { schoolId: school.schoolId, ...typed } })
      toast.success(t('doneProposed'))
      onClose()
      await client.invalidateQueries()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={t('refundTitle', { school: school.schName })}>
      <FormFrame of={f}>
        <DialogBody>
          <div className="stack">
            <p>{t('refundSays', { amount: formatRupees(free) })}</p>
            <TextField
              label={t('amount')}
              inputMode="decimal"
              key={f.form.key('amount')}
              {...f.form.getInputProps('amount')}
            />
            <TextArea
              label={t('payTo')}
              hint={t('payToHint')}
              rows={2}
              key={f.form.key('payTo')}
              {...f.form.getInputProps('payTo')}
            />
            <TextArea
              label={t('reason')}
              rows={2}
              key={f.form.key('reason')}
              {...f.form.getInputProps('reason')}
            />
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={f.saving}>
            {t('propose')}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}

interface DecideProps {
  refund: Refund
  what: 'approve' | 'reject' | 'withdraw'
  onClose: () => void
}

/** The second person's yes, with the UTR of the transfer, or no; or the first one takes it back. */
export function DecideDialog({ refund, what, onClose }: DecideProps) {
  const t = words.use()
  const { act, busy } = useAct('all')
  const values = { amount: formatRupees(refund.amount), school: refund.schName }
  const approve = what === 'approve'
  const done = async (typed: string) => {
    const { id } = refund
    const ended =
      what === 'withdraw'
        ? await act(() => call(withdrawRefund, { body: { id } }), t('doneDecided'))
        : await act(
            () =>
              call(decideRefund, {
                body: { id, approve, utr: approve ? typed : '', note: approve ? '' : typed },
              }),
            t('doneDecided'),
          )
    if (ended) onClose()
  }
  return (
    <AskDialog
      title={t(approve ? 'approveTitle' : 'rejectTitle', values)}
      says={t(approve ? 'approveSays' : 'rejectSays')}
      {...(what === 'withdraw' ? {} : { field: { label: t(approve ? 'utr' : 'note') } })}
      action={t(what)}
      danger={!approve}
      busy={busy}
      onClose={onClose}
      onDone={done}
    />
  )
}
