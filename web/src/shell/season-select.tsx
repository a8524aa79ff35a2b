import type { Season } from '@podium/contract/season'
import { Icon } from '#ui/icon.tsx'
import { chooseSeason, seasons, useSeason } from './season.ts'
import { words } from './words.ts'

/** The season of everything on the page, in the header. */
export function SeasonSelect() {
  const t = words.use()
  const season = useSeason()
  return (
    <div className="season-pick">
      <label htmlFor="season">{t('season')}</label>
      <select
        id="season"
        aria-label={t('season')}
        value={season}
        onChange={(event) => chooseSeason(event.currentTarget.value as Season)}
      >
        {seasons().map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <Icon name="down" small />
    </div>
  )
}
