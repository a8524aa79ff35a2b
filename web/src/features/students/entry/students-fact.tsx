import { seasonTrack } from '@podium/contract/dashboard/calls'
import { useEndpoint } from '#shell/query.ts'
import type { Totals } from './students-totals.ts'
import { words } from './words.ts'

/** How many students there are, what is said of their registration, and the books that nobody has sent the money for. */
export function StudentsFact({ season, counts }: { season: string; counts: Totals | undefined }) {
  const t = words.use()
  const track = useEndpoint(seasonTrack, { query: { FYear: season } })
  if (!counts || track.isPending) return '\u00a0'
  const next = track.data?.next
  const books = next?.key === 'payment' ? next.books : 0
  const said = [
    t('factStudents', { n: counts.active, season }),
    counts.deleted > 0 && t('factDeleted', { n: counts.deleted }),
    counts.unpaid > 0 && t('factUnpaid', { n: counts.unpaid }),
    counts.locked > 0 && t('factLocked', { n: counts.locked }),
    counts.active > 0 && counts.unpaid + counts.locked + books === 0 && t('factPaid'),
    books > 0 && t('factBooks', { n: books }),
  ]
  return said.filter(Boolean).join(' ')
}
