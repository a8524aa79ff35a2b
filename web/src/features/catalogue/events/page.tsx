import '../catalogue.css'
import { parseSeason } from '@podium/contract/season'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useFilters } from '#shell/filters.ts'
import { count } from '#shell/format.tsx'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useSeasonOf } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { Badge } from '#ui/badge.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { LinkTabs } from '#ui/tabs.tsx'
import { type EventOne, useEvent } from '../data.ts'
import { type EventPart, eventFilters, eventParts } from '../filters.ts'
import { words } from '../words.ts'

const ExamForm = lazy(() => import('./exam-form.tsx').then((m) => ({ default: m.ExamForm })))
const LatePanel = lazy(() => import('../fees/form.tsx').then((m) => ({ default: m.LatePanel })))
const FeesForm = lazy(() => import('../fees/form.tsx').then((m) => ({ default: m.FeesForm })))

const RulesPart = lazy(() => import('../rules/part.tsx').then((m) => ({ default: m.RulesPart })))

const partWords = { exam: 'partExam', fees: 'partFees', rules: 'partRules' } as const satisfies Record<
  EventPart,
  string
>

/** One subject in a season: when and how it is held, what it costs, how its results are decided. */
export function CatalogueEventPage() {
  const { one, data } = useEvent()
  useSeasonOf(data?.event.FYear, officePaths.catalogue)
  if (one.isError && !data) return <PageProblem error={one.error} retry={one.refetch} />
  if (!data) return <Skeleton shape="form" page />
  return <Loaded key={`${data.event.eventYearId}.${data.event.version}`} of={data} />
}

function Loaded({ of }: { of: EventOne }) {
  const t = words.use()
  const { part } = useFilters(eventFilters).values
  const { event } = of
  const readsRules = useSession()?.permissions?.includes('results.read') ?? false
  const level = event.examLevel > 1 ? ` · ${t('level', { n: event.examLevel })}` : ''
  return (
    <>
      <PageHeader title={`${event.subjectName}${level}`} fact={<Fact of={of} />}>
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
            aria-current={name === part ? 'page' : undefined}
          >
            {t(partWords[name])}
          </Link>
        ))}
      </LinkTabs>
      <div className="cat-record">
        <Suspense fallback={<Skeleton shape="form" />}>
          {part === 'exam' && <ExamForm of={of} />}
          {part === 'fees' && (
            <div className="stack">
              {event.examLevel === 1 && <LatePanel of={of} />}
              <FeesForm of={of} />
            </div>
          )}
          {part === 'rules' && <RulesPart of={of} />}
        </Suspense>
        <RecordHistory
          kind={part === 'rules' && readsRules ? 'event' : 'event_terms'}
          id={event.eventYearId}
        />
      </div>
    </>
  )
}

function Fact({ of: { event } }: { of: EventOne }) {
  const t = words.use()
  const kind = { preparing: 'waiting', open: 'active', closed: 'inactive' } as const
  return (
    <span className="row inline gap-2">
      <span>{event.FYear}</span>
      <Badge kind={kind[event.seasonState]}>{t(event.seasonState)}</Badge>
      {event.classes && (
        <span>
          {t('classes')}: {event.classes}
        </span>
      )}
      <span>
        {t('enrolled')}: {count(event.students)}
      </span>
    </span>
  )
}
