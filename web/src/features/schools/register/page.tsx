import {
  exportSchools,
  type RegisterRow,
  type SchoolSort,
  schoolSorts,
  schoolStatuses,
} from '@podium/contract/schools/calls-register'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '#shell/guard.ts'
import { choicesBy, choicesOf, ListPage, usePlaceChoices } from '#shell/list-table.tsx'
import { officePaths } from '#shell/paths.ts'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { EmptyState } from '#ui/note.tsx'
import { RegisterBar, StatusBulkDialog, useColumns, useRegister } from './list-table.tsx'
import { words } from './words.ts'
import '../office.css'

const CreateDialog = lazyDialog(() => import('./dialogs.tsx'), 'CreateDialog')

const largestFirst: readonly SchoolSort[] = ['students', 'due']

/** All schools, for the office: searched, filtered, sorted, exported as a file. The name opens the record. */
export function SchoolRegisterPage() {
  const t = words.use()
  const { filters, request, list, set, money } = useRegister()
  const { sort, page: _page, ...filterValues } = filters.values
  const mayWrite = useMay('schools.write')
  const mayExport = useMay('schools.export')
  const [creating, setCreating] = useState(false)
  const [chosen, setChosen] = useState<ReadonlyMap<string, RegisterRow>>(new Map())
  const onPage = new Map(list.data?.data.map((row) => [String(row.id), row]))
  const choose = (keys: ReadonlySet<string>) =>
    setChosen(new Map([...chosen, ...onPage].filter(([key]) => keys.has(key))))
  const [targetState, setTargetState] = useState<'off' | 'on'>()
  // Uses the latest version of each row, in case another user has changed it since it was selected.
  const rows = [...chosen].map(([key, row]) => onPage.get(key) ?? row)
  const clear = () => setChosen(new Map())
  const { state, district } = filters.shown
  const { states, districts } = usePlaceChoices(state, district)
  const all = t('all')
  const total = list.data?.total
  return (
    <>
      <ListPage
        name="schools"
        title={t('title')}
        fact={total !== undefined && t(set > 0 ? 'factFiltered' : 'fact', { n: total })}
        list={list}
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
        caption={t('caption')}
        cardColumns={2}
        columns={useColumns().filter(({ key }) => money || key !== 'due')}
        rowKey={(row) => String(row.id)}
        sort={{ key: sort, down: largestFirst.includes(sort) }}
        onSort={({ key }) =>
          filters.change({ sort: schoolSorts.find((candidate) => candidate === key) ?? 'name' })
        }
        gone={(row) => !row.active}
        folds={(row) => row.schName}
        selection={{ selected: new Set(chosen.keys()), onChange: choose, name: (row) => row.schName }}
        bulk={<RegisterBar rows={rows} onStatus={setTargetState} onClear={clear} />}
        nothing={t('nothing')}
        nothingHint={t('nothingHint')}
        empty={
          <EmptyState icon="school" title={t('none')}>
            {t('noneHint')}
          </EmptyState>
        }>
        <ListDownloads
          endpoint={exportSchools}
          bodyOf={(format) => ({ ...request, format })}
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
          onPointerEnter={() => void CreateDialog.load()}>
          {t('newSchool')}
        </Button>
      </ListPage>
      {targetState && (
        <StatusBulkDialog
          rows={rows.filter(({ active }) => active === (targetState === 'off'))}
          active={targetState === 'on'}
          onClose={() => setTargetState(undefined)}
          onDone={clear}
        />
      )}
      {creating && <CreateDialog onClose={() => setCreating(false)} />}
    </>
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
