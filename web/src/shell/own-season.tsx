import type { Season } from '@podium/contract/season'
import { Segmented } from '#ui/button.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { choiceFilter, defineFilters, textFilter, useFilters } from './filters.ts'
import { seasons, useSeason } from './season.ts'
import { words } from './words.ts'

/**
 * Filters in the address: the financial year of a page with its own choice (by default the header's season), and how a
 * page of figures shows them.
 */
export const seasonFilters = defineFilters({
  FYear: textFilter(),
  view: choiceFilter(['table', 'boxes'] as const, 'table'),
})

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

/** Returns how figures by class and subject are shown, and the control to change it. */
export function useFigureView() {
  const t = words.use()
  const { shown, change } = useFilters(seasonFilters)
  return {
    view: shown.view,
    choice: (
      <Segmented
        label={t('view')}
        value={shown.view}
        choices={[
          { value: 'table', label: t('asTable'), icon: 'table' },
          { value: 'boxes', label: t('asBoxes'), icon: 'list' },
        ]}
        onChange={(view) => change({ view })}
      />
    ),
  }
}
