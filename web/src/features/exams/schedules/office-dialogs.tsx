import type { AnswerOf } from '@podium/contract/endpoint'
import {
  assignSlots,
  changeSlots,
  deleteSlots,
  type ExamSlot,
  maxDays,
  notifySchools,
  type ScheduleFigures,
  saveSlot,
} from '@podium/contract/exams/calls-office'
import { optionalText } from '@podium/contract/fields'
import { messages } from '@podium/contract/messages'
import { istDay } from '@podium/contract/season'
import * as z from 'zod/mini'
import { type BulkActionProps, ConfirmAction, RefusedDialog, useBulkAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { callOnce } from '#shell/call-once.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { FormDialog, useFormDialog } from '#shell/form-dialog.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { type Exam, momentText, slotCalls, words } from './use-schedule.ts'

const time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, messages.slotTimeRequired))
const slotSchema = z
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

/** Creates or changes a slot: its hours on one day, in IST, and its capacity. */
export function SlotDialog({ exam, slot, onClose }: { exam: Exam; slot?: ExamSlot; onClose: () => void }) {
  const t = words.use()
  const f = useFormDialog({
    schema: slotSchema,
    initialValues: {
      day: slot ? istDay(new Date(slot.from)) : (exam.firstDate ?? ''),
      from: slot ? hour.format(new Date(slot.from)) : '10:00',
      to: slot ? hour.format(new Date(slot.to)) : '11:00',
      places: (slot?.places ?? 500) as number | '',
    },
    draftKey: `slot.${exam.eventYearId}.${slot?.slotId ?? 0}.${slot?.version ?? 0}`,
    save: ({ day, from, to, places }) => {
      const body = {
        slotId: slot?.slotId ?? 0,
        version: slot?.version,
        eventYearId: exam.eventYearId,
        from: `${day}T${from}:00+05:30`,
        to: `${day}T${to}:00+05:30`,
        places: Number(places),
      }
      return call(saveSlot, { body })
    },
    invalidates: slotCalls,
    done: t('saved'),
    onClose,
  })
  const { field } = f.form
  return (
    <FormDialog
      of={f}
      title={t(slot ? 'editSlot' : 'newSlot')}
      fact={translateSentence(exam.subjectName)}
      size="small"
      save={t('save')}>
      {slot && slot.taken > 0 && <Note kind="due">{t('editHint', { n: slot.taken })}</Note>}
      <DateField label={t('day')} {...field('day')} />
      <TextField label={t('fromTime')} hint={t('timeHint')} inputMode="numeric" {...field('from')} />
      <TextField label={t('toTime')} inputMode="numeric" {...field('to')} />
      <NumberField label={t('places')} {...field('places')} />
    </FormDialog>
  )
}

const assignSchema = z.object({ schCode: optionalText(20), slotId: z.string() })

interface AssignProps {
  exam: Exam
  slots: readonly ExamSlot[]
  onClose: () => void
}

/** Assigns slots to waiting students: of one school or all, one slot or any with places left. */
export function AssignDialog({ exam, slots, onClose }: AssignProps) {
  const t = words.use()
  const f = useFormDialog({
    schema: assignSchema,
    initialValues: { schCode: '', slotId: '' },
    save: ({ schCode, slotId }) => {
      const body = {
        eventYearId: exam.eventYearId,
        schCode,
        ...(slotId === '' ? {} : { slotId: Number(slotId) }),
      }
      return call(assignSlots, { body })
    },
    invalidates: slotCalls,
    done: ({ students, schools }) => t('assigned', { students, n: schools }),
    onClose,
  })
  const open = slots.filter(({ places, taken }) => places > taken)
  return (
    <FormDialog
      of={f}
      title={t('assign')}
      fact={translateSentence(exam.subjectName)}
      size="small"
      save={t('assign')}>
      <p className="quiet">{t('assignHint')}</p>
      <TextField label={t('schCode')} hint={t('schCodeHint')} optional {...f.form.field('schCode')} />
      <SelectField
        label={t('slot')}
        empty={t('anySlot')}
        choices={open.map(({ slotId, from, places, taken }) => ({
          value: String(slotId),
          label: t('slotFree', { at: momentText(from), n: places - taken }),
        }))}
        {...f.form.field('slotId')}
      />
    </FormDialog>
  )
}

interface NotifyDialogProps {
  exam: Exam
  figures: ScheduleFigures
  onClose: () => void
}

/** Sends the e-mails about times that schools were not sent yet. */
export function NotifyDialog({ exam, figures, onClose }: NotifyDialogProps) {
  const t = words.use()
  return (
    <ConfirmAction
      title={t('notify')}
      action={t('notifyNow')}
      act={() => call(notifySchools, { body: { eventYearId: exam.eventYearId } })}
      invalidates={slotCalls}
      done={({ schools }) => t('notifiedToast', { n: schools })}
      onClose={onClose}>
      {t('notifyHint', { students: figures.unnotified, n: figures.unnotifiedSchools })}
    </ConfirmAction>
  )
}

type DialogProps = BulkActionProps<ExamSlot>
type Outcome = AnswerOf<typeof changeSlots>

const dayMs = 86_400_000
const slotRefs = (rows: readonly ExamSlot[]) => rows.map(({ slotId, version }) => ({ id: slotId, version }))

const empty = z.literal('')
const days = z
  .int(messages.slotDays)
  .check(z.minimum(0, messages.slotDays), z.maximum(maxDays, messages.slotDays))
const places = z
  .int(messages.slotPlaces)
  .check(z.minimum(1, messages.slotPlaces), z.maximum(100_000, messages.slotPlaces))
const bulkChangeSchema = z
  .object({
    days: z.union([empty, days], messages.slotDays),
    direction: z.enum(['later', 'earlier']),
    places: z.union([empty, places], messages.slotPlaces),
  })
  .check(
    z.refine(({ days, places }) => Number(days) !== 0 || places !== '', {
      path: ['days'],
      error: messages.slotsUnchanged,
    }),
  )

/** Moves the selected slots by days, or changes their capacity; says which were skipped and why. */
export function ChangeManyDialog(props: DialogProps) {
  const t = words.use()
  const { asked, key, showOutcome, outcome } = useBulkAction(props, {
    invalidates: slotCalls,
    doneText: (done: Outcome['done']) => t('changeDoneMany', { n: done.length }),
  })
  const f = useFormDialog({
    schema: bulkChangeSchema,
    initialValues: { days: '' as number | '', direction: 'later' as const, places: '' as number | '' },
    save: ({ days, direction, places }) => {
      const by = direction === 'later' ? Number(days) : -Number(days)
      const body = { slots: slotRefs(asked), days: by, ...(places === '' ? {} : { places }) }
      return callOnce(changeSlots, { body, idempotencyKey: key })
    },
    onDone: showOutcome,
    onClose: props.onClose,
  })
  const days = Number(f.form.useWatchValue('days'))
  const later = f.form.useWatchValue('direction') === 'later'
  if (outcome) return <BulkOutcome slots={asked} outcome={outcome} onClose={props.onClose} />
  const takenCount = asked.reduce((sum, slot) => sum + slot.taken, 0)
  const { field } = f.form
  return (
    <FormDialog of={f} title={t('changeMany', { n: asked.length })} size="small" save={t('save')}>
      <p className="quiet">{t('changeManyHint')}</p>
      {takenCount > 0 && <Note kind="due">{t('changeManyTaken', { n: takenCount })}</Note>}
      <div className="grid">
        <NumberField
          label={t('moveBy')}
          hint={t('moveByHint')}
          className="c6"
          data-autofocus
          {...field('days')}
        />
        <SelectField
          label={t('direction')}
          className="c6"
          choices={(['later', 'earlier'] as const).map((value) => ({ value, label: t(value) }))}
          {...field('direction')}
        />
      </div>
      <FirstMoves slots={asked} days={days} later={later} />
      <NumberField label={t('newPlaces')} hint={t('newPlacesHint')} {...field('places')} />
    </FormDialog>
  )
}

/** Shows where the earliest slot will move, while a number of days is typed. */
function FirstMoves({ slots, days, later }: { slots: readonly ExamSlot[]; days: number; later: boolean }) {
  const t = words.use()
  const first = slots.map(({ from }) => from).toSorted()[0]
  if (first === undefined || !Number.isInteger(days) || days < 1 || days > maxDays) return null
  const to = new Date(Date.parse(first) + (later ? days : -days) * dayMs).toISOString()
  return <p aria-live="polite">{t('firstMoves', { from: momentText(first), to: momentText(to) })}</p>
}

/** Removes the selected slots that no student has; says which were skipped and why. */
export function RemoveManyDialog(props: DialogProps) {
  const t = words.use()
  const { asked, confirm, busy, outcome } = useBulkAction(props, {
    invalidates: slotCalls,
    doneText: (done: Outcome['done']) => t('removeDoneMany', { n: done.length }),
  })
  if (outcome) return <BulkOutcome slots={asked} outcome={outcome} onClose={props.onClose} />
  const body = { slots: slotRefs(asked) }
  return (
    <ConfirmDialog
      opened
      danger
      title={t('removeManyTitle', { n: asked.length })}
      action={t('removeChosen')}
      busy={busy}
      onConfirm={() => confirm((idempotencyKey) => callOnce(deleteSlots, { body, idempotencyKey }))}
      onCancel={props.onClose}>
      <p>{t('removeManyHint')}</p>
    </ConfirmDialog>
  )
}

interface BulkOutcomeProps {
  slots: readonly ExamSlot[]
  outcome: Outcome
  onClose: () => void
}

function BulkOutcome({ slots, outcome: { done, refused }, onClose }: BulkOutcomeProps) {
  const t = words.use()
  return (
    <RefusedDialog
      title={t('notAll')}
      summary={t('notAllText', { done: done.length, n: refused.length })}
      refused={slots.flatMap(({ slotId }) => refused.filter(({ id }) => id === slotId))}
      nameOf={(id) => {
        const slot = slots.find(({ slotId }) => slotId === id)
        return slot ? momentText(slot.from) : String(id)
      }}
      understood={t('understood')}
      onClose={onClose}
    />
  )
}
