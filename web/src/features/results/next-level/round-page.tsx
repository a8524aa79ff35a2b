import './next-level.css'
import { exportNextLevel } from '@podium/contract/results/calls-next-level-list'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { count } from '#shell/format.tsx'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { PageProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { ListDownloads } from '#shell/saved-views/list-downloads.tsx'
import { useSeasonOf } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { PageHeader } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { RoundWay } from './round-stages.tsx'
import { useChildren, useRound } from './use-round.ts'
import { officeWords } from './words-office.ts'

const RoundCounts = lazy(() => import('./round-counts.tsx').then((m) => ({ default: m.RoundCounts })))
const RoundList = lazy(() => import('./round-list.tsx').then((m) => ({ default: m.RoundList })))
const Difference = lazy(() => import('./difference.tsx').then((m) => ({ default: m.Difference })))

/** One list of invitations: its way, what a correction changes in it, its counts, its children. */
export function NextLevelRoundPage() {
  const t = officeWords.use()
  const { eventYearId } = useParams({ strict: false })
  const id = Number(eventYearId)
  const { data, error, refetch } = useRound(id)
  const children = useChildren(id)
  const may = useSession()?.permissions?.includes('results.invite') ?? false
  useSeasonOf(data?.round.season, officePaths.nextLevel)
  if (error && !data) return <PageProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="form" />
  const { round } = data
  const made = round.stage !== 'none'
  return (
    <div className="stack">
      <PageHeader
        title={t('leads', { subject: round.subjectName, level: round.level })}
        fact={
          made
            ? t('roundFact', {
                season: round.season,
                eligible: count(round.eligible),
                invited: count(round.invited),
                version: round.listVersion ?? 0,
              })
            : round.season
        }
      >
        <Link to={officePaths.nextLevel}>{t('back')}</Link>
        {made && (
          <ListDownloads
            endpoint={exportNextLevel}
            bodyOf={(format) => ({ ...children.asked, format })}
            lock={may ? undefined : t('mayNot')}
          />
        )}
      </PageHeader>
      <RoundWay round={round} />
      {made && (
        <Suspense fallback={<Skeleton shape="table" rows={4} />}>
          {round.visibleVersion !== round.listVersion && <Difference round={round} />}
          <RoundCounts of={data} filters={children.filters} />
          <RoundList round={round} of={children} states={data.states} />
        </Suspense>
      )}
      {made && <RecordHistory kind="next_level" id={id} />}
    </div>
  )
}
