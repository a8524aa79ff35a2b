import { formatRupees } from '@podium/contract/money'
import {
  approveWaiver,
  declineWaiver,
  type OfficeWaiver,
  officeWaivers,
} from '@podium/contract/payments/calls-waivers'
import { call } from '#shell/call.ts'
import { defineWords } from '#shell/language/words.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { useAct } from '#shell/use-action.ts'
import { ConfirmDialog } from '#ui/dialog.tsx'
import type en from '#words/en/payments-waivers-office.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/payments-waivers-office.json'))

interface Props {
  waiver: OfficeWaiver
  onClose: () => void
}

const shown = [officeWaivers]

/** Waives the fee after one more look at what it means. */
export function ApproveDialog({ waiver, onClose }: Props) {
  const t = words.use()
  const { busy, act } = useAct(shown)
  const { id, version, amount, studentName: name, schName: school } = waiver
  const confirm = async () => {
    await act(() => call(approveWaiver, { body: { id, version, amount } }), t('approveDone', { name }))
    onClose()
  }
  return (
    <ConfirmDialog
      opened
      title={t('approveTitle', { amount: formatRupees(amount), name })}
      action={t('approve')}
      busy={busy}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {t('approveSays', { school })}
    </ConfirmDialog>
  )
}

/** Declines it with the reason that the school reads. */
export function DeclineDialog({ waiver, onClose }: Props) {
  const t = words.use()
  const { id, version, studentName: name } = waiver
  return (
    <ReasonDialog
      title={t('declineTitle', { name })}
      says={t('declineSays')}
      picks="waiver"
      action={t('decline')}
      danger
      draftKey={`waiver.${id}`}
      act={(reason) => call(declineWaiver, { body: { id, version, reason } })}
      invalidates={shown}
      done={t('declineDone', { name })}
      onClose={onClose}
    />
  )
}
