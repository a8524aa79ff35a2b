import { decideNextLevel, type NextLevelRound } from '@podium/contract/next-level-office'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { officeWords } from './office-words.ts'
import type { How } from './round-list.tsx'
import { useRenew } from './use-round.ts'

const schema = z.pick(decideNextLevel.body, { reason: true })

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
  const renew = useRenew()
  const { eventYearId, version } = round
  const f = usePortalForm({
    schema,
    initialValues: { reason: '' },
    save: async ({ reason }) => {
      const body = { eventYearId, version, studentIds, as: how, reason }
      const { changed } = await call(decideNextLevel, { body }).finally(renew)
      toast.success(t('decidedToast', { n: changed }))
      onDone()
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={t(`decide_${how}`, { n: studentIds.length })} size="small">
      <FormFrame of={f} asksBeforeLeaving={false}>
        <DialogBody>
          <div className="stack">
            <p>{t(`decideSays_${how}`)}</p>
            {(round.stage === 'approved' || round.stage === 'sent') && <p>{t('approvedAgain')}</p>}
            <TextArea
              label={t('reason')}
              hint={t('reasonHint')}
              rows={3}
              data-autofocus
              key={f.form.key('reason')}
              {...f.form.getInputProps('reason')}
            />
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={f.saving}>
            {t(`as_${how}`)}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}
