import { replaceClassNames } from '@podium/contract/classes'
import { dayText } from '#shell/format.tsx'
import '../catalogue.css'
import {
  officeSeasons,
  openingPlan,
  openSeason,
  type PlannedEvent,
  type SlabInput,
} from '@podium/contract/catalogue/calls-seasons'
import { formatRupees } from '@podium/contract/money'
import { officeMessages } from '@podium/contract/office/messages'
import { parseSeason } from '@podium/contract/season'
import { Link, useNavigate } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { type Answer, call } from '#shell/call.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { FormFrame, usePortalForm } from '#shell/form-frame.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint, useInvalidate } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable, lines } from '#ui/data-table.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { toast } from '#ui/toast.tsx'
import type en from '#words/en/catalogue-open.json'
import { catalogueCalls, withFormPaths } from '../data.ts'
import { useFeeSpan } from '../events/table.tsx'
import {
  percentGiven,
  SeasonFields,
  type SeasonValues,
  seasonFields,
  seasonValuesOf,
  slabsGiven,
  toShareRule,
} from './season-fields.tsx'

/** The words for opening a season. */
const openWords = defineWords<typeof en>(import.meta.glob('#words/*/catalogue-open.json'))

/** What a new season takes over from the last one, to be reviewed and changed before it is created. */
export function OpenSeasonPage() {
  const t = openWords.use()
  const seasons = useEndpoint(officeSeasons)
  const from = seasons.data?.next?.from ?? undefined
  const plan = useEndpoint(openingPlan, { query: { from: from ?? '' }, enabled: from !== undefined })
  const error = seasons.error ?? plan.error
  if (error && !plan.data) return <PageProblem error={error} retry={seasons.refetch} />
  if (seasons.data && from === undefined) {
    return (
      <EmptyState
        icon="calendar"
        level={1}
        title={t(seasons.data.data.length > 0 ? 'seasonExists' : 'noSeason')}
        actions={<Link to={officePaths.catalogue}>{t('back')}</Link>}
      />
    )
  }
  if (!plan.data || !seasons.data) return <Skeleton shape="form" page />
  const { data } = plan
  return (
    <>
      <PageHeader title={t('title', { season: data.FYear })} fact={t('fact', { from: data.from })}>
        <Link to={officePaths.catalogue}>{t('back')}</Link>
      </PageHeader>
      <div className="stack">
        <Note>{t('copiedHint')}</Note>
        <OpenForm
          key={data.token}
          plan={data}
          disabledReason={seasons.data.can.write === true ? undefined : t('mayNotWrite')}
        />
      </div>
    </>
  )
}

type Plan = Answer<typeof openingPlan>

interface TypedEvent {
  eventLetter: string
  examLevel: number
  take: boolean
  examMode: string
  closesOn: string
  firstDate: string
  secondDate: string
  feeChange: number | ''
}

type OpenSeasonValues = SeasonValues & { events: TypedEvent[] } & Record<string, unknown>

const event = z.object({
  eventLetter: z.string(),
  examLevel: z.int(),
  take: z.boolean(),
  examMode: z.enum(['Offline', 'Online']),
  closesOn: z.string(),
  firstDate: z.string(),
  secondDate: z.string(),
  feeChange: z.union([z.literal(''), z.number()], officeMessages.amountRequired),
})
const schema = z.object({ ...seasonFields, events: z.array(event) }).check(percentGiven, slabsGiven)

function valuesOf(plan: Plan): OpenSeasonValues {
  const { dateChoiceDays, share } = plan
  const days = { feeDueOn: plan.feeDueOn.to, resultsFrom: plan.resultsFrom.to }
  return {
    ...seasonValuesOf({ ...days, dateChoiceDays, share }),
    events: plan.events.map((event) => ({
      eventLetter: event.eventLetter,
      examLevel: event.examLevel,
      take: true,
      examMode: event.examMode,
      closesOn: event.closesOn.to,
      firstDate: event.firstDate?.to ?? '',
      secondDate: event.secondDate?.to ?? '',
      feeChange: '',
    })),
  }
}

function useOpenForm(plan: Plan) {
  const t = openWords.use()
  const invalidate = useInvalidate(catalogueCalls)
  const navigate = useNavigate()
  const f = usePortalForm({
    schema,
    initialValues: valuesOf(plan),
    draftKey: `season.open.${plan.token.slice(0, 12)}`,
    save: async ({ events, kind, percent, slabs, ...days }) => {
      const takenEvents = events.filter(({ take }) => take)
      const body = {
        from: plan.from,
        token: plan.token,
        ...days,
        share: toShareRule({ kind, percent, slabs }),
        events: takenEvents.map(({ take: _, feeChange, ...event }) => ({
          ...event,
          feeChange: Number(feeChange),
        })),
      }
      const takenFlags = events.map(({ take }) => take)
      const { FYear } = await call(openSeason, { body }).catch((cause: unknown) => {
        throw withFormPaths('events', cause, takenFlags)
      })
      toast.success(t('done', { season: FYear }))
      f.draft.drop()
      f.form.resetDirty()
      await navigate({ to: officePaths.catalogue, search: { season: parseSeason(FYear) } })
      void invalidate()
    },
  })
  return f
}

/** The changes field by field: the old value beside the new one. */
function OpenForm({ plan, disabledReason }: { plan: Plan; disabledReason: string | undefined }) {
  const t = openWords.use()
  const f = useOpenForm(plan)
  const { form } = f
  const kind = form.useWatchValue('kind')
  const typed = form.useWatchValue('events') as TypedEvent[]
  const slabs = (form.useWatchValue('slabs') ?? []) as SlabInput[]
  const takenCount = typed.filter(({ take }) => take).length
  const columns = useColumns(form)
  const leftCount = plan.events.length - takenCount
  return (
    <FormFrame of={f} className="stack">
      <fieldset className="stack" disabled={disabledReason !== undefined}>
        <Decisions plan={plan} typed={typed} />
        <Panel title={t('seasonPart')}>
          <SeasonFields
            kind={kind}
            field={form.field}
            slabs={slabs}
            slabsError={form.errors.slabs}
            onAddSlab={() => form.insertListItem('slabs', { from: '', share: '' })}
            onRemoveSlab={(index) => form.removeListItem('slabs', index)}
          />
        </Panel>
        {form.errors.events && <Note kind="bad">{form.errors.events}</Note>}
        <DataTable
          className="cat-grid"
          caption={t('eventsPart')}
          columns={columns}
          rows={plan.events.map((event, index) => ({ event, index }))}
          rowKey={({ event }) => `${event.eventLetter}${event.examLevel}`}
          gone={({ index }) => !(typed[index]?.take ?? true)}
          cardColumns={2}
        />
      </fieldset>
      <div className="row mt-4">
        <Button type="submit" kind="primary" busy={f.saving} disabled={disabledReason}>
          {t('make', { season: plan.FYear })}
        </Button>
        <span>
          {t('makeSum', { n: takenCount })}
          {leftCount > 0 && `, ${t('leftOut', { n: leftCount })}`}
        </span>
      </div>
    </FormFrame>
  )
}

/** The decisions still missing from the form; each line moves the focus to its field. */
function Decisions({ plan, typed }: { plan: Plan; typed: readonly TypedEvent[] }) {
  const t = openWords.use()
  const open = plan.events.flatMap((event, index) => {
    const now = typed[index]
    if (!now?.take) return []
    const decision = (kind: Plan['decisions'][number]['kind'], field: string, day = '', name = '') => ({
      key: `${kind} ${index} ${field}`,
      path: `events.${index}.${field}`,
      text: t(kind, { event: event.subjectName, day: dayText(day), name }),
    })
    const offline = now.examMode === 'Offline'
    const days = offline ? (['firstDate', 'secondDate'] as const) : []
    return [
      ...(offline && !(now.firstDate && now.secondDate)
        ? [decision('noDates', now.firstDate ? 'secondDate' : 'firstDate')]
        : []),
      ...(event.feeFrom === null ? [decision('noPrices', 'take')] : []),
      ...(event.students === 0 ? [decision('noStudents', 'take')] : []),
      ...days.flatMap((field) => {
        const holiday = plan.holidays.find(({ day }) => day === now[field])
        return holiday ? [decision('holiday', field, holiday.day, holiday.name)] : []
      }),
    ]
  })
  const noHolidays = plan.holidays.length === 0
  return (
    <Panel title={t('decide')}>
      {open.length === 0 && !noHolidays ? (
        <p>{t('decideNothing')}</p>
      ) : (
        <ul className="cat-decide">
          {noHolidays && <li>{t('noHolidays')}</li>}
          {open.map(({ key, path, text }) => (
            <li key={key}>
              {text}{' '}
              <Button kind="text" aria-label={`${t('goToField')}: ${text}`} onClick={() => goTo(path)}>
                {t('goToField')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function goTo(path: string): void {
  const field = document.querySelector<HTMLElement>(`[data-path="${path}"]`)
  field?.scrollIntoView({ block: 'center' })
  field?.focus({ preventScroll: true })
}

interface Line {
  event: PlannedEvent
  index: number
}

function useColumns(form: ReturnType<typeof useOpenForm>['form']): Column<Line>[] {
  const t = openWords.use()
  const feeSpan = useFeeSpan()
  const { field } = form
  const day = (name: 'closesOn' | 'firstDate' | 'secondDate'): Column<Line> => ({
    key: name,
    label: t(name),
    cell: ({ event, index }) => (
      <>
        <DateField
          className="cat-day"
          label={t('fieldOf', { field: t(name), event: event.subjectName })}
          labelHidden
          {...field(`events.${index}.${name}`)}
        />
        <span className="cat-was">{t('was', { day: dayText(event[name]?.from) })}</span>
      </>
    ),
  })
  return columnsOf(t, [
    {
      key: 'event',
      title: true,
      cell: ({ event, index }) =>
        lines(
          <CheckField
            label={
              translateSentence(event.subjectName) +
              (event.examLevel > 1 ? ` · ${t('level', { n: event.examLevel })}` : '')
            }
            {...form.field(`events.${index}.take`, { type: 'checkbox' })}
          />,
          t('had', {
            n: event.students,
            classes: replaceClassNames(event.classes, translateSentence) || '–',
          }),
        ),
    },
    {
      key: 'mode',
      cell: ({ event, index }) => (
        <SelectField
          label={t('fieldOf', { field: t('mode'), event: event.subjectName })}
          labelHidden
          choices={(['Offline', 'Online'] as const).map((value) => ({ value, label: t(value) }))}
          {...field(`events.${index}.examMode`)}
        />
      ),
    },
    day('closesOn'),
    day('firstDate'),
    day('secondDate'),
    {
      key: 'fee',
      num: true,
      cell: ({ event, index }) => (
        <>
          <NumberField
            label={t('fieldOf', { field: t('fee'), event: event.subjectName })}
            labelHidden
            decimals={2}
            placeholder={formatRupees(0)}
            {...field(`events.${index}.feeChange`)}
          />
          <span className="cat-was">
            {t('wasFee', { fee: feeSpan(event) })}
            {event.bookPrices > 0 && ` · ${t('books', { n: event.bookPrices })}`}
          </span>
        </>
      ),
    },
  ])
}
