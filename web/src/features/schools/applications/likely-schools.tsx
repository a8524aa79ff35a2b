import type { LikelySchool } from '@podium/contract/schools/calls-applications'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { words } from './words.ts'

type Same = LikelySchool['same'][number]

const sameWords = {
  udise: 'sameUdise',
  affiliation: 'sameAffiliation',
  name: 'sameName',
  pin: 'samePin',
  phone: 'samePhone',
  similar_name: 'sameSimilarName',
} as const satisfies Record<Same, string>

interface LikelySchoolsProps {
  likely: readonly LikelySchool[]
  /** The one that stands beside the application. */
  compared: number | undefined
  onCompare: (schId: number) => void
  onJoin: (school: LikelySchool) => void
  /** Why one may not decide. */
  mayNot?: string
}

/** The known schools that may be the applicant's, the likeliest first, each with what speaks for it. */
export function LikelySchools({ likely, compared, onCompare, onJoin, mayNot }: LikelySchoolsProps) {
  const t = words.use()
  if (likely.length === 0)
    return (
      <div className="appl-sec">
        <h3>{t('likelyNone')}</h3>
        <p className="hint">{t('likelyNoneText')}</p>
      </div>
    )
  return (
    <div className="appl-sec">
      <h3>{t('likely', { n: likely.length })}</h3>
      <ul className="appl-likely">
        {likely.map((school) => (
          <li key={school.schId} className={school.schId === compared ? 'on' : undefined}>
            <b>{school.schName}</b>
            <span className="appl-meta">
              {school.schCode}, {school.city} · {t('staffCount', { n: school.staffCount })}
            </span>
            <ul className="appl-same" aria-label={t('sameFields')}>
              {school.same.map((kind) => (
                <li key={kind}>
                  <Badge
                    tone={kind === 'similar_name' || kind === 'pin' ? 'info' : 'ok'}
                    icon={kind === 'similar_name' ? 'info' : 'check'}
                  >
                    {t(sameWords[kind])}
                  </Badge>
                </li>
              ))}
            </ul>
            <span className="acts">
              <Button disabled={mayNot} onClick={() => onJoin(school)}>
                {t('join')}
                <span className="sr">: {school.schName}</span>
              </Button>
              {likely.length > 1 && (
                <Button
                  kind="text"
                  aria-pressed={school.schId === compared}
                  onClick={() => onCompare(school.schId)}
                >
                  {t(school.schId === compared ? 'compared' : 'compare')}
                  <span className="sr">: {school.schName}</span>
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
