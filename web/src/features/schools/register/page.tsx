import { exportSchools, officeSchoolPlaces, type SchoolSort } from '@podium/contract/schools/calls-register'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { chipText } from '#shell/filters.ts'
import { useMay } from '#shell/guard.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads, useListView } from '#shell/saved-views/list-view.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SearchField } from '#ui/text-field.tsx'
import { registerFilters } from '../filters.ts'
import { type Register, RegisterTable, useColumns, useRegister } from './list-table.tsx'
import { words } from './words.ts'
import '../office.css'

const loadCreate = () => import('./dialogs.tsx').then((m) => ({ default: m.CreateDialog }))
const CreateDialog = lazy(loadCreate)

/** All schools, for the office: searched, filtered, sorted, exported as a file. */
export function SchoolRegisterPage() {
  const t = words.use()
  const register = useRegister()
  const { list, set } = register
  const { sort: _sort, page: _page, ...filterValues } = register.filters.values
  const mayWrite = useMay('schools.write')
  const mayExport = useMay('schools.export')
  const [creating, setCreating] = useState(false)
  const total = list.data?.total
  const columns = useColumns()
  const view = useListView(
    'schools',
    columns.filter(({ key }) => register.money || key !== 'due'),
  )
  return (
    <>
      <PageHeader
        title={t('title')}
        fact={total !== undefined && t(set > 0 ? 'factFiltered' : 'fact', { n: total })}
      >
        <ListDownloads
          endpoint={exportSchools}
          bodyOf={(format) => ({ ...register.request, format })}
          lock={mayExport ? undefined : t('mayNotExport')}
        />
        <Link to={officePaths.schoolMailings} search={filterValues} className={buttonClass('secondary')}>
          {t('emailThem')}
        </Link>
        <Link to={officePaths.schoolLetters} search={filterValues} className={buttonClass('secondary')}>
          {t('letters')}
        </Link>
        <Link to={officePaths.schoolImport} className={buttonClass('secondary')}>
          {t('bringIn')}
        </Link>
        <Button
          kind="primary"
          icon="plus"
          disabled={mayWrite ? undefined : t('mayNotWrite')}
          onClick={() => setCreating(true)}
          onPointerEnter={() => void loadCreate()}
        >
          {t('newSchool')}
        </Button>
      </PageHeader>
      <RegisterFilters register={register} view={view.tools} />
      <RegisterTable register={register} columns={view.columns} />
      {creating && (
        <Suspense>
          <CreateDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  )
}

type Values = Register['filters']['values']
type Pick = 'standing' | 'due' | 'staff' | 'contacts' | 'followUp' | 'sort'

/** Search, place, and the other filters. */
function RegisterFilters({ register, view }: { register: Register; view: ReactNode }) {
  const t = words.use()
  const { filters, set, money } = register
  const chosen = (name: Pick, value: string) => filters.change({ [name]: value } as Partial<Values>)
  const select = (name: Pick, label: string, choices: readonly (readonly [string, string])[]) => (
    <SelectField
      label={label}
      value={filters.shown[name]}
      choices={choices.map(([value, label]) => ({ value, label }))}
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
  const statusChoices = [
    ['all', t('all')],
    ['active', t('active')],
    ['inactive', t('inactive')],
  ] as const
  const due = [
    ['', t('all')],
    ['open', t('dueOpen')],
  ] as const
  const staff = [
    ['', t('all')],
    ['some', t('staffSome')],
    ['none', t('staffNone')],
  ] as const
  const contacts = [
    ['', t('all')],
    ['waiting', t('contactsWaiting')],
  ] as const
  const followUp = [
    ['', t('all')],
    ['due', t('followUpDue')],
    ['open', t('followUpOpen')],
  ] as const
  return (
    <FilterRow
      view={view}
      chips={filters.chips({
        state: chipText(t('state')),
        district: chipText(t('district')),
        standing: chipText(t('standing'), statusChoices),
        due: chipText(t('due'), due),
        staff: chipText(t('people'), staff),
        contacts: chipText(t('contacts'), contacts),
        followUp: chipText(t('followUp'), followUp),
      })}
      set={Math.max(0, set - (filters.values.search === '' ? 0 : 1))}
      {...(set > 0 ? { onClear: filters.clear } : {})}
      search={<SearchField label={t('search')} placeholder={t('searchHint')} {...filters.field('search')} />}
    >
      <PlaceFilters register={register} />
      {select('standing', t('standing'), statusChoices)}
      {money && select('due', t('due'), due)}
      {select('staff', t('people'), staff)}
      {select('contacts', t('contacts'), contacts)}
      {select('followUp', t('followUp'), followUp)}
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
      label: translateSentence(name),
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
