import type { ResultSet } from '@podium/contract/results/calls-office'
import { Link } from '@tanstack/react-router'
import { SeasonTrack } from '#ui/season-track.tsx'
import { hasResults, shownState } from './office-event.ts'
import { type OfficeStep, officeFilters, officeSteps } from './office-filters.ts'
import { officeWords } from './words-office.ts'

interface OfficeTrackProps {
  set: ResultSet | undefined
  next: OfficeStep
  /** The step that stands open below. */
  shown: OfficeStep
}

/** The way to the release as steps; each can be opened. */
export function OfficeTrack({ set, next, shown }: OfficeTrackProps) {
  const t = officeWords.use()
  const reached = set?.state === 'released' ? officeSteps.length : officeSteps.indexOf(next)
  const facts = factsOf(set, t)
  return (
    <div className="res-track">
      <SeasonTrack
        label={t('steps')}
        steps={officeSteps.map((step, n) => ({
          key: step,
          state: n < reached ? 'done' : n === reached ? 'now' : 'later',
          label: t(step),
          fact: facts[step],
          link: (inside) => (
            <Link
              to="."
              search={officeFilters.validate({ step })}
              className={step === shown ? 'on' : undefined}
              aria-current={step === shown ? 'true' : undefined}
            >
              {inside}
            </Link>
          ),
        }))}
      />
    </div>
  )
}

function factsOf(set: ResultSet | undefined, t: ReturnType<typeof officeWords.use>) {
  const facts: Partial<Record<OfficeStep, string>> = {}
  if (!set) return facts
  facts.import = set.state === 'importing' ? t('importing') : t('rowsFact', { n: set.rows })
  if (set.state !== 'importing')
    facts.anomalies = set.openAnomalies > 0 ? t('openFact', { n: set.openAnomalies }) : t('noneOpen')
  if (set.state === 'computing') facts.compute = t('computing')
  if (hasResults(set) && set.computedBy) facts.compute = t('byFact', { name: set.computedBy })
  if (set.approvedBy) facts.approve = t('byFact', { name: set.approvedBy })
  const state = shownState(set)
  if (state === 'scheduled' || state === 'released') facts.release = t(state)
  return facts
}
