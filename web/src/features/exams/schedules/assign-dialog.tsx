import {
  assignSlots,
  type ExamSlot,
  type ScheduleFigures,
  tellSchools,
} from '@podium/contract/exams/calls-schedules-office'
import { optionalText } from '@podium/contract/fields'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormDialog } from '#shell/form-dialog.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { useEndpointMutation, useInvalidate } from '#shell/query.ts'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { momentText } from './moment-text.ts'
import { type Exam, shownOfSlots } from './use-schedule.ts'
import { words } from './words-office.ts'

const schema = z.object({ schCode: optionalText(20), slotId: z.string() })

interface AssignProps {
  exam: Exam
  slots: readonly ExamSlot[]
  onClose: () => void
}

/** Gives slots to who waits: of one school or all, one slot or whichever has room. */
export function AssignDialog({ exam, slots, onClose }: AssignProps) {
  const t = words.use()
  const renew = useInvalidate(shownOfSlots)
  const f = usePortalForm({
    schema,
    initialValues: { schCode: '', slotId: '' },
    save: async ({ schCode, slotId }) => {
      const body = {
        eventYearId: exam.eventYearId,
        schCode,
        ...(slotId === '' ? {} : { slotId: Number(slotId) }),
      }
      const { students, schools } = await call(assignSlots, { body }).finally(renew)
      toast.success(t('assigned', { students, n: schools }))
      onClose()
    },
  })
  const open = slots.filter(({ places, taken }) => places > taken)
  return (
    <FormDialog
      of={f}
      onClose={onClose}
      title={t('assign')}
      fact={translateSentence(exam.subjectName)}
      size="small"
      save={t('assign')}
    >
      <p className="quiet">{t('assignSays')}</p>
      <TextField
        label={t('schCode')}
        hint={t('schCodeHint')}
        optional
        key={f.form.key('schCode')}
        {...f.form.getInputProps('schCode')}
      />
      <SelectField
        label={t('slot')}
        empty={t('anySlot')}
        choices={open.map(({ slotId, from, places, taken }) => ({
          value: String(slotId),
          label: t('slotFree', { at: momentText(from), n: places - taken }),
        }))}
        key={f.form.key('slotId')}
        {...f.form.getInputProps('slotId')}
      />
    </FormDialog>
  )
}

interface TellProps {
  exam: Exam
  figures: ScheduleFigures
  onClose: () => void
}

/** Sends the mails about hours that schools do not know yet. */
export function TellDialog({ exam, figures, onClose }: TellProps) {
  const t = words.use()
  const say = useSentences()
  const renew = useInvalidate(shownOfSlots)
  const tell = useEndpointMutation(tellSchools, {
    onSuccess: ({ schools }) => {
      toast.success(t('toldDone', { n: schools }))
      onClose()
    },
    onError: (cause) => toast.error(say(cause.message)),
    onSettled: () => renew(),
  })
  return (
    <ConfirmDialog
      opened
      title={t('tell')}
      action={t('tellNow')}
      busy={tell.isPending}
      onConfirm={() => tell.mutate({ body: { eventYearId: exam.eventYearId } })}
      onCancel={onClose}
    >
      {t('tellSays', { students: figures.untold, n: figures.untoldSchools })}
    </ConfirmDialog>
  )
}
