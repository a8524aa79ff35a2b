import './changes.css'
import { changeList, exportChanges } from '@podium/contract/changes'
import { useState } from 'react'
import { CallError } from '#shell/call.ts'
import { download } from '#shell/download.ts'
import { useFilters } from '#shell/filters.ts'
import { count } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { useListView } from '#shell/views/list-view.tsx'
import { Button } from '#ui/button.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { toast } from '#ui/toast.tsx'
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
  const { columns, tools } = useListView('changes', useColumns(changes))
  return (
    <>
      <PageHeader
        title={t('title')}
        fact={data && (data.more ? t('factMore', { n: count(data.total) }) : t('fact', { n: data.total }))}
      >
        <Downloads changes={changes} />
      </PageHeader>
      <ChangeFilterRow changes={changes} view={tools} />
      <ChangesTable changes={changes} columns={columns} />
    </>
  )
}

const formats = [
  { format: 'xlsx', label: 'Excel' },
  { format: 'csv', label: 'CSV' },
] as const

function Downloads({ changes }: { changes: Changes }) {
  const t = words.use()
  const say = useSentences()
  const mayExport = useSession()?.permissions?.includes('changes.export') ?? false
  const [busy, setBusy] = useState<string>()
  const fetchFile = async (format: 'xlsx' | 'csv') => {
    setBusy(format)
    try {
      await download(exportChanges, { body: { ...changes.asked, format } })
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
