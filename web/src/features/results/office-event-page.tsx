import './results.css'
import './office.css'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useFilters } from '#shell/filters.ts'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useSeasonOf } from '#shell/season.ts'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ImportStep } from './marks/import.tsx'
import {
  eventName,
  hasResults,
  nextStep,
  type OfficeEvent,
  useOfficeEvent,
  workingSet,
} from './office-event.ts'
import { officeFilters } from './office-filters.ts'
import { OfficeTrack } from './office-track.tsx'
import { ReadResult } from './read-result.tsx'
import { Versions } from './release/versions.tsx'
import { officeWords } from './words-office.ts'

const Anomalies = lazy(() => import('./marks/anomalies.tsx').then((m) => ({ default: m.AnomaliesStep })))
const Compute = lazy(() => import('./ranking/compute.tsx').then((m) => ({ default: m.ComputeStep })))
const Preview = lazy(() => import('./release/preview.tsx').then((m) => ({ default: m.PreviewStep })))
const Approve = lazy(() => import('./release/approve.tsx').then((m) => ({ default: m.ApproveStep })))
const Release = lazy(() => import('./release/release.tsx').then((m) => ({ default: m.ReleaseStep })))
const Certificates = lazy(() =>
  import('./certificates/office.tsx').then((m) => ({ default: m.OfficeCertificates })),
)
const Holds = lazy(() => import('./release/holds.tsx').then((m) => ({ default: m.Holds })))

/** One event from its file of marks to its release, step by step; then its versions and the schools held back. */
export function OfficeResultEventPage() {
  const t = officeWords.use()
  const { eventYearId } = useParams({ strict: false })
  const { data, error, refetch } = useOfficeEvent(Number(eventYearId))
  useSeasonOf(data?.event.season, officePaths.results)
  if (error && !data) return <PageProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="form" />
  const { event } = data
  return (
    <div className="stack">
      <div>
        <PageHeader
          title={eventName(event)}
          fact={t('eventFact', {
            season: event.season,
            maximum: event.maximumMarks,
            sections: event.sections.length,
            rules: event.rulesVersion,
          })}
        >
          <Link to={officePaths.results}>{t('back')}</Link>
        </PageHeader>
        <Steps of={data} />
      </div>
      <Versions of={data} />
      <Suspense fallback={<Skeleton shape="table" rows={2} />}>
        {event.visible && <Certificates eventYearId={event.eventYearId} setId={event.visible.setId} />}
        <Holds eventYearId={event.eventYearId} />
      </Suspense>
    </div>
  )
}

function Steps({ of }: { of: OfficeEvent }) {
  const t = officeWords.use()
  const { values } = useFilters(officeFilters)
  const set = workingSet(of)
  const next = nextStep(set)
  // What was computed is looked at before anybody approves it.
  const shown = values.step || (set?.state === 'computed' ? 'preview' : next)
  return (
    <div className="stack">
      <Panel padded={false}>
        <OfficeTrack set={set} next={next} shown={shown} />
      </Panel>
      {set?.state === 'imported' && shown !== 'import' && <ReadResult set={set} shown={shown} />}
      <Suspense fallback={<Skeleton shape="table" rows={4} />}>
        {shown === 'import' && <ImportStep of={of} set={set} />}
        {shown !== 'import' && !set && <Panel title={t(shown)}>{t('needsImport')}</Panel>}
        {set && shown === 'anomalies' && <Anomalies of={of} set={set} />}
        {set && shown === 'compute' && <Compute of={of} set={set} />}
        {set && !hasResults(set) && ['preview', 'approve', 'release'].includes(shown) && (
          <Panel title={t(shown)}>{t('needsCompute')}</Panel>
        )}
        {set && hasResults(set) && shown === 'preview' && <Preview set={set} event={of.event} />}
        {set && hasResults(set) && shown === 'approve' && <Approve set={set} />}
        {set && hasResults(set) && shown === 'release' && <Release of={of} set={set} />}
      </Suspense>
    </div>
  )
}
