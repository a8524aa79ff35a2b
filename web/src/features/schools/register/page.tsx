import {
  exportSchools,
  type SchoolSort,
  schoolSorts,
  schoolStatuses,
} from '@podium/contract/schools/calls-register'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useMay } from '#shell/guard.ts'
import { choicesBy, choicesOf, ListFilters, usePlaceChoices } from '#shell/list-table.tsx'
import { officePaths } from '#shell/paths.ts'
import { ListDownloads, useListView } from '#shell/saved-views/list-view.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { PageHeader } from '#ui/panel.tsx'
import { type Register, RegisterTable, useColumns, useRegister } from './list-table.tsx'
import { words } from './words.ts'
import '../office.css'

const CreateDialog = lazyDialog(() => import('./dialogs.tsx'), 'CreateDialog')

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
          disabledReason={mayExport ? undefined : t('mayNotExport')}
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
          onPointerEnter={() => void CreateDialog.load()}
        >
          {t('newSchool')}
        </Button>
      </PageHeader>
      <RegisterFilters register={register} view={view.tools} />
      <RegisterTable register={register} columns={view.columns} />
      {creating && <CreateDialog onClose={() => setCreating(false)} />}
    </>
  )
}

/** Search, place, and the other filters. */
function RegisterFilters({ register, view }: { register: Register; view: ReactNode }) {
  const t = words.use()
  const { filters, money } = register
  const all = t('all')
  const { state, district } = filters.shown
  const { states, districts } = usePlaceChoices(state, district)
  return (
    <ListFilters
      filters={filters}
      fields={{
        search: { label: t('search'), placeholder: t('searchHint') },
        state: { label: t('state'), all, choices: states, also: { district: '' } },
        district: (state !== '' || district !== '') && {
          label: t('district'),
          joined: true,
          all,
          choices: districts,
        },
        status: { label: t('status'), choices: choicesOf(schoolStatuses, t) },
        due: money && { label: t('due'), all, choices: choicesBy({ open: t('dueOpen') }) },
        staff: {
          label: t('people'),
          all,
          choices: choicesBy({ some: t('staffSome'), none: t('staffNone') }),
        },
        contacts: { label: t('contacts'), all, choices: choicesBy({ waiting: t('contactsWaiting') }) },
        followUp: {
          label: t('followUp'),
          all,
          choices: choicesBy({ due: t('followUpDue'), open: t('followUpOpen') }),
        },
        sort: {
          label: t('order'),
          choices: choicesOf(
            schoolSorts.filter((sort) => money || sort !== 'due'),
            (sort) => t(orders[sort]),
          ),
        },
      }}
      view={view}
    />
  )
}

const orders = {
  name: 'orderName',
  code: 'orderCode',
  city: 'orderCity',
  newest: 'orderNewest',
  students: 'orderStudents',
  due: 'orderDue',
} as const satisfies Record<SchoolSort, string>
