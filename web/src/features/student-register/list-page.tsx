import './students.css'
import { exportOfficeStudents } from '@podium/contract/students-register'
import { useState } from 'react'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { useListView } from '#shell/views/list-view.tsx'
import { Button } from '#ui/button.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { toast } from '#ui/toast.tsx'
import { StudentFilters } from './list-filters.tsx'
import { StudentTable, useColumns } from './list-table.tsx'
import { useArrows } from './use-arrows.ts'
import { type Students, useStudents } from './use-students.ts'
import { words } from './words.ts'

/** The children of all schools, for the office: searched, filtered, and the same as a file. */
export function StudentRegisterPage() {
  const t = words.use()
  const students = useStudents()
  const page = useArrows()
  const { data } = students.list
  const filtered = students.set > 0
  const everywhere = students.filters.values.seasons === 'all'
  const view = useListView(
    'students',
    useColumns().filter(({ key }) => everywhere || key !== 'season'),
  )
  return (
    <div ref={page}>
      <PageHeader
        title={t('title')}
        fact={
          data &&
          (data.more
            ? t('factMore', { n: data.total })
            : t(filtered ? 'factFiltered' : 'fact', { n: data.total }))
        }
      >
        <Downloads students={students} />
      </PageHeader>
      <StudentFilters students={students} view={view.tools} />
      <StudentTable students={students} columns={view.columns} />
    </div>
  )
}

const formats = [
  { format: 'xlsx', label: 'Excel' },
  { format: 'csv', label: 'CSV' },
] as const

function Downloads({ students }: { students: Students }) {
  const t = words.use()
  const say = useSentences()
  const [busy, setBusy] = useState<string>()
  const fetchFile = async (format: 'xlsx' | 'csv') => {
    setBusy(format)
    try {
      await download(exportOfficeStudents, { body: { ...students.asked, format } })
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
      disabled={students.mayExport ? undefined : t('mayNotExport')}
      aria-label={t('download', { format: label })}
      onClick={() => void fetchFile(format)}
    >
      {label}
    </Button>
  ))
}
