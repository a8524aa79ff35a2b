import { formatRupees } from '@podium/contract/money'
import { type ResultSet, resultsSummary } from '@podium/contract/results-office'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import type { OfficeEvent } from './office-event.ts'
import { sumOf } from './office-summary.tsx'
import { officeWords } from './office-words.ts'

/** What a release will do, in words with counts. */
export function ReleaseFacts({ of: { event }, set }: { of: OfficeEvent; set: ResultSet }) {
  const t = officeWords.use()
  const { data, error, refetch } = useEndpoint(resultsSummary, { query: { setId: String(set.setId) } })
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="text" rows={4} />
  const { classes: lines, changes } = data
  const absent = sumOf(lines, 'absent')
  const says = [
    t('releaseResults', { results: sumOf(lines, 'present') + absent, absent, classes: lines.length }),
    t('releaseHonours', {
      medals: sumOf(lines, 'gold') + sumOf(lines, 'silver') + sumOf(lines, 'bronze'),
      prizes: sumOf(lines, 'prizes'),
      amount: formatRupees(sumOf(lines, 'prizeAmount')),
      awards: sumOf(lines, 'awards'),
    }),
    ...(changes
      ? [
          t('releaseReplaces', {
            version: changes.version,
            added: changes.added,
            removed: changes.removed,
            changed: changes.changed,
          }),
        ]
      : []),
    event.holds > 0 ? t('releaseHeld', { n: event.holds }) : t('releaseNoneHeld'),
    t('releaseMails'),
  ]
  return (
    <div>
      <h3>{t('releaseWhat')}</h3>
      <ul className="res-list">
        {says.map((said) => (
          <li key={said}>{said}</li>
        ))}
      </ul>
    </div>
  )
}
