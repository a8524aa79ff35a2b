import {
  addEvent,
  addedEvent,
  checkLateFee,
  type feesEffect,
  lateDayGiven,
  lateFeeValues,
  type OfficeEventRow,
  type PriceChange,
  type SubjectToAdd,
  saveLateFee,
  subjectsToAdd,
} from '@podium/contract/catalogue/calls-events'
import { formatRupees } from '@podium/contract/money'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import * as z from 'zod/mini'
import { type Answer, call } from '#shell/call.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { DialogForm, FormDialog, useFormDialog } from '#shell/form-dialog.tsx'
import { count, dayText, keepDatesTogether } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint, useInvalidate } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable } from '#ui/data-table.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import type en from '#words/en/catalogue-add.json'
import { catalogueCalls, words } from '../data.ts'
import { lateWords, useLateText } from '../fees/words-late.ts'

const addWords = defineWords<typeof en>(import.meta.glob('#words/*/catalogue-add.json'))

const fresh = 'new'

const schema = z.pipe(
  z.transform(({ subject, eventLetter, examLevel, ...typed }: EventValues) => ({
    ...typed,
    eventLetter: subject === fresh ? eventLetter.trim().toUpperCase() : subject,
    examLevel: Number(examLevel),
  })),
  z.object({ ...addedEvent, subjectNameHi: z.string().check(z.maxLength(60, 'At most 60 characters.')) }),
)

const empty = {
  subject: '',
  eventLetter: '',
  subjectName: '',
  subjectNameHi: '',
  littleStar: false,
  examLevel: '1',
  examMode: 'Offline',
  closesOn: '',
  firstDate: '',
  secondDate: '',
  maximumMarks: 60 as number | '',
}
type EventValues = typeof empty

interface Props {
  FYear: string
  onClose: () => void
}

/** Adds an event to a season by hand: another subject, a new one, or a further level. */
export function AddDialog({ FYear, onClose }: Props) {
  const t = addWords.use()
  const { data, error, refetch } = useEndpoint(subjectsToAdd, { query: { FYear } })
  return (
    <Dialog opened onClose={onClose} title={t('title', { season: FYear })}>
      {error && !data ? (
        <DialogBody>
          <LoadProblem error={error} retry={refetch} />
        </DialogBody>
      ) : data ? (
        <AddForm FYear={FYear} subjects={data.data} onClose={onClose} />
      ) : (
        <DialogBody>
          <Skeleton shape="form" />
        </DialogBody>
      )}
    </Dialog>
  )
}

function AddForm({ FYear, subjects, onClose }: Props & { subjects: readonly SubjectToAdd[] }) {
  const t = addWords.use()
  const w = words.use()
  const invalidate = useInvalidate(catalogueCalls)
  const navigate = useNavigate()
  const f = useFormDialog({
    schema,
    initialValues: empty,
    draftKey: `event.add.${FYear}`,
    save: (values) => call(addEvent, { body: { FYear, ...values } }),
    done: t('added'),
    onDone: async ({ eventYearId }) => {
      f.draft.drop()
      f.form.resetDirty()
      await navigate({ to: officePaths.catalogueEvent, params: { eventYearId: String(eventYearId) } })
      void invalidate()
    },
    onClose,
  })
  const { form } = f
  const subject = form.useWatchValue('subject') as string
  const level = Number(form.useWatchValue('examLevel'))
  const existingSubject = subjects.find(({ eventLetter }) => eventLetter === subject)
  const before = existingSubject?.before.find(({ examLevel }) => examLevel === level)
  const { field } = form
  const choices = [
    ...subjects.map(({ eventLetter, subjectName }) => ({ value: eventLetter, label: subjectName })),
    { value: fresh, label: t('fresh') },
  ]
  return (
    <DialogForm of={f} save={t('add')}>
      <div className="grid">
        <SelectField
          label={t('subject')}
          className="c6"
          empty={t('choose')}
          choices={choices}
          {...field('subject')}
          error={form.errors.subject ?? (subject === fresh ? undefined : form.errors.eventLetter)}
        />
        <SelectField
          label={t('level')}
          className="c3"
          choices={['1', '2', '3'].map((value) => ({ value, label: value }))}
          {...field('examLevel')}
        />
        <SelectField
          label={w('mode')}
          className="c3"
          choices={(['Offline', 'Online'] as const).map((value) => ({ value, label: w(value) }))}
          {...field('examMode')}
        />
        {subject === fresh && (
          <>
            <TextField label={t('letter')} className="c4" maxLength={1} {...field('eventLetter')} />
            <TextField label={t('name')} className="c4" maxLength={60} {...field('subjectName')} />
            <TextField label={w('nameHi')} className="c4" optional lang="hi" {...field('subjectNameHi')} />
            <CheckField
              label={t('littleStar')}
              className="c12"
              {...form.field('littleStar', { type: 'checkbox' })}
            />
          </>
        )}
        <DateField label={w('closesOn')} className="c3" {...field('closesOn')} />
        <DateField label={w('firstDate')} className="c3" {...field('firstDate')} />
        <DateField label={w('secondDate')} className="c3" {...field('secondDate')} />
        {!before && <NumberField label={t('marks')} className="c3" {...field('maximumMarks')} />}
      </div>
      <Note>
        <p>{before ? t('copiedFrom', { season: before.FYear }) : t('startsEmpty')}</p>
        {level > 1 && <p>{t('further', { n: level })}</p>}
      </Note>
    </DialogForm>
  )
}

const lateSchema = z
  .object({
    lateFrom: lateFeeValues.lateFrom,
    lateFee: z.pipe(
      z.transform((typed: number | '') => (typed === '' ? 0 : typed)),
      lateFeeValues.lateFee,
    ),
  })
  .check(checkLateFee, lateDayGiven)

interface LateProps {
  FYear: string
  /** Name of the event or of the season */
  name: string
  events: readonly OfficeEventRow[]
  onClose: () => void
}

/** Sets, changes or ends the late fee of one event, or of the ticked events of a season. */
export function LateDialog({ FYear, name, events, onClose }: LateProps) {
  const t = lateWords.use()
  const w = words.use()
  const same = new Set(events.map(({ lateFrom, lateFee }) => `${lateFrom} ${lateFee}`)).size === 1
  const [first] = events
  // If the late fees differ, nothing is ticked, so that no late fee is ended by oversight.
  const [excluded, setExcluded] = useState<ReadonlySet<number>>(
    () => new Set(same ? [] : events.map(({ eventYearId }) => eventYearId)),
  )
  const chosen = events.filter(({ eventYearId }) => !excluded.has(eventYearId))
  const start = same && first ? first : { lateFrom: '', lateFee: 0 }
  const f = useFormDialog({
    schema: lateSchema,
    initialValues: { lateFrom: start.lateFrom, lateFee: start.lateFee === 0 ? '' : start.lateFee } as {
      lateFrom: string
      lateFee: number | ''
    },
    draftKey: `late.${FYear}.${events.length === 1 ? first?.eventYearId : 'all'}`,
    save: (values) => {
      const named = chosen.map(({ eventYearId, version }) => ({ eventYearId, version }))
      return call(saveLateFee, { body: { FYear, events: named, ...values } })
    },
    invalidates: catalogueCalls,
    done: t('saved'),
    onClose,
  })
  const { field } = f.form
  const entryCount = chosen.reduce((sum, { students }) => sum + students, 0)
  return (
    <FormDialog
      of={f}
      title={t('dialogTitle', { what: name })}
      {...(events.length === 1 ? { size: 'small' as const } : {})}
      save={w('save')}
      disabled={chosen.length === 0 ? t('noneChosen') : undefined}>
      <p>{t('description')}</p>
      <div className="grid">
        <DateField label={t('from')} className="c6" hint={t('fromHint')} {...field('lateFrom')} />
        <NumberField label={t('fee')} className="c6" decimals={2} {...field('lateFee')} />
      </div>
      {events.length > 1 && <Events events={events} excluded={excluded} onSkipped={setExcluded} />}
      <Note>{entryCount === 0 ? t('nobody') : t('keep', { n: entryCount })}</Note>
    </FormDialog>
  )
}

interface EventsProps {
  events: readonly OfficeEventRow[]
  excluded: ReadonlySet<number>
  onSkipped: (left: ReadonlySet<number>) => void
}

function Events({ events, excluded, onSkipped }: EventsProps) {
  const t = lateWords.use()
  const lateText = useLateText()
  const toggle = (id: number) => {
    const next = new Set(excluded)
    next.has(id) ? next.delete(id) : next.add(id)
    onSkipped(next)
  }
  return (
    <fieldset className="cat-late">
      <legend>{t('events')}</legend>
      <CheckField
        label={t('all')}
        checked={excluded.size === 0}
        mixed={excluded.size > 0 && excluded.size < events.length}
        onChange={() =>
          onSkipped(new Set(excluded.size === 0 ? events.map(({ eventYearId }) => eventYearId) : []))
        }
      />
      {events.map((event) => (
        <CheckField
          key={event.eventYearId}
          label={event.subjectName}
          hint={keepDatesTogether(`${t('closes', { day: dayText(event.closesOn) })} · ${lateText(event)}`)}
          checked={!excluded.has(event.eventYearId)}
          onChange={() => toggle(event.eventYearId)}
        />
      ))}
    </fieldset>
  )
}

export type Effect = Answer<typeof feesEffect>

interface EffectProps {
  effect: Effect
  onConfirm: () => void
  onCancel: () => void
}

/** What a change of prices affects, price by price, with the entries that keep the old one. */
export function EffectDialog({ effect, onConfirm, onCancel }: EffectProps) {
  const t = words.use()
  const { atOldPrice: keep, unpaid, changes } = effect
  const price = (amount: number | null) => (amount === null ? t('notOffered') : formatRupees(amount))
  const columns: Column<PriceChange>[] = columnsOf(t, [
    { key: 'class', title: true, cell: (row) => translateSentence(row.className) },
    { key: 'what', cell: (row) => t(row.what === 'class' ? 'takesPart' : row.what) },
    { key: 'from', num: true, cell: (row) => price(row.from) },
    { key: 'to', num: true, strong: true, cell: (row) => price(row.to) },
    { key: 'keep', num: true, cell: (row) => count(row.atOldPrice) },
    { key: 'unpaid', num: true, cell: (row) => count(row.unpaid) },
  ])
  return (
    <Dialog opened onClose={onCancel} title={t('effectTitle')}>
      <DialogBody>
        <div className="stack">
          {changes.length === 0 && <Note>{t('noChange')}</Note>}
          {changes.length > 0 && (
            <Note kind={keep > 0 ? 'due' : 'info'}>
              {keep > 0 ? t('effectKeep', { n: keep, unpaid: count(unpaid) }) : t('effectNobody')}
            </Note>
          )}
          <DataTable
            caption={t('effectCaption')}
            columns={columns}
            rows={changes}
            rowKey={(row) => `${row.className} ${row.what}`}
            compact
          />
        </div>
      </DialogBody>
      <DialogFoot onCancel={onCancel}>
        <Button kind="primary" onClick={onConfirm} disabled={changes.length > 0 ? undefined : t('noChange')}>
          {t('savePrices')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
