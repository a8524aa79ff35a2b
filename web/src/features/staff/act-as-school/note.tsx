import { actingSessions } from '@podium/contract/staff/calls-act-as-school'
import { lazy, Suspense } from 'react'
import { useEndpoint } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { Skeleton } from '#ui/skeleton.tsx'

/** Loaded on demand with the names of all actions: the foundation never signed in as most schools. */
const ActingSessionsList = lazy(() => import('./list.tsx').then((m) => ({ default: m.ActingSessionsList })))

const waiting = <Skeleton shape="text" rows={0} />

/** Tells a school that the foundation signed in as it; renders nothing otherwise. */
export function ActingSessionsNote() {
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
