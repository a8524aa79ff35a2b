import { saveCatalogueEvent } from '@podium/contract/catalogue/calls-events'
import { replaceClassNames } from '@podium/contract/classes'
import { parseSeason } from '@podium/contract/season'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { useFilters } from '#shell/filters.ts'
import { FormFrame, usePortalForm } from '#shell/form-frame.tsx'
import { count } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useInvalidate } from '#shell/query.ts'
import { useSeasonOf } from '#shell/season.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { lazyPart } from '#ui/lazy-part.ts'
import { Note } from '#ui/note.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { LinkTabs } from '#ui/tabs.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { catalogueCalls, type EventRecord, useEvent, words } from '../data.ts'
import { type EventPart, eventFilters, eventParts } from '../filters.ts'
import '../catalogue.css'

const LatePanel = lazyPart(() => import('../fees/form.tsx'), 'LatePanel')
const FeesForm = lazyPart(() => import('../fees/form.tsx'), 'FeesForm')

const RulesPart = lazyPart(() => import('../rules/part.tsx'), 'RulesPart')

const partWords = { exam: 'partExam', fees: 'partFees', rules: 'partRules' } as const satisfies Record<
  EventPart,
  string
>

/** A subject in a season: when and how it is held, what it costs, how its results are decided. */
export function CatalogueEventPage() {
  const { eventQuery, data } = useEvent()
  useSeasonOf(data?.event.FYear, officePaths.catalogue)
  if (eventQuery.isError && !data) return <PageProblem error={eventQuery.error} retry={eventQuery.refetch} />
  if (!data) return <Skeleton shape="form" page />
  return <EventView key={data.event.eventYearId} record={data} />
}

function EventView({ record }: { record: EventRecord }) {
  const t = words.use()
  const { part } = useFilters(eventFilters).values
  const { event } = record
  const readsRules = useMay('results.read')
  const level = event.examLevel > 1 ? ` · ${t('level', { n: event.examLevel })}` : ''
  return (
    <>
      <PageHeader title={`${event.subjectName}${level}`} fact={<HeaderFact record={record} />}>
        <Link to={officePaths.catalogue} search={{ season: parseSeason(event.FYear) }}>
          {t('back')}
        </Link>
      </PageHeader>
      <LinkTabs label={t('parts')}>
        {eventParts.map((name) => (
          <Link
            key={name}
            to="."
            search={eventFilters.validate({ part: name })}
            replace
            resetScroll={false}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={name === part ? 'page' : undefined}>
            {t(partWords[name])}
          </Link>
        ))}
      </LinkTabs>
      <div className="cat-record">
        <Suspense fallback={<Skeleton shape="form" />}>
          {part === 'exam' && <ExamForm record={record} />}
          {part === 'fees' && (
            <div className="stack">
              {event.examLevel === 1 && <LatePanel record={record} />}
              <FeesForm record={record} />
            </div>
          )}
          {part === 'rules' && <RulesPart record={record} />}
        </Suspense>
        <RecordHistory
          kind={part === 'rules' && readsRules ? 'event' : 'event_terms'}
          id={event.eventYearId}
        />
      </div>
    </>
  )
}

function HeaderFact({ record: { event } }: { record: EventRecord }) {
  const t = words.use()
  const kind = { preparing: 'waiting', open: 'active', closed: 'inactive' } as const
  return (
    <span className="row inline gap-2">
      <span>{event.FYear}</span>
      <Badge kind={kind[event.seasonState]}>{t(event.seasonState)}</Badge>
      {event.classes && (
        <span>
          {t('classes')}: {replaceClassNames(event.classes, translateSentence)}
        </span>
      )}
      <span>
        {t('enrolled')}: {count(event.students)}
      </span>
    </span>
  )
}

interface ExamValues extends Record<string, unknown> {
  examMode: string
  closesOn: string
  firstDate: string
  secondDate: string
  subjectNameHi: string
  sections: { name: string; nameHi: string; maximum: number | '' }[]
}

const schema = z.omit(saveCatalogueEvent.body, { eventYearId: true, version: true })

function useExamForm({ event }: EventRecord) {
  const t = words.use()
  const invalidate = useInvalidate(catalogueCalls)
  const { eventYearId, version, examMode, closesOn, firstDate, secondDate, subjectNameHi } = event
  const sections = event.sections.map(({ name, nameHi = '', maximum }) => ({ name, nameHi, maximum }))
  const initialValues: ExamValues = { examMode, closesOn, firstDate, secondDate, subjectNameHi, sections }
  return usePortalForm({
    schema,
    initialValues,
    draftKey: `event.${eventYearId}`,
    version,
    save: async (values, opened) => {
      const body = { ...values, eventYearId, version: opened.version }
      const saved = await call(saveCatalogueEvent, { body })
      toast.success(t('saved'))
      await invalidate()
      return saved.version
    },
  })
}

/** Mode, dates and sections of an event. */
function ExamForm({ record }: { record: EventRecord }) {
  const t = words.use()
  const f = useExamForm(record)
  const { event, can } = record
  const days = {
    firstDate: f.form.useWatchValue('firstDate'),
    secondDate: f.form.useWatchValue('secondDate'),
  }
  const { field } = f.form
  const dated = (path: 'firstDate' | 'secondDate', n: number) => {
    const holiday = record.holidays.find(({ day }) => day === days[path])
    const hints = [holiday && t('isHoliday', { name: holiday.name }), n > 0 && t('chose', { n })].filter(
      Boolean,
    )
    return hints.length > 0 ? { hint: hints.join(' ') } : {}
  }
  const modes = (['Offline', 'Online'] as const).map((value) => ({ value, label: t(value) }))
  const disabledReason = can.write === true ? undefined : t('mayNotWrite')
  return (
    <FormFrame of={f} className="stack">
      <fieldset className="stack" disabled={disabledReason !== undefined}>
        <Panel title={t('dates')}>
          <div className="grid">
            <SelectField label={t('mode')} className="c3" choices={modes} {...field('examMode')} />
            <DateField label={t('closesOn')} className="c3" {...field('closesOn')} />
            <DateField
              label={t('firstDate')}
              className="c3"
              {...dated('firstDate', event.choseFirst)}
              {...field('firstDate')}
            />
            <DateField
              label={t('secondDate')}
              className="c3"
              {...dated('secondDate', event.choseSecond)}
              {...field('secondDate')}
            />
            <TextField
              label={t('subjectNameHi')}
              hint={t('subjectNameHiHint')}
              className="c6"
              optional
              lang="hi"
              {...field('subjectNameHi')}
            />
          </div>
        </Panel>
        <Panel title={t('sections')}>
          <Sections f={f} locked={event.marked} />
        </Panel>
      </fieldset>
      <div className="row mt-4">
        <Button type="submit" kind="primary" busy={f.saving} disabled={disabledReason}>
          {t('save')}
        </Button>
      </div>
    </FormFrame>
  )
}

function Sections({ f, locked }: { f: ReturnType<typeof useExamForm>; locked: boolean }) {
  const t = words.use()
  const { form } = f
  const sections = form.useWatchValue('sections') as ExamValues['sections']
  const total = sections.reduce((sum, { maximum }) => sum + (Number(maximum) || 0), 0)
  const { field } = form
  if (locked) {
    return (
      <div className="stack">
        <Note>{t('sectionsStay')}</Note>
        {sections.map(({ name, maximum }, index) => (
          <div className="cat-section" key={name}>
            <TextField
              label={t('sectionHi', { name, n: maximum })}
              optional
              lang="hi"
              {...field(`sections.${index}.nameHi`)}
            />
          </div>
        ))}
        <p>{t('maximum', { n: total })}</p>
      </div>
    )
  }
  return (
    <>
      <p className="hint mb-3">{t('sectionsHint')}</p>
      {sections.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a section has no name of its own until it is typed
        <div className="cat-section" key={index}>
          <TextField label={t('sectionName', { n: index + 1 })} {...field(`sections.${index}.name`)} />
          <TextField label={t('nameHi')} optional lang="hi" {...field(`sections.${index}.nameHi`)} />
          <NumberField label={t('sectionMaximum')} {...field(`sections.${index}.maximum`)} />
          <IconButton
            icon="delete"
            label={t('removeSection', { n: index + 1 })}
            onClick={() => form.removeListItem('sections', index)}
          />
        </div>
      ))}
      {form.errors.sections && <p className="msg">{form.errors.sections}</p>}
      <div className="row mt-4">
        <Button
          icon="plus"
          onClick={() => form.insertListItem('sections', { name: '', nameHi: '', maximum: '' })}>
          {t('addSection')}
        </Button>
        <b className="num">{t('maximum', { n: total })}</b>
      </div>
    </>
  )
}
