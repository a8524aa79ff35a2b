import { reopenAnomalies, resultAnomalies } from '@podium/contract/results/calls-anomalies'
import { officeResultEvent, officeResultEvents, type ResultSet } from '@podium/contract/results/calls-office'
import { call } from '#shell/call.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { Note } from '#ui/note.tsx'
import { officeWords } from '../words-office.ts'

const invalidates = [resultAnomalies, officeResultEvent, officeResultEvents]

interface ReopenDialogProps {
  set: ResultSet
  anomalyIds: number[]
  onClose: () => void
  onDone: () => void
}

/** Takes a decision about an odd row back, with the reason; tells what that does to a computed version. */
export function ReopenDialog({ set, anomalyIds, onClose, onDone }: ReopenDialogProps) {
  const t = officeWords.use()
  const { setId, state, version } = set
  return (
    <ReasonDialog
      title={t('reopenTitle', { n: anomalyIds.length })}
      says={
        <>
          <p>{t('reopenSays')}</p>
          {state === 'computed' && <Note kind="due">{t('reopenComputed', { n: version })}</Note>}
        </>
      }
      label={t('reopenWhy')}
      rule={reopenAnomalies.body.shape.reason}
      action={t('reopen')}
      act={(reason) => call(reopenAnomalies, { body: { setId, anomalyIds, reason } })}
      invalidates={invalidates}
      done={({ reopened }) => t('reopenedToast', { n: reopened })}
      onDone={onDone}
      onClose={onClose}
    />
  )
}
