import { getOwnApplication } from '@podium/contract/accounts/calls-application'
import type { ReactNode } from 'react'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import type { HandedIn, Place } from './use-school-form.ts'

interface Props {
  /** What stands there meanwhile; the outline of a form unless said */
  waits?: ReactNode
  children: (application: HandedIn | null, place: Place) => ReactNode
}

/** What this person is to correct of what was handed in, for a form that begins with it; null for a form that begins empty. */
export function HandedInBefore({ waits = <Skeleton shape="form" rows={4} />, children }: Props) {
  const asked = useEndpoint(getOwnApplication)
  if (asked.error) return <LoadProblem error={asked.error} retry={() => void asked.refetch()} />
  return asked.data ? children(asked.data.application, asked.data.place) : waits
}
