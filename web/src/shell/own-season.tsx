import type { Season } from '@podium/contract/season'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass, Segmented } from '#ui/button.tsx'
import type { IconName } from '#ui/icon.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { choiceFilter, defineFilters, textFilter, useFilters } from './filters.ts'
import { PanelProblem } from './load-problem.tsx'
import { paths } from './paths.ts'
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

interface FiguresFrameProps {
  /** Undefined while loading */
  subjects: readonly unknown[] | undefined
  /** True while another season's figures are shown because this one's are loading */
  stale: boolean
  error: Error | null
  retry: () => unknown
  view: 'table' | 'boxes'
  /** Shown without subjects, with a link to student entry */
  empty: { icon: IconName; title: string; text: string; link: string }
  children: ReactNode
}

/** Frames the figures of a page: the skeleton, the error, or that there are none yet. */
export function FiguresFrame({ subjects, stale, error, retry, view, empty, children }: FiguresFrameProps) {
  if (error && !subjects) return <PanelProblem error={error} retry={retry} />
  if (!subjects) return <Skeleton shape={view === 'table' ? 'table' : 'cards'} />
  if (subjects.length > 0)
    return (
      <div className={stale ? 'dt stale' : undefined} aria-busy={stale || undefined}>
        {children}
      </div>
    )
  return (
    <Panel padded={false}>
      <EmptyState
        icon={empty.icon}
        title={empty.title}
        actions={
          <Link to={paths.studentEntry} className={buttonClass('secondary')}>
            {empty.link}
          </Link>
        }
      >
        {empty.text}
      </EmptyState>
    </Panel>
  )
}
