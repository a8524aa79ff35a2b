import {
  type AnomalyKind,
  reopenAnomalies,
  resolveAnomalies,
  resultAnomalies,
} from '@podium/contract/results/calls-corrections'
import { officeResultEvent, officeResultEvents, type ResultSet } from '@podium/contract/results/calls-office'
import { type FormEvent, useState } from 'react'
import { call } from '#shell/call.ts'
import { useEndpointMutation } from '#shell/query.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { officeWords, Problem } from '../office-parts.tsx'

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
  const [note, setNote] = useState('')
  const [missing, setMissing] = useState(false)
  const resolve = useEndpointMutation(resolveAnomalies, {
    invalidates: [resultAnomalies, officeResultEvent],
    onSuccess: ({ resolved }) => {
      toast.success(t('resolvedToast', { n: resolved }))
      onDone()
    },
  })
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault()
    setMissing(note.trim() === '')
    if (note.trim() !== '') resolve.mutate({ body: { setId, kind, anomalyIds, note } })
  }
  return (
    <Dialog opened onClose={onClose} title={t('resolveTitle', { n })} size="small">
      <form onSubmit={submit} noValidate>
        <DialogBody>
          <div className="stack">
            <p>{t('resolveSays')}</p>
            <TextArea
              label={t('note')}
              value={note}
              maxLength={500}
              data-autofocus
              error={missing && note.trim() === '' ? t('noteMissing') : undefined}
              onChange={(changed) => setNote(changed.currentTarget.value)}
            />
            <Problem error={resolve.error} />
          </div>
        </DialogBody>
        <DialogFoot onCancel={onClose}>
          <Button type="submit" kind="primary" busy={resolve.isPending}>
            {t('resolve')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
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
