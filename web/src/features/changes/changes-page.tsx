import './changes.css'
import { changeList, exportChanges } from '@podium/contract/changes'
import { useFilters } from '#shell/filters.ts'
import { count } from '#shell/format.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { ListDownloads } from '#shell/views/list-downloads.tsx'
import { useListView } from '#shell/views/list-view.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { ChangeFilterRow } from './change-filters.tsx'
import { ChangesTable, useColumns } from './changes-table.tsx'
import { changeFilters } from './filters.ts'
import { words } from './words.ts'

/** The changes that the address asks for. */
function useChanges() {
  const filters = useFilters(changeFilters)
  const { page, ...asked } = filters.values
  const list = useEndpoint(changeList, { query: { ...asked, page: String(page) } })
  const set = filters.countSet('who', 'by', 'action', 'kind', 'record', 'school', 'from', 'until')
  return { filters, asked, list, set }
}

export type Changes = ReturnType<typeof useChanges>

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
