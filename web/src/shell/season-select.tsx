import type { Season } from '@podium/contract/season'
import { Icon } from '#ui/icon.tsx'
import { seasons, useChooseSeason, useSeason } from './season.ts'
import { words } from './words.ts'

/** The season of everything on the page, in the header. */
export function SeasonSelect({ prepared }: { prepared?: readonly string[] }) {
  const t = words.use()
  const season = useSeason()
  const choose = useChooseSeason()
  const known = seasons(prepared)
  return (
    <div className="season-pick">
      <label htmlFor="season">{t('season')}</label>
      <select
        id="season"
        aria-label={t('season')}
        value={season}
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
