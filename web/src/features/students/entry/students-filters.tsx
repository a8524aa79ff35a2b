import { getSubject } from '@podium/contract/catalogue/calls'
import { classes, sections } from '@podium/contract/classes'
import type { Season } from '@podium/contract/season'
import {
  getStudentDetails,
  type StudentRow,
  studentState,
  studentStates,
} from '@podium/contract/students/calls'
import { useFilters } from '#shell/filters.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { useEndpoint } from '#shell/query.ts'
import { Segmented } from '#ui/button.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { studentFilters } from '../filters.ts'
import { useClassName, words } from './words.ts'

export type View = 'list' | 'table'

interface StudentsFiltersProps {
  /** Names of the season's subjects. */
  subjects: readonly string[]
  /** All rows of the season: only classes and sections that occur are offered. */
  all: readonly StudentRow[] | undefined
  view: View
  onView: (view: View) => void
}

/**
 * Filters by student name, class, section, subject (specification, 2.9) and status; switches between list and table.
 */
export function StudentsFilters({ subjects, all, view, onView }: StudentsFiltersProps) {
  const t = words.use()
  const nameOf = useClassName()
  // Own filter state: typing here redraws the row of filters, not the table.
  const filters = useFilters(studentFilters)
  const { shown, change, clear, countSet } = filters
  const inUse = new Set(all?.map((row) => row.classId))
  const offered = classes.filter(({ classId }) => inUse.has(classId) || classId === shown.classId)
  const named = (names: readonly string[]) =>
    names.map((name) => ({ value: name, label: translateSentence(name) }))
  const anySet = countSet('name', 'classId', 'section', 'subject', 'state') > 0
  return (
    <FilterRow
      search={<SearchField label={t('studentName')} placeholder={t('typeName')} {...filters.field('name')} />}
      set={countSet('classId', 'section', 'subject', 'state')}
      onClear={anySet ? clear : undefined}
      view={
        <Segmented
          label={t('view')}
          value={view}
          choices={[
            { value: 'list', label: t('list'), icon: 'list' },
            { value: 'table', label: t('table'), icon: 'table' },
          ]}
          onChange={onView}
        />
      }>
      <SelectField
        label={t('class')}
        empty={t('allClasses')}
        value={shown.classId === 0 ? '' : String(shown.classId)}
        choices={(offered.length > 0 ? offered : classes).map(({ classId }) => ({
          value: String(classId),
          label: nameOf(classId),
        }))}
        onChange={(event) => change({ classId: Number(event.currentTarget.value) })}
      />
      <SelectField
        label={t('section')}
        empty={t('all')}
        choices={sections.map((option) => ({
          value: option,
          label: option === '-' ? t('noSection') : option,
        }))}
        {...filters.field('section')}
      />
      <SelectField
        label={t('subject')}
        empty={t('all')}
        choices={named(
          subjects.includes(shown.subject) || shown.subject === '' ? subjects : [...subjects, shown.subject],
        )}
        {...filters.field('subject')}
      />
      <SelectField
        label={t('status')}
        empty={t('any')}
        choices={studentStates.map((state) => ({ value: state, label: t(state) }))}
        {...filters.field('state')}
      />
    </FilterRow>
  )
}

interface StudentFilter {
  name: string
  /** 0 for all */
  classId: number
  section: string
  subject: string
  state: string
}

/** Turns the filters into the body of the calls. */
export function filterBody(season: Season, { name, classId, section, subject }: StudentFilter) {
  return { FYear: season, classId, section, studentName: name.trim(), subjectName: subject }
}

const noFilter: StudentFilter = { name: '', classId: 0, section: '', subject: '', state: '' }

/**
 * Loads the rows that match the filters, and all rows of the season for the counts: one call while nothing is
 * filtered.
 */
export function useStudents(season: Season, filter: StudentFilter) {
  const matching = useEndpoint(getStudentDetails, { body: filterBody(season, filter) })
  const all = useEndpoint(getStudentDetails, { body: filterBody(season, noFilter) })
  const rows = matching.data?.data
  return {
    rows: filter.state ? rows?.filter((row) => studentState(row) === filter.state) : rows,
    all: all.data?.data,
    error: matching.error,
    stale: matching.isPlaceholderData,
    retry: () => Promise.all([matching.refetch(), all.refetch()]),
  }
}

/** One class of each kind: together they have every subject of a season. */
const sampleClasses = ['7', '13']

/**
 * Loads the season's subjects for the filter, and whether entries are still open. There is no separate rule: a season
 * is closed when each of its subjects is.
 */
export function useSeasonSubjects(season: Season) {
  const [older = '', younger = ''] = sampleClasses
  const first = useEndpoint(getSubject, { query: { FYear: season, classId: older } })
  const second = useEndpoint(getSubject, { query: { FYear: season, classId: younger } })
  const subjectLists = first.data && second.data ? [...first.data.data, ...second.data.data] : undefined
  const settled = subjectLists !== undefined && !first.isPlaceholderData && !second.isPlaceholderData
  return { subjects: subjectLists ?? [], closed: settled && subjectLists.every((subject) => subject.closed) }
}

/** In place of what would enter students, in a season that takes none: not opened yet, or its last day is over. */
export function EntriesClosed({ season }: { season: Season }) {
  const t = words.use()
  return (
    <Panel padded={false}>
      <EmptyState icon="lock">{t('seasonClosed', { season })}</EmptyState>
    </Panel>
  )
}
