import { messages } from '@podium/contract/messages'
import {
  type AccountChange,
  type AccountPurpose,
  accountChangeDelay,
  decideAccount,
  type PayAccount,
  proposeAccount,
  stopAccount,
  withdrawAccount,
} from '@podium/contract/payments/calls-accounts'
import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { AskDialog } from '#features/ledger/ask-dialog.tsx'
import { words } from '#features/ledger/words.ts'
import { call } from '#shell/call.ts'
import { FormDialog } from '#shell/form-dialog.tsx'
import { usePortalForm } from '#shell/form-frame.tsx'
import { useAct } from '#shell/use-action.ts'
import { Note } from '#ui/note.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'

const { purpose: _, ...fields } = proposeAccount.body.shape

interface ChangeProps {
  purpose: AccountPurpose
  current: PayAccount | undefined
  onClose: () => void
}

/** Proposes another account; what stands there now is what one begins with. */
export function ChangeDialog({ purpose, current, onClose }: ChangeProps) {
  const t = words.use()
  const client = useQueryClient()
  const f = usePortalForm({
    schema: z.object(fields),
    initialValues: {
      accountName: current?.accountName ?? '',
      bankName: current?.bankName ?? '',
      accountNo: current?.accountNo ?? '',
      ifsc: current?.ifsc ?? '',
      upiId: current?.upiId ?? '',
      reason: '',
    },
    save: async (typed) => {
      await call(proposeAccount, { body: { purpose, ...typed } })
      toast.success(t('doneProposed'))
      onClose()
      await client.invalidateQueries()
    },
  })
  const field = (name: 'accountName' | 'bankName' | 'accountNo' | 'ifsc' | 'upiId', optional = false) => (
    <TextField
      className="c6"
      label={t(name === 'bankName' ? 'bank' : name)}
      optional={optional}
      key={f.form.key(name)}
      {...f.form.getInputProps(name)}
    />
  )
  return (
    <FormDialog
      of={f}
      onClose={onClose}
      title={t('changeTitle', { purpose: t(purpose === 'books' ? 'books' : 'registrationFee') })}
      save={t('propose')}
      asksBeforeLeaving
    >
      <Note>{t('changeSays')}</Note>
      <div className="grid">
        {field('accountName')}
        {field('bankName')}
        {field('accountNo')}
        {field('ifsc')}
        {field('upiId', true)}
      </div>
      <TextArea label={t('reason')} rows={2} key={f.form.key('reason')} {...f.form.getInputProps('reason')} />
    </FormDialog>
  )
}

interface DecideProps {
  change: AccountChange
  what: 'approve' | 'reject' | 'withdraw' | 'stop'
  onClose: () => void
}

/** The second person's yes or no; or it is taken back, or stopped before schools see it. */
export function DecideAccount({ change, what, onClose }: DecideProps) {
  const t = words.use()
  const { act, busy } = useAct('all')
  const { id, accountNo: account } = change
  const texts = {
    approve: [t('approveAccount', { account }), t('approveAccountSays', { hours: accountChangeDelay })],
    reject: [t('rejectAccount', { account }), t('rejectAccountSays')],
    withdraw: [t('rejectAccount', { account }), t('rejectAccountSays')],
    stop: [t('stopTitle', { account }), t('stopSays')],
  } as const
  const [title, says] = texts[what]
  const done = async (typed: string) => {
    const ended =
      what === 'withdraw'
        ? await act(() => call(withdrawAccount, { body: { id } }), t('doneDecided'))
        : what === 'stop'
          ? await act(() => call(stopAccount, { body: { id, reason: typed } }), t('doneDecided'))
          : await act(
              () => call(decideAccount, { body: { id, approve: what === 'approve', note: typed } }),
              t('doneDecided'),
            )
    if (ended) onClose()
  }
  return (
    <AskDialog
      title={title}
      says={says}
      {...(what === 'withdraw'
        ? {}
        : {
            field:
              what === 'stop'
                ? { label: t('reason'), required: messages.reasonRequired }
                : { label: t('note') },
          })}
      action={t(what)}
      danger={what !== 'approve'}
      busy={busy}
      onClose={onClose}
      onDone={done}
    />
  )
}
