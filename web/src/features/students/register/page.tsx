import './register.css'
import { exportOfficeStudents } from '@podium/contract/students/calls-register'
import { ListDownloads } from '#shell/saved-views/list-downloads.tsx'
import { useListView } from '#shell/saved-views/list-view.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { StudentFilters } from './list-filters.tsx'
import { StudentTable, useColumns } from './list-table.tsx'
import { useArrows } from './use-arrows.ts'
import { useStudents } from './use-students.ts'
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
        <ListDownloads
          endpoint={exportOfficeStudents}
          bodyOf={(format) => ({ ...students.asked, format })}
          lock={students.mayExport ? undefined : t('mayNotExport')}
        />
      </PageHeader>
      <StudentFilters students={students} view={view.tools} />
      <StudentTable students={students} columns={view.columns} />
    </div>
  )
}
