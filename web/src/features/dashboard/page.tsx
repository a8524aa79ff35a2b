import './dashboard.css'
import { seasonTrack } from '@podium/contract/dashboard/calls'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { dayText } from '#shell/format.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { PageHeader } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { DatesPanel } from './dates-panel.tsx'
import { DeadlinePanel } from './deadline-panel.tsx'
import { DownloadsPanel } from './downloads-panel.tsx'
import { SubjectsPanel } from './subjects-panel.tsx'
import { Totals } from './totals.tsx'
import { TrackPanel } from './track-panel.tsx'
import { useStanding, WaitingForSchool, WhileWaiting } from './waiting.tsx'
import { words } from './words.ts'

interface DashboardProps {
  /** The foundation's notices, which another feature brings. */
  notices: ReactNode
  /** The school detail dialog, which another feature brings. */
  schoolDialog: (close: () => void) => ReactNode
}

/** The dashboard: of a registered school, or of somebody on the way to one. */
export function Dashboard({ notices, schoolDialog }: DashboardProps) {
  const hasSchool = Boolean(useSession()?.schId)
  return hasSchool ? <SchoolDashboard notices={notices} /> : <NewcomerDashboard schoolDialog={schoolDialog} />
}

/** Without a school, or with one that was rejected, the school detail dialog opens by itself, once a visit. */
function NewcomerDashboard({ schoolDialog }: Pick<DashboardProps, 'schoolDialog'>) {
  const t = words.use()
  const season = useSeason()
  const standing = useStanding()
  const [open, setOpen] = useState(false)
  const state = standing.details?.state
  const mustRegister = state === 'none' || state === 'rejected'
  useEffect(() => {
    if (mustRegister) setOpen(true)
  }, [mustRegister])
  const close = () => {
    setOpen(false)
    void standing.refetch()
  }
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact', { season })} />
      <div className="stack in-order dash-waiting">
        <WaitingForSchool standing={standing} onRegister={() => setOpen(true)} />
        {state === 'pending' && <WhileWaiting />}
        <DatesPanel />
      </div>
      {open && schoolDialog(close)}
    </>
  )
}

function SchoolDashboard({ notices }: Pick<DashboardProps, 'notices'>) {
  const t = words.use()
  const season = useSeason()
  const track = useEndpoint(seasonTrack, { query: { FYear: season } })
  const { examsFrom, resultsFrom } = track.data ?? {}
  const fact =
    examsFrom && resultsFrom
      ? t('factDates', { season, exams: dayText(examsFrom), results: dayText(resultsFrom) })
      : t('fact', { season })
  return (
    <>
      <PageHeader title={t('title')} fact={fact} />
      <div className="in-order">
        <Totals />
        <TrackPanel />
        <div className="two dash-two">
          <div className="stack in-order">
            <DatesPanel />
            <SubjectsPanel />
          </div>
          <div className="stack in-order">
            <Suspense fallback={<Skeleton shape="text" rows={0} />}>{notices}</Suspense>
            <DeadlinePanel />
            <DownloadsPanel />
          </div>
        </div>
      </div>
    </>
  )
}
