import type { Season } from '@podium/contract/season'
import { Segmented } from '#ui/button.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { choiceFilter, defineFilters, textFilter, useFilters } from './filters.ts'
import { seasons, useSeason } from './season.ts'
import { words } from './words.ts'

/**
 * In the address: the financial year of a page that has a choice of its own, the header's season where none is said; and
 * how a page of figures shows them.
 */
export const seasonFilters = defineFilters({
  FYear: textFilter(),
  view: choiceFilter(['table', 'boxes'] as const, 'table'),
})

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

/** How figures by class and subject are shown, and the choice of it. */
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
