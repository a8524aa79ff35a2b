import { getOwnApplication } from '@podium/contract/accounts-school'
import type { ReactNode } from 'react'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import type { HandedIn } from './use-school-form.ts'

/** What this person is to correct of what was handed in, for a form that begins with it; null for a form that begins empty. */
export function HandedInBefore({ children }: { children: (application: HandedIn | null) => ReactNode }) {
  const asked = useEndpoint(getOwnApplication)
  if (asked.error) return <LoadProblem error={asked.error} retry={() => void asked.refetch()} />
  return asked.data ? children(asked.data.application) : <Skeleton shape="form" rows={4} />
}
