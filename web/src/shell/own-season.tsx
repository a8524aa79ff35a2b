import type { Season } from '@podium/contract/season'
import { SelectField } from '#ui/select-field.tsx'
import { seasonFilters, useFilters } from './filters.ts'
import { seasons, useSeason } from './season.ts'
import { words } from './words.ts'

/** The season of a page with its own choice, by default the header's. `shown` follows a choice at once. */
export function useOwnSeason(): { season: Season; shown: Season; choose: (season: string) => void } {
  const current = useSeason()
  const { values, shown, change } = useFilters(seasonFilters)
  const findSeason = (label: string) => seasons().find((season) => season === label) ?? current
  return {
    season: findSeason(values.FYear),
    shown: findSeason(shown.FYear),
    choose: (FYear) => change({ FYear }),
  }
}

/** The select for the season. */
export function SeasonChoice({ of: { shown, choose } }: { of: ReturnType<typeof useOwnSeason> }) {
  const t = words.use()
  return (
    <SelectField
      label={t('fyear')}
      value={shown}
      choices={seasons().map((season) => ({ value: season, label: season }))}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  )
}
