import { schoolVisits } from '@podium/contract/staff/calls-act-as-school'
import { lazy, Suspense } from 'react'
import { useEndpoint } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { Skeleton } from '#ui/skeleton.tsx'

/** Loaded on demand with the names of all actions: the foundation never signed in as most schools. */
const VisitsList = lazy(() => import('./list.tsx').then((m) => ({ default: m.VisitsList })))

const waiting = <Skeleton shape="text" rows={0} />

/** Tells a school that the foundation signed in as it; renders nothing otherwise. */
export function VisitsNote() {
  const visitsQuery = useEndpoint(schoolVisits)
  const visiting = useSession()?.visit !== undefined
  if (visitsQuery.isPending) return waiting
  const visits = visitsQuery.data?.data ?? []
  if (visits.length === 0 || visiting) return null
  return (
    <Suspense fallback={waiting}>
      <VisitsList visits={visits} />
    </Suspense>
  )
}
