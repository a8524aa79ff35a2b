import { decideNextLevel, type NextLevelRound } from '@podium/contract/results/calls-next-level-office'
import { call } from '#shell/call.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { shownOfRounds } from './use-round.ts'
import { officeWords } from './words-office.ts'

export type How = 'invite' | 'leave' | 'rules'

interface Props {
  round: NextLevelRound
  how: How
  studentIds: number[]
  onClose: () => void
  onDone: () => void
}

/** Leaves the ticked children out, invites them by hand, or lets the rules decide again; the reason stays in the office. */
export function DecideDialog({ round, how, studentIds, onClose, onDone }: Props) {
  const t = officeWords.use()
  const { eventYearId, version, stage } = round
  return (
    <ReasonDialog
      title={t(`decide_${how}`, { n: studentIds.length })}
      says={
        <>
          <p>{t(`decideSays_${how}`)}</p>
          {(stage === 'approved' || stage === 'sent') && <p>{t('approvedAgain')}</p>}
        </>
      }
      hint={t('reasonHint')}
      rule={decideNextLevel.body.shape.reason}
      action={t(`as_${how}`)}
      act={(reason) => call(decideNextLevel, { body: { eventYearId, version, studentIds, as: how, reason } })}
      invalidates={shownOfRounds}
      done={({ changed }) => t('decidedToast', { n: changed })}
      onDone={() => {
        onDone()
        onClose()
      }}
      onClose={onClose}
    />
  )
}
