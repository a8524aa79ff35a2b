import { type ExamSlot, saveSlot } from '@podium/contract/exams/calls-schedules-office'
import { messages } from '@podium/contract/messages'
import { istDay } from '@podium/contract/season'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { usePortalForm } from '#shell/form.tsx'
import { FormDialog } from '#shell/form-dialog.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { useInvalidate } from '#shell/query.ts'
import { Note } from '#ui/note.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { type Exam, shownOfSlots } from './use-schedule.ts'
import { words } from './words-office.ts'

const time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, messages.slotTimeRequired))
const schema = z
  .object({
    day: z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/, messages.slotTimeRequired)),
    from: time,
    to: time,
    places: z
      .int(messages.slotPlaces)
      .check(z.minimum(1, messages.slotPlaces), z.maximum(100_000, messages.slotPlaces)),
  })
  .check(z.refine(({ from, to }) => to > from, { path: ['to'], error: messages.slotBackwards }))

const hour = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Kolkata',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** Makes a slot or changes one: its hours in India on one day, and how many can take it. */
export function SlotDialog({ exam, slot, onClose }: { exam: Exam; slot?: ExamSlot; onClose: () => void }) {
  const t = words.use()
  const renew = useInvalidate(shownOfSlots)
  const f = usePortalForm({
    schema,
    initialValues: {
      day: slot ? istDay(new Date(slot.from)) : (exam.firstDate ?? ''),
      from: slot ? hour.format(new Date(slot.from)) : '10:00',
      to: slot ? hour.format(new Date(slot.to)) : '11:00',
      places: (slot?.places ?? 500) as number | '',
    },
    draftKey: `slot.${exam.eventYearId}.${slot?.slotId ?? 0}.${slot?.version ?? 0}`,
    save: async ({ day, from, to, places }) => {
      const body = {
        slotId: slot?.slotId ?? 0,
        version: slot?.version,
        eventYearId: exam.eventYearId,
        from: `${day}T${from}:00+05:30`,
        to: `${day}T${to}:00+05:30`,
        places: Number(places),
      }
      await call(saveSlot, { body }).finally(renew)
      toast.success(t('saved'))
      onClose()
    },
  })
  const field = (name: 'day' | 'from' | 'to' | 'places') => ({
    key: f.form.key(name),
    ...f.form.getInputProps(name),
  })
  return (
    <FormDialog
      of={f}
      onClose={onClose}
      title={t(slot ? 'editSlot' : 'newSlot')}
      fact={translateSentence(exam.subjectName)}
      size="small"
      save={t('save')}
    >
      {slot && slot.taken > 0 && <Note kind="due">{t('editSays', { n: slot.taken })}</Note>}
      <DateField label={t('day')} {...field('day')} />
      <TextField label={t('fromTime')} hint={t('timeHint')} inputMode="numeric" {...field('from')} />
      <TextField label={t('toTime')} inputMode="numeric" {...field('to')} />
      <NumberField label={t('places')} {...field('places')} />
    </FormDialog>
  )
}
