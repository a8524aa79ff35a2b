import { classes } from '@podium/contract/classes'
import { officeSchoolPlaces } from '@podium/contract/schools/calls-register'
import type { ReactNode } from 'react'
import { useEndpoint } from '#shell/query.ts'
import { FilterRow } from '#ui/filter-row.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import type { Papers } from './data.ts'
import { words } from './words.ts'

/** Olympiad, school, state and class. */
export function PapersFilters({ papers, view }: { papers: Papers; view: ReactNode }) {
  const t = words.use()
  const { filters, set, exams, exam } = papers
  const places = useEndpoint(officeSchoolPlaces).data?.data ?? []
  const states = [...new Set([...places.map((place) => place.state), filters.shown.state])].filter(Boolean)
  const level = (examLevel: number) => (examLevel > 1 ? `, ${t('level', { n: examLevel })}` : '')
  return (
    <FilterRow
      set={Math.max(0, set - (filters.values.search === '' ? 0 : 1))}
      {...(set > 0 ? { onClear: filters.clear } : {})}
      view={view}
      search={
        <SearchField
          label={t('search')}
          placeholder={t('searchHint')}
          value={filters.shown.search}
          onChange={(event) => filters.change({ search: event.currentTarget.value })}
        />
      }
    >
      <SelectField
        className="mid"
        label={t('olympiad')}
        value={String(filters.shown.event || exam?.eventYearId || '')}
        choices={(exams.data?.data ?? []).map((one) => ({
          value: String(one.eventYearId),
          label: `${one.subjectName} (${one.eventLetter})${level(one.examLevel)}`,
        }))}
        onChange={(event) => filters.change({ event: Number(event.currentTarget.value) })}
      />
      <SelectField
        label={t('state')}
        empty={t('all')}
        value={filters.shown.state}
        choices={states.map((state) => ({ value: state, label: state }))}
        onChange={(event) => filters.change({ state: event.currentTarget.value })}
      />
      <SelectField
        label={t('class')}
        empty={t('all')}
        value={filters.shown.classId}
        choices={classes.map(({ classId, className }) => ({ value: String(classId), label: className }))}
        onChange={(event) => filters.change({ classId: event.currentTarget.value })}
      />
    </FilterRow>
  )
}
