import './register.css'
import { exportSchools } from '@podium/contract/schools-register'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { officePaths } from '#shell/paths.ts'
import { useSession } from '#shell/session.ts'
import { useListView } from '#shell/views/list-view.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { toast } from '#ui/toast.tsx'
import { RegisterFilters } from './list-filters.tsx'
import { RegisterTable, useColumns } from './list-table.tsx'
import { useArrows } from './use-arrows.ts'
import { type Register, useRegister } from './use-register.ts'
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
  const mayWrite = useSession()?.permissions?.includes('schools.write') ?? false
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
        <Downloads register={register} />
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

const formats = [
  { format: 'xlsx', label: 'Excel' },
  { format: 'csv', label: 'CSV' },
] as const

function Downloads({ register }: { register: Register }) {
  const t = words.use()
  const say = useSentences()
  const mayExport = useSession()?.permissions?.includes('schools.export') ?? false
  const [busy, setBusy] = useState<string>()
  const fetchFile = async (format: 'xlsx' | 'csv') => {
    setBusy(format)
    try {
      await download(exportSchools, { body: { ...register.asked, format } })
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
    } finally {
      setBusy(undefined)
    }
  }
  return formats.map(({ format, label }) => (
    <Button
      key={format}
      icon="download"
      busy={busy === format}
      disabled={mayExport ? undefined : t('mayNotExport')}
      aria-label={t('download', { format: label })}
      onClick={() => void fetchFile(format)}
    >
      {label}
    </Button>
  ))
}
