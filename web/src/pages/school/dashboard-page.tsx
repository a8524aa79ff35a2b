import { getColleagues } from '@podium/contract/accounts/calls'
import { actingSessions } from '@podium/contract/staff/calls-act-as-school'
import { Suspense } from 'react'
import { Dashboard } from '#features/dashboard/page.tsx'
import { NoticesPanel } from '#features/notices/school-panel.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { lazyDialog, lazyPart } from '#ui/lazy-part.ts'
import { Skeleton } from '#ui/skeleton.tsx'

/** Loaded on demand with the names of all actions: the foundation never signed in as most schools. */
const ActingSessionsList = lazyPart(
  () => import('#features/staff/act-as-school/list.tsx'),
  'ActingSessionsList',
)

const waiting = <Skeleton shape="text" rows={0} />

/** Tells a school that the foundation signed in as it; renders nothing otherwise. */
function ActingSessionsNote() {
  const sessionsQuery = useEndpoint(actingSessions)
  const acting = useSession()?.acting !== undefined
  if (sessionsQuery.isPending) return waiting
  const sessions = sessionsQuery.data?.data ?? []
  if (sessions.length === 0 || acting) return null
  return (
    <Suspense fallback={waiting}>
      <ActingSessionsList sessions={sessions} />
    </Suspense>
  )
}

/** Loaded on demand: hardly anyone is asked. */
const OfferNote = lazyPart(() => import('#features/accounts/invitations/members-page.tsx'), 'OfferNote')

/** Asks the person who should take over as coordinator, before anything else; renders nothing for the others. */
function CoordinatorOfferNote() {
  const session = useSession()
  return session?.roleId === 1 || session?.acting ? null : <OfferToMe />
}

function OfferToMe() {
  const staff = useEndpoint(getColleagues)
  if (staff.isPending) return waiting
  const offer = staff.data?.offer
  if (!offer?.mine) return null
  return (
    <Suspense fallback={waiting}>
      <div className="dash-asked">
        <OfferNote offer={offer} mayWithdraw={false} />
      </div>
    </Suspense>
  )
}

const SchoolDetailDialog = lazyDialog(
  () => import('#features/accounts/registration/school-detail-dialog.tsx'),
  'SchoolDetailDialog',
)

/**
 * The dashboard, combined with the school detail dialog, the notices and the offer of the coordinator's role, which are
 * other features.
 */
export function DashboardPage() {
  return (
    <Dashboard
      asked={<CoordinatorOfferNote />}
      notices={
        <>
          <NoticesPanel />
          <ActingSessionsNote />
        </>
      }
      schoolDialog={(close) => <SchoolDetailDialog onClose={close} />}
    />
  )
}
