import type { AnswerOf } from '@podium/contract/endpoint'
import {
  changeSlots,
  deleteSlots,
  type ExamSlot,
  mostDays,
} from '@podium/contract/exams/calls-schedules-office'
import { messages } from '@podium/contract/messages'
import * as z from 'zod/mini'
import { type SeveralProps, useBulkAction } from '#shell/bulk.ts'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormDialog } from '#shell/form-dialog.tsx'
import { RefusedDialog } from '#shell/refused-dialog.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { momentText } from './moment-text.ts'
import { shownOfSlots } from './use-schedule.ts'
import { words } from './words-office.ts'

type DialogProps = SeveralProps<ExamSlot>
type Outcome = AnswerOf<typeof changeSlots>

const dayMs = 86_400_000
const asksOf = (rows: readonly ExamSlot[]) => rows.map(({ slotId, version }) => ({ id: slotId, version }))

const empty = z.literal('')
const days = z
  .int(messages.slotDays)
  .check(z.minimum(0, messages.slotDays), z.maximum(mostDays, messages.slotDays))
const places = z
  .int(messages.slotPlaces)
  .check(z.minimum(1, messages.slotPlaces), z.maximum(100_000, messages.slotPlaces))
const schema = z
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

/** Moves all that are chosen by days, or gives them places; says what is left and why. */
export function ChangeManyDialog(props: DialogProps) {
  const t = words.use()
  const { asked, key, told, outcome } = useBulkAction(props, {
    invalidates: shownOfSlots,
    said: (done: Outcome['done']) => t('changeDoneMany', { n: done.length }),
  })
  const f = usePortalForm({
    schema,
    initialValues: { days: '' as number | '', direction: 'later' as const, places: '' as number | '' },
    save: async ({ days, direction, places }) => {
      const by = direction === 'later' ? Number(days) : -Number(days)
      const body = { slots: asksOf(asked), days: by, ...(places === '' ? {} : { places }) }
      told(await call(changeSlots, { body, idempotencyKey: key }))
    },
  })
  const days = Number(f.form.useWatchValue('days'))
  const later = f.form.useWatchValue('direction') === 'later'
  if (outcome) return <Told asked={asked} outcome={outcome} onClose={props.onClose} />
  const taken = asked.reduce((sum, slot) => sum + slot.taken, 0)
  const field = (name: 'days' | 'direction' | 'places') => ({
    key: f.form.key(name),
    ...f.form.getInputProps(name),
  })
  return (
    <FormDialog
      of={f}
      onClose={props.onClose}
      title={t('changeMany', { n: asked.length })}
      size="small"
      save={t('save')}
    >
      <p className="quiet">{t('changeManySays')}</p>
      {taken > 0 && <Note kind="due">{t('changeManyTaken', { n: taken })}</Note>}
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
      <FirstMoves asked={asked} days={days} later={later} />
      <NumberField label={t('newPlaces')} hint={t('newPlacesHint')} {...field('places')} />
    </FormDialog>
  )
}

interface FirstProps {
  asked: readonly ExamSlot[]
  days: number
  later: boolean
}

/** Where the earliest of them is going to be, while a number of days stands there. */
function FirstMoves({ asked, days, later }: FirstProps) {
  const t = words.use()
  const first = asked.map(({ from }) => from).toSorted()[0]
  if (first === undefined || !Number.isInteger(days) || days < 1 || days > mostDays) return null
  const to = new Date(Date.parse(first) + (later ? days : -days) * dayMs).toISOString()
  return <p aria-live="polite">{t('firstMoves', { from: momentText(first), to: momentText(to) })}</p>
}

/** Removes those of the chosen that no student has; says what is left and why. */
export function RemoveManyDialog(props: DialogProps) {
  const t = words.use()
  const { asked, confirm, busy, outcome } = useBulkAction(props, {
    invalidates: shownOfSlots,
    said: (done: Outcome['done']) => t('removeDoneMany', { n: done.length }),
  })
  if (outcome) return <Told asked={asked} outcome={outcome} onClose={props.onClose} />
  const body = { slots: asksOf(asked) }
  return (
    <ConfirmDialog
      opened
      danger
      title={t('removeManyTitle', { n: asked.length })}
      action={t('removeChosen')}
      busy={busy}
      onConfirm={() => confirm((idempotencyKey) => call(deleteSlots, { body, idempotencyKey }))}
      onCancel={props.onClose}
    >
      <p>{t('removeManySays')}</p>
    </ConfirmDialog>
  )
}

interface ToldProps {
  asked: readonly ExamSlot[]
  outcome: Outcome
  onClose: () => void
}

function Told({ asked, outcome: { done, refused }, onClose }: ToldProps) {
  const t = words.use()
  return (
    <RefusedDialog
      title={t('notAll')}
      says={t('notAllSays', { done: done.length, n: refused.length })}
      refused={asked.flatMap(({ slotId }) => refused.filter(({ id }) => id === slotId))}
      nameOf={(id) => {
        const slot = asked.find(({ slotId }) => slotId === id)
        return slot ? momentText(slot.from) : String(id)
      }}
      understood={t('understood')}
      onClose={onClose}
    />
  )
}
