import { officeSchoolPlaces, type SchoolSort } from '@podium/contract/schools/calls-register'
import type { ReactNode } from 'react'
import { useEndpoint } from '#shell/query.ts'
import { FilterRow } from '#ui/filter-row.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { registerFilters } from './filters.ts'
import type { Register } from './use-register.ts'
import { words } from './words.ts'

type Values = Register['filters']['values']
type Pick = 'standing' | 'due' | 'staff' | 'contacts' | 'sort'

/** Search, place, and what else the office looks for a school by. */
export function RegisterFilters({ register, view }: { register: Register; view: ReactNode }) {
  const t = words.use()
  const { filters, set, money } = register
  const chosen = (name: Pick, value: string) => filters.change({ [name]: value } as Partial<Values>)
  const select = (name: Pick, label: string, choices: readonly (readonly [string, string])[]) => (
    <SelectField
      label={label}
      value={filters.shown[name]}
      choices={choices.map(([value, said]) => ({ value, label: said }))}
      onChange={(event) => chosen(name, event.currentTarget.value)}
    />
  )
  const orders = [
    ['name', t('orderName')],
    ['code', t('orderCode')],
    ['city', t('orderCity')],
    ['newest', t('orderNewest')],
    ['students', t('orderStudents')],
    ...(money ? ([['due', t('orderDue')]] as const) : []),
  ] as const satisfies readonly (readonly [SchoolSort, string])[]
  return (
    <FilterRow
      view={view}
      set={Math.max(0, set - (filters.values.search === '' ? 0 : 1))}
      {...(set > 0 ? { onClear: filters.clear } : {})}
      search={
        <SearchField
          label={t('search')}
          placeholder={t('searchHint')}
          value={filters.shown.search}
          onChange={(event) => filters.change({ search: event.currentTarget.value })}
        />
      }
    >
      <PlaceFilters register={register} />
      {select('standing', t('standing'), [
        ['all', t('all')],
        ['active', t('active')],
        ['inactive', t('inactive')],
      ])}
      {money &&
        select('due', t('due'), [
          ['', t('all')],
          ['open', t('dueOpen')],
        ])}
      {select('staff', t('people'), [
        ['', t('all')],
        ['some', t('staffSome')],
        ['none', t('staffNone')],
      ])}
      {select('contacts', t('contacts'), [
        ['', t('all')],
        ['waiting', t('contactsWaiting')],
      ])}
      {select('sort', t('order'), orders)}
    </FilterRow>
  )
}

function PlaceFilters({ register }: { register: Register }) {
  const t = words.use()
  const { filters } = register
  const { state, district } = filters.shown
  const places = useEndpoint(officeSchoolPlaces).data?.data ?? []
  const states = [...new Set(places.map((place) => place.state))]
  const districts = places.filter((place) => place.state === state && place.district !== '')
  const withChosen = (names: readonly string[], value: string) =>
    (value === '' || names.includes(value) ? names : [value, ...names]).map((name) => ({
      value: name,
      label: name,
    }))
  return (
    <>
      <SelectField
        label={t('state')}
        empty={t('all')}
        value={state}
        choices={withChosen(states, state)}
        onChange={(event) =>
          filters.change({
            state: event.currentTarget.value,
            district: registerFilters.readers.district(undefined),
          })
        }
      />
      {(state !== '' || district !== '') && (
        <SelectField
          label={t('district')}
          empty={t('all')}
          value={district}
          choices={withChosen(
            districts.map((place) => place.district),
            district,
          )}
          onChange={(event) => filters.change({ district: event.currentTarget.value })}
        />
      )}
    </>
  )
}
