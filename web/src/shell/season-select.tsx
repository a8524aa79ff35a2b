import type { Season } from '@podium/contract/season'
import { useLocation } from '@tanstack/react-router'
import { Icon } from '#ui/icon.tsx'
import { paths } from './paths.ts'
import { seasons, useChooseSeason, useSeason } from './season.ts'
import { words } from './words.ts'

/** Pages with a choice of the year of their own, which the header's would contradict. */
const ownYear: readonly string[] = [
  paths.examDate,
  paths.finalSummary,
  paths.viewResult,
  paths.medalList,
  paths.awards,
  paths.prizes,
]

/** The season of everything on the page, in the header. */
export function SeasonSelect({ prepared }: { prepared?: readonly string[] }) {
  const t = words.use()
  const season = useSeason()
  const choose = useChooseSeason()
  const known = seasons(prepared)
  const at = useLocation({ select: ({ pathname }) => pathname.toLowerCase() })
  const own = ownYear.some((path) => path.toLowerCase() === at)
  return (
    <div className="season-pick">
      <label htmlFor="season">{t('season')}</label>
      <select
        id="season"
        aria-label={t('season')}
        value={season}
        disabled={own}
        title={own ? t('ownYear') : undefined}
        onChange={(event) => choose(event.currentTarget.value as Season)}
      >
        {(known.includes(season) ? known : [season, ...known]).map((label) => (
          <option key={label}>{label}</option>
        ))}
      </select>
      <Icon name="down" small />
    </div>
  )
}
