import type { OfficeEventRow } from '@podium/contract/catalogue/calls-events'
import {
  lateDayGiven,
  lateFeeValues,
  lateFeeWhole,
  saveLateFee,
} from '@podium/contract/catalogue/calls-late-fees'
import { formatRupees } from '@podium/contract/money'
import { useState } from 'react'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { FormDialog } from '#shell/form-dialog.tsx'
import { usePortalForm } from '#shell/form-frame.tsx'
import { dayText, withWholeDays } from '#shell/format.tsx'
import { useInvalidate } from '#shell/query.ts'
import { CheckField } from '#ui/check-field.tsx'
import { Note } from '#ui/note.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { toast } from '#ui/toast.tsx'
import { shownOfCatalogue } from '../shown.ts'
import { words } from '../words.ts'
import { lateWords } from './words-late.ts'

const schema = z
  .object({
    lateFrom: lateFeeValues.lateFrom,
    lateFee: z.pipe(
      z.transform((typed: number | '') => (typed === '' ? 0 : typed)),
      lateFeeValues.lateFee,
    ),
  })
  .check(lateFeeWhole, lateDayGiven)

/** `₹50 from 25-Nov-2026`, or that there is none. */
export function useLateText(): (event: Pick<OfficeEventRow, 'lateFrom' | 'lateFee'>) => string {
  const t = lateWords.use()
  return ({ lateFrom, lateFee }) =>
    lateFrom === '' ? t('none') : t('rule', { fee: formatRupees(lateFee), day: dayText(lateFrom) })
}

interface Props {
  FYear: string
  /** The name of the event, or of the season */
  what: string
  events: readonly OfficeEventRow[]
  onClose: () => void
}

/** Sets, changes or ends the late fee of one event, or of those of a season that are ticked. */
export function LateDialog({ FYear, what, events, onClose }: Props) {
  const t = lateWords.use()
  const w = words.use()
  const renew = useInvalidate(shownOfCatalogue)
  const same = new Set(events.map(({ lateFrom, lateFee }) => `${lateFrom} ${lateFee}`)).size === 1
  const [first] = events
  // Where they differ nothing is ticked: nobody ends a late fee by not looking.
  const [left, setLeft] = useState<ReadonlySet<number>>(
    () => new Set(same ? [] : events.map(({ eventYearId }) => eventYearId)),
  )
  const chosen = events.filter(({ eventYearId }) => !left.has(eventYearId))
  const start = same && first ? first : { lateFrom: '', lateFee: 0 }
  const f = usePortalForm({
    schema,
    initialValues: { lateFrom: start.lateFrom, lateFee: start.lateFee === 0 ? '' : start.lateFee } as {
      lateFrom: string
      lateFee: number | ''
    },
    draftKey: `late.${FYear}.${events.length === 1 ? first?.eventYearId : 'all'}`,
    save: async (values) => {
      const named = chosen.map(({ eventYearId, version }) => ({ eventYearId, version }))
      await call(saveLateFee, { body: { FYear, events: named, ...values } }).finally(renew)
      toast.success(t('saved'))
      onClose()
    },
  })
  const field = (name: string) => ({ key: f.form.key(name), ...f.form.getInputProps(name) })
  const heads = chosen.reduce((sum, { students }) => sum + students, 0)
  return (
    <FormDialog
      of={f}
      onClose={onClose}
      title={t('dialogTitle', { what })}
      {...(events.length === 1 ? { size: 'small' as const } : {})}
      save={w('save')}
      disabled={chosen.length === 0 ? t('noneChosen') : undefined}
    >
      <p>{t('says')}</p>
      <div className="grid">
        <DateField label={t('from')} className="c6" hint={t('fromHint')} {...field('lateFrom')} />
        <NumberField label={t('fee')} className="c6" decimals={2} {...field('lateFee')} />
      </div>
      {events.length > 1 && <Events events={events} left={left} onLeft={setLeft} />}
      <Note>{heads === 0 ? t('nobody') : t('keep', { n: heads })}</Note>
    </FormDialog>
  )
}

interface EventsProps {
  events: readonly OfficeEventRow[]
  left: ReadonlySet<number>
  onLeft: (left: ReadonlySet<number>) => void
}

function Events({ events, left, onLeft }: EventsProps) {
  const t = lateWords.use()
  const lateText = useLateText()
  const toggle = (id: number) => {
    const next = new Set(left)
    next.has(id) ? next.delete(id) : next.add(id)
    onLeft(next)
  }
  return (
    <fieldset className="cat-late">
      <legend>{t('events')}</legend>
      <CheckField
        label={t('all')}
        checked={left.size === 0}
        mixed={left.size > 0 && left.size < events.length}
        onChange={() => onLeft(new Set(left.size === 0 ? events.map(({ eventYearId }) => eventYearId) : []))}
      />
      {events.map((event) => (
        <CheckField
          key={event.eventYearId}
          label={event.subjectName}
          hint={withWholeDays(`${t('closes', { day: dayText(event.closesOn) })} · ${lateText(event)}`)}
          checked={!left.has(event.eventYearId)}
          onChange={() => toggle(event.eventYearId)}
        />
      ))}
    </fieldset>
  )
}
