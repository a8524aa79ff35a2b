import { bookKinds, bookNames, classes } from '@podium/contract/classes'
import { officeSchoolPlaces } from '@podium/contract/schools/calls-register'
import { awardKinds } from '@podium/contract/shipping/calls-orders'
import type { ReactNode } from 'react'
import { chipText } from '#shell/filters.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { useEndpoint } from '#shell/query.ts'
import { Segmented } from '#ui/button.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { useSubjects } from '../use-subjects.ts'
import { words } from '../words.ts'
import type { Due } from './data.ts'

type Name = 'state' | 'district' | 'letter' | 'classId' | 'kind' | 'show' | 'sort'

/** School, place, subject, class and kind of what has to go out. */
export function DueFilters({ due, view }: { due: Due; view: ReactNode }) {
  const t = words.use()
  const { filters, set, contents, by } = due
  const subjects = useSubjects()
  const select = (
    name: Name,
    label: string,
    choices: readonly (readonly [string, string])[],
    empty?: string,
  ) => (
    <SelectField
      label={label}
      {...(empty === undefined ? {} : { empty })}
      choices={choices.map(([value, said]) => ({ value, label: said }))}
      {...filters.field(name, name === 'state' ? { district: '' } : {})}
    />
  )
  const places = usePlaces(filters.shown.state, filters.shown.district)
  const all = {
    classId: classes.map(
      ({ classId, className }) => [String(classId), translateSentence(className)] as const,
    ),
    kind:
      contents === 'books'
        ? bookKinds.map((kind) => [kind, bookNames[kind]] as const)
        : awardKinds.map((kind) => [kind, t(kind)] as const),
    show: [
      ['due', t('showDue')],
      ['all', t('showAll')],
      ...(contents === 'awards' ? ([['extra', t('showExtra')]] as const) : []),
    ] as const,
  }
  const kind = t(contents === 'books' ? 'kind' : 'item')
  return (
    <FilterRow
      chips={filters.chips({
        state: chipText(t('state')),
        district: chipText(t('district')),
        letter: chipText(t('subject'), subjects),
        classId: chipText(t('class'), all.classId),
        kind: chipText(kind, all.kind),
        show: chipText(t('show'), all.show),
      })}
      set={Math.max(0, set - (filters.values.search === '' ? 0 : 1))}
      {...(set > 0 ? { onClear: filters.clear } : {})}
      view={
        <div className="view-tools">
          <Segmented
            label={t('by')}
            value={by}
            choices={[
              { value: 'school', label: t('bySchool') },
              { value: 'item', label: t('byItem') },
            ]}
            onChange={(next) => filters.change({ by: next === 'item' ? 'item' : 'school' })}
          />
          {view}
        </div>
      }
      search={<SearchField label={t('search')} placeholder={t('searchHint')} {...filters.field('search')} />}
    >
      {select('state', t('state'), places.states, t('all'))}
      {filters.shown.state !== '' && select('district', t('district'), places.districts, t('all'))}
      {select('letter', t('subject'), subjects, t('all'))}
      {select('classId', t('class'), all.classId, t('all'))}
      {(contents === 'books' || contents === 'awards') && select('kind', kind, all.kind, t('all'))}
      {select('show', t('show'), all.show)}
      {by === 'school' &&
        select('sort', t('order'), [
          ['name', t('orderName')],
          ['copies', t('orderCopies')],
          ['place', t('orderPlace')],
        ])}
    </FilterRow>
  )
}

/** States and districts in which there are schools; what is chosen stands among them in any case. */
export function usePlaces(state: string, district: string) {
  const places = useEndpoint(officeSchoolPlaces).data?.data ?? []
  const named = (names: readonly string[], chosen: string) =>
    (chosen === '' || names.includes(chosen) ? names : [chosen, ...names]).map(
      (name): readonly [string, string] => [name, name],
    )
  return {
    states: named([...new Set(places.map((place) => place.state))], state),
    districts: named(
      places.filter((place) => place.state === state && place.district !== '').map((place) => place.district),
      district,
    ),
  }
}
