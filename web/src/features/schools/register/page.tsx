import './register.css'
import { exportSchools } from '@podium/contract/schools/calls-register'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { officePaths } from '#shell/paths.ts'
import { ListDownloads } from '#shell/saved-views/list-downloads.tsx'
import { useListView } from '#shell/saved-views/list-view.tsx'
import { useSession } from '#shell/session.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { RegisterFilters } from './list-filters.tsx'
import { RegisterTable, useColumns } from './list-table.tsx'
import { useArrows } from './use-arrows.ts'
import { useRegister } from './use-register.ts'
import { words } from './words.ts'

const loadCreate = () => import('./create-dialog.tsx').then((m) => ({ default: m.CreateDialog }))
const CreateDialog = lazy(loadCreate)

/** All schools, for the office: searched, filtered, ordered, and the same as a file. */
export function SchoolRegisterPage() {
  const t = words.use()
  const register = useRegister()
  const page = useArrows()
  const { list, set } = register
  const { sort: _sort, page: _page, ...wanted } = register.filters.values
  const may = useSession()?.permissions
  const mayWrite = may?.includes('schools.write') ?? false
  const mayExport = may?.includes('schools.export') ?? false
  const [creating, setCreating] = useState(false)
  const total = list.data?.total
  const columns = useColumns()
  const view = useListView(
    'schools',
    columns.filter(({ key }) => register.money || key !== 'due'),
  )
  return (
    <div ref={page}>
      <PageHeader
        title={t('title')}
        fact={total !== undefined && t(set > 0 ? 'factFiltered' : 'fact', { n: total })}
      >
        <ListDownloads
          endpoint={exportSchools}
          bodyOf={(format) => ({ ...register.asked, format })}
          lock={mayExport ? undefined : t('mayNotExport')}
        />
        <Link to={officePaths.schoolLetters} search={wanted} className={buttonClass('secondary')}>
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
    </div>
  )
}
