import {
  makeNextLevel,
  type NextLevelRound,
  saveNextLevel,
} from '@podium/contract/results/calls-next-level-office'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { usePortalForm } from '#shell/form.tsx'
import { FormDialog } from '#shell/form-dialog.tsx'
import { useInvalidate } from '#shell/query.ts'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { shownOfRounds } from './use-round.ts'
import { officeWords } from './words-office.ts'

const schema = z.pick(makeNextLevel.body, { answerBy: true, note: true })

/** Makes the list, or changes until when schools answer and what they read beside it. */
export function TermsDialog({ round, onClose }: { round: NextLevelRound; onClose: () => void }) {
  const t = officeWords.use()
  const renew = useInvalidate(shownOfRounds)
  const { eventYearId, version, stage } = round
  const making = stage === 'none'
  const f = usePortalForm({
    schema,
    initialValues: { answerBy: round.answerBy ?? '', note: round.note },
    save: async (terms) => {
      const saving = making
        ? call(makeNextLevel, { body: { eventYearId, ...terms } })
        : call(saveNextLevel, { body: { eventYearId, version, ...terms } })
      await saving.finally(renew)
      toast.success(t(making ? 'madeToast' : 'savedToast'))
      onClose()
    },
  })
  return (
    <FormDialog
      of={f}
      onClose={onClose}
      title={t(making ? 'make' : 'changeTerms')}
      size="small"
      save={t(making ? 'make' : 'save')}
    >
      <p>
        {t(making ? 'makeSays' : stage === 'approved' ? 'termsAgain' : 'termsSay', {
          n: round.eligibleNow,
        })}
      </p>
      <DateField
        label={t('answerBy')}
        hint={t('answerByHint')}
        data-autofocus
        key={f.form.key('answerBy')}
        {...f.form.getInputProps('answerBy')}
      />
      <TextArea
        label={t('note')}
        hint={t('noteHint')}
        rows={4}
        optional
        key={f.form.key('note')}
        {...f.form.getInputProps('note')}
      />
    </FormDialog>
  )
}
