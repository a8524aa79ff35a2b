import { formatRupees } from '@podium/contract/money'
import { type ResultSet, resultsSummary } from '@podium/contract/results/calls-office'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import type { OfficeEvent } from '../office-event.ts'
import { sumOf } from '../office-summary.tsx'
import { officeWords } from '../words-office.ts'

/** What a release will do, in words with counts. */
export function ReleaseFacts({ of: { event }, set }: { of: OfficeEvent; set: ResultSet }) {
  const t = officeWords.use()
  const { data, error, refetch } = useEndpoint(resultsSummary, { query: { setId: String(set.setId) } })
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="text" rows={4} />
  const { classes: lines, changes, held } = data
  const absent = sumOf(lines, 'absent')
  const medals = sumOf(lines, 'gold') + sumOf(lines, 'silver') + sumOf(lines, 'bronze')
  const says = [
    t(changes ? 'correctedResults' : 'releaseResults', {
      results: sumOf(lines, 'present') + absent - held.results,
      absent: absent - held.absent,
      classes: lines.length,
    }),
    t(changes ? 'correctedHonours' : 'releaseHonours', {
      medals: medals - held.medals,
      prizes: sumOf(lines, 'prizes') - held.prizes,
      amount: formatRupees(sumOf(lines, 'prizeAmount') - held.prizeAmount),
      awards: sumOf(lines, 'awards') - held.awards,
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
    ...(held.results > 0
      ? [
          t('heldHonours', {
            results: held.results,
            medals: held.medals,
            prizes: held.prizes,
            awards: held.awards,
          }),
        ]
      : []),
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
