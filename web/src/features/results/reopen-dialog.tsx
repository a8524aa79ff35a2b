import { reopenAnomalies, resultAnomalies } from '@podium/contract/results-anomalies'
import { officeResultEvent, officeResultEvents, type ResultSet } from '@podium/contract/results-office'
import { type FormEvent, useState } from 'react'
import { useEndpointMutation } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { officeWords } from './office-words.ts'
import { Problem } from './problem.tsx'

interface ReopenDialogProps {
  set: ResultSet
  anomalyIds: number[]
  onClose: () => void
  onDone: () => void
}

/** Takes a decision about an odd row back, with the reason; tells what that does to a computed version. */
export function ReopenDialog({ set, anomalyIds, onClose, onDone }: ReopenDialogProps) {
  const t = officeWords.use()
  const [why, setWhy] = useState('')
  const [missing, setMissing] = useState(false)
  const reopen = useEndpointMutation(reopenAnomalies, {
    renews: [resultAnomalies, officeResultEvent, officeResultEvents],
    onSuccess: ({ reopened }) => {
      toast.success(t('reopenedToast', { n: reopened }))
      onDone()
    },
  })
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault()
    setMissing(why.trim() === '')
    if (why.trim() !== '') reopen.mutate({ body: { setId: set.setId, anomalyIds, reason: why } })
  }
  return (
    <Dialog opened onClose={onClose} title={t('reopenTitle', { n: anomalyIds.length })} size="small">
      <form onSubmit={submit} noValidate>
        <DialogBody>
          <div className="stack">
            <p>{t('reopenSays')}</p>
            {set.state === 'computed' && <Note kind="due">{t('reopenComputed', { n: set.version })}</Note>}
            <TextArea
              label={t('reopenWhy')}
              value={why}
              maxLength={500}
              data-autofocus
              error={missing && why.trim() === '' ? t('noteMissing') : undefined}
              onChange={(changed) => setWhy(changed.currentTarget.value)}
            />
            <Problem error={reopen.error} />
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={reopen.isPending}>
            {t('reopen')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
