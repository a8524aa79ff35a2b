import type { Season } from '@podium/contract/season'
import { SelectField } from '#ui/select-field.tsx'
import { defineFilters, textFilter, useFilters } from './filters.ts'
import { seasons, useSeason } from './season.ts'
import { words } from './words.ts'

/** The financial year of a page that has a choice of its own, in the address; the header's season where none is said. */
export const seasonFilters = defineFilters({ FYear: textFilter() })

export function useOwnSeason(): { season: Season; shown: Season; choose: (season: string) => void } {
  const current = useSeason()
  const { values, shown, change } = useFilters(seasonFilters)
  const known = (said: string) => seasons().find((one) => one === said) ?? current
  return {
    season: known(values.FYear),
    shown: known(shown.FYear),
    choose: (FYear) => change({ FYear }),
  }
}

/** The choice itself. */
export function OwnSeason({ of: { shown, choose } }: { of: ReturnType<typeof useOwnSeason> }) {
  const t = words.use()
  return (
    <SelectField
      label={t('fyear')}
      value={shown}
      choices={seasons().map((one) => ({ value: one, label: one }))}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  )
}
