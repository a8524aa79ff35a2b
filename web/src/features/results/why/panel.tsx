import type { whyResult } from '@podium/contract/results/calls'
import type { officeWhyResult } from '@podium/contract/results/calls-office'
import type { Why } from '@podium/contract/results/schemas-why'
import { Moment } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { Rich } from '../rich.tsx'
import { words } from '../words.ts'
import { WhyCompared } from './compared.tsx'
import { reasonsOf } from './reasons.ts'

interface WhyPanelProps {
  resultId: string
  /** The school's call, or the office's, which also tells of what is not released. */
  endpoint: typeof whyResult | typeof officeWhyResult
}

/** The reasons behind a result, in the order in which they decided. */
export function WhyPanel({ resultId, endpoint }: WhyPanelProps) {
  const { data, error, refetch } = useEndpoint(endpoint, { query: { resultId } })
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  if (!data) return <Skeleton shape="text" rows={4} />
  return <WhyText why={data.why} />
}

function WhyText({ why }: { why: Why }) {
  const t = words.use()
  const { versions } = why
  const medal = why.medal.medal.toLowerCase()
  return (
    <section className={medal ? `why ${medal}` : 'why'} aria-label={headline(why, t)}>
      <h2>{headline(why, t)}</h2>
      <ol>
        {reasonsOf(why, t).map((reason) => (
          <li key={reason}>
            <span>
              <Rich text={reason} />
            </span>
          </li>
        ))}
      </ol>
      <WhyCompared why={why} />
      <p className="ver">
        {versions.releasedAt ? (
          <>
            {t('versionsReleased', { season: why.fyear, rules: versions.rules, version: versions.result })}{' '}
            <Moment value={versions.releasedAt} />.
          </>
        ) : (
          t('versions', { rules: versions.rules, version: versions.result })
        )}
      </p>
    </section>
  )
}

const ordinals = [
  'rank1',
  'rank2',
  'rank3',
  'rank4',
  'rank5',
  'rank6',
  'rank7',
  'rank8',
  'rank9',
  'rank10',
] as const

function headline(why: Why, t: ReturnType<typeof words.use>): string {
  const own = why.ranks.find(({ scope }) => scope === 'class')
  const rank = own?.rank ?? 0
  const pool = own?.pool ?? 0
  if (pool <= 1) return t('whyAlone', { name: why.studentName, rank })
  const ordinal = ordinals[rank - 1]
  const said = ordinal ? t(ordinal) : t('whyRank', { rank })
  return t('whyTitle', { name: why.studentName, rank: said, pool })
}
