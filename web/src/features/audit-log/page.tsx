import './audit-log.css'
import { exportChanges } from '@podium/contract/audit-log/calls'
import { count } from '#shell/format.tsx'
import { ListDownloads } from '#shell/saved-views/list-downloads.tsx'
import { useListView } from '#shell/saved-views/list-view.tsx'
import { useSession } from '#shell/session.ts'
import { PageHeader } from '#ui/panel.tsx'
import { ChangeFilterRow, useChanges } from './filter-row.tsx'
import { ChangesTable, useColumns } from './table.tsx'
import { words } from './words.ts'

/** Who did what, when, from what to what: searched, filtered, and the same as a file. */
export function ChangesPage() {
  const t = words.use()
  const changes = useChanges()
  const { data } = changes.list
  const mayExport = useSession()?.permissions?.includes('changes.export') ?? false
  const { columns, tools } = useListView('changes', useColumns(changes))
  return (
    <>
      <PageHeader
        title={t('title')}
        fact={data && (data.more ? t('factMore', { n: count(data.total) }) : t('fact', { n: data.total }))}
      >
        <ListDownloads
          endpoint={exportChanges}
          bodyOf={(format) => ({ ...changes.asked, format })}
          lock={mayExport ? undefined : t('mayNotExport')}
        />
      </PageHeader>
      <ChangeFilterRow changes={changes} view={tools} />
      <ChangesTable changes={changes} columns={columns} />
    </>
  )
}
