import { classes, sections } from '@podium/contract/classes'
import type { StudentRow } from '@podium/contract/students/calls'
import { studentStates } from '@podium/contract/students/calls-export'
import { useFilters } from '#shell/filters.ts'
import { Segmented } from '#ui/button.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { studentFilters } from './filters.ts'
import { useClassName, words } from './words.ts'

export type View = 'list' | 'table'

interface StudentsFiltersProps {
  /** Names of the season's subjects. */
  subjects: readonly string[]
  /** All rows of the season: what they have can be chosen. */
  all: readonly StudentRow[] | undefined
  view: View
  onView: (view: View) => void
}

/** Student name, class, section, subject (specification, 2.9) and status; list or table. */
export function StudentsFilters({ subjects, all, view, onView }: StudentsFiltersProps) {
  const t = words.use()
  const nameOf = useClassName()
  // Of its own: a key typed here draws the row of filters anew, not the table.
  const filters = useFilters(studentFilters)
  const { shown, change, clear, countSet } = filters
  const inUse = new Set(all?.map((row) => row.classId))
  const offered = classes.filter(({ classId }) => inUse.has(classId) || classId === shown.classId)
  const named = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }))
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
      }
    >
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
        choices={sections.map((one) => ({ value: one, label: one === '-' ? t('noSection') : one }))}
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
