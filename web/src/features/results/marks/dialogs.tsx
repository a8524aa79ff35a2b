import {
  type AnomalyKind,
  reopenAnomalies,
  resolveAnomalies,
  resultAnomalies,
} from '@podium/contract/results/calls-corrections'
import { officeResultEvent, officeResultEvents, type ResultSet } from '@podium/contract/results/calls-office'
import { call } from '#shell/call.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { Note } from '#ui/note.tsx'
import { officeWords } from '../office-parts.tsx'

interface ResolveDialogProps {
  setId: number
  kind: AnomalyKind | undefined
  anomalyIds: number[] | undefined
  n: number
  onClose: () => void
  onDone: () => void
}

/** Accepts how anomalies were handled, with a note that is saved with them. */
export function ResolveDialog({ setId, kind, anomalyIds, n, onClose, onDone }: ResolveDialogProps) {
  const t = officeWords.use()
  return (
    <ReasonDialog
      title={t('resolveTitle', { n })}
      description={t('resolveHint')}
      label={t('note')}
      rule={resolveAnomalies.body.shape.note}
      action={t('resolve')}
      act={(note) => call(resolveAnomalies, { body: { setId, kind, anomalyIds, note } })}
      invalidates={[resultAnomalies, officeResultEvent]}
      done={({ resolved }) => t('resolvedToast', { n: resolved })}
      onDone={onDone}
      onClose={onClose}
    />
  )
}

const invalidates = [resultAnomalies, officeResultEvent, officeResultEvents]

interface ReopenDialogProps {
  set: ResultSet
  anomalyIds: number[]
  onClose: () => void
  onDone: () => void
}

/** Reopens a resolved anomaly, with a reason, and explains what that does to a computed version. */
export function ReopenDialog({ set, anomalyIds, onClose, onDone }: ReopenDialogProps) {
  const t = officeWords.use()
  const { setId, state, version } = set
  return (
    <ReasonDialog
      title={t('reopenTitle', { n: anomalyIds.length })}
      description={
        <>
          <p>{t('reopenHint')}</p>
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
