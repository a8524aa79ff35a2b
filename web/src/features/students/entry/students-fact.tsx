import { seasonTrack } from '@podium/contract/dashboard/calls'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import type { Totals } from './students-totals.ts'
import { words } from './words.ts'

/** How many students there are, and of each state as many, each a link that filters the list by it. */
export function StudentsFact({ season, counts }: { season: string; counts: Totals | undefined }) {
  const t = words.use()
  const track = useEndpoint(seasonTrack, { query: { FYear: season } })
  if (!counts || track.isPending) return '\u00a0'
  const next = track.data?.next
  const books = next?.key === 'payment' ? next.books : 0
  const { active, unpaid, locked, deleted } = counts
  const only = (state: string, text: string) => (
    <Link to={paths.studentEntry} search={{ state }} className="lk">
      {text}
    </Link>
  )
  const said: ReactNode[] = [
    t('factStudents', { n: active, season }),
    unpaid > 0 && only('unpaid', t('factUnpaid', { n: unpaid })),
    locked > 0 && only('locked', t('factLocked', { n: locked })),
    active > 0 && unpaid + locked + books === 0 && t('factPaid'),
    books > 0 && t('factBooks', { n: books }),
    deleted > 0 && only('deleted', t('factDeleted', { n: deleted })),
  ].filter(Boolean)
  return said.map((one, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they have no other
    <Fragment key={at}>
      {at > 0 && ' · '}
      {one}
    </Fragment>
  ))
}
