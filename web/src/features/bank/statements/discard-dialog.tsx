import { type BankLine, discardLine } from '@podium/contract/bank/calls'
import { formatRupees } from '@podium/contract/money'
import { call } from '#shell/call.ts'
import { useInvalidate } from '#shell/query.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { words } from './words.ts'

interface DiscardProps {
  line: BankLine
  onClose: () => void
  onDecided: () => void
}

/** Asks why a line is no money of schools. */
export function DiscardDialog({ line, onClose, onDecided }: DiscardProps) {
  const t = words.use()
  const renew = useInvalidate('all')
  const amount = formatRupees(line.amount)
  const lines = [{ id: line.id, version: line.version }]
  return (
    <ReasonDialog
      title={t('discardTitle', { amount })}
      says={t('discardSays')}
      hint={t('reasonHint')}
      first={line.state === 'duplicate' ? t('duplicateReason', { utr: line.utr }) : ''}
      rule={discardLine.body.shape.reason}
      picks="bank"
      action={t('discardNow')}
      danger
      act={(reason) => call(discardLine, { body: { lines, reason } })}
      done={t('doneDiscarded', { amount })}
      onDone={() => {
        // The next line is chosen by the list as it was.
        onDecided()
        return renew()
      }}
      onClose={onClose}
    />
  )
}
