import { exportNudges, nextSteps, nudgeSpans } from '@podium/contract/office/calls-overview'
import { officeSchoolPlaces } from '@podium/contract/schools/calls-register'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { translateSentence } from '#shell/language/sentences.ts'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { useSeason } from '#shell/season.ts'
import { buttonClass } from '#ui/button.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { inOrder } from '#ui/skeleton.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { type NudgeFiltering, Nudges, stepWords, words } from './nudges.tsx'

/** Schools by next step and days left. One or several can be reminded here, or all written to. */
export function RemindersPage() {
  const t = words.use()
  const season = useSeason()
  return (
    <div className="overview" ref={inOrder}>
      <Nudges
        head={(filters, tools) => {
          const { page: _, ...asked } = filters.values
          return (
            <>
              <PageHeader title={t('nudges')}>
                <ListDownloads
                  endpoint={exportNudges}
                  of={t('nudges')}
                  bodyOf={(format) => ({ ...asked, FYear: season, format })}
                />
                <Link
                  to={officePaths.schoolMailings}
                  search={{ ...asked, list: 'reminders' }}
                  className={buttonClass('secondary')}
                >
                  {t('emailThem')}
                </Link>
              </PageHeader>
              <NudgeFilters filters={filters} tools={tools} />
            </>
          )
        }}
      />
    </div>
  )
}

const spans = nudgeSpans.filter((span) => span !== 'over')

function NudgeFilters({ filters, tools }: { filters: NudgeFiltering; tools: ReactNode }) {
  const t = words.use()
  const { shown } = filters
  const set = filters.countSet('step', 'state', 'within')
  const places = useEndpoint(officeSchoolPlaces).data?.data ?? []
  const states = [...new Set([...places.map(({ state }) => state), ...(shown.state ? [shown.state] : [])])]
  return (
    <FilterRow
      view={tools}
      set={set}
      {...(set > 0 || shown.search !== '' ? { onClear: filters.clear } : {})}
      search={<SearchField label={t('find')} placeholder={t('findHint')} {...filters.field('search')} />}
    >
      <SelectField
        label={t('step')}
        empty={t('any')}
        choices={nextSteps.map((step) => ({ value: step, label: t(stepWords[step]) }))}
        {...filters.field('step')}
      />
      <SelectField
        label={t('state')}
        empty={t('any')}
        choices={states.map((state) => ({ value: state, label: translateSentence(state) }))}
        {...filters.field('state')}
      />
      <SelectField
        label={t('within')}
        empty={t('any')}
        choices={[
          { value: 'over', label: t('over') },
          ...spans.map((n) => ({ value: n, label: t('days', { n: Number(n) }) })),
        ]}
        {...filters.field('within')}
      />
    </FilterRow>
  )
}
