import type { ChangeRow } from '@podium/contract/audit-log/calls'
import { Link } from '@tanstack/react-router'
import { Moment } from '#shell/format.tsx'
import {
  Actor,
  Changes as ChangeList,
  useActionName,
  useKindName,
  useValue,
} from '#shell/history/line-parts.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { EmptyState } from '#ui/note.tsx'
import type { Changes } from './filter-row.tsx'
import { words } from './words.ts'

/** Kinds whose number says nothing: there is one of them, or nobody knows it. */
const numberless = new Set(['foundation', 'visit', 'view'])
/** Kinds whose names are codes with words of their own. */
const named = new Set(['mail_text', 'list_entry'])

/** The changes as a table, cards on a phone; a record's number narrows to what happened to it. */
export function ChangesTable({
  changes,
  columns,
}: {
  changes: Changes
  columns: readonly Column<ChangeRow>[]
}) {
  const t = words.use()
  const say = useSentences()
  const { filters, list } = changes
  const { data, error, isPlaceholderData, refetch } = list
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  const paging = data && {
    total: data.total,
    page: Math.max(1, filters.values.page),
    size: data.pageSize,
    onPage: (page: number) => filters.change({ page }),
  }
  return (
    <DataTable
      className="changes"
      caption={t('caption')}
      columns={columns}
      rows={data?.data}
      rowKey={(row) => String(row.id)}
      stale={isPlaceholderData}
      cardColumns={2}
      {...(error ? { error: { message: say(error.message), retry: refetch } } : {})}
      empty={
        <EmptyState
          icon="search"
          title={t('nothing')}
          actions={<Button onClick={filters.clear}>{t('clear')}</Button>}
        >
          {t('nothingSays')}
        </EmptyState>
      }
      {...(paging ? { paging } : {})}
    />
  )
}

/** What the record of changes can show. */
export function useColumns({ filters }: Changes): Column<ChangeRow>[] {
  const t = words.use()
  const nameOf = useActionName()
  const kindOf = useKindName()
  const say = useValue()
  /** The name that a record has, its number where it has none, and nothing where that would say nothing. */
  const recordOf = ({ subjectKind, subjectName, subjectId }: ChangeRow) => {
    const numbered = /^\d{1,15}$/.test(subjectId) && !numberless.has(subjectKind)
    const name = subjectName === '' && numbered ? subjectId : subjectName
    const said = say(name, named.has(subjectKind) ? 'words' : 'names')
    return said === '' ? kindOf(subjectKind) : `${kindOf(subjectKind)}: ${said}`
  }
  return [
    { key: 'what', label: t('what'), title: true, cell: (row) => nameOf(row.action) },
    { key: 'when', label: t('when'), card: 'wide', cell: (row) => <Moment value={row.at} /> },
    { key: 'who', label: t('who'), cell: (row) => <Actor line={row} /> },
    {
      key: 'record',
      label: t('recordName'),
      cell: (row) => (
        <button
          type="button"
          className="lk"
          onClick={() => filters.change({ kind: row.subjectKind, record: row.subjectId, page: 1 })}
        >
          {recordOf(row)}
        </button>
      ),
    },
    {
      key: 'school',
      label: t('schoolOf'),
      card: 'wide',
      cell: (row) =>
        row.schoolId === null ? (
          <span className="quiet">–</span>
        ) : (
          <Link to={officePaths.school} params={{ id: String(row.schoolId) }} title={row.schName}>
            {row.schCode}
          </Link>
        ),
    },
    {
      key: 'changes',
      label: t('details'),
      card: 'wide',
      cell: (row) =>
        row.changes.length === 0 ? <span className="quiet">–</span> : <ChangeList changes={row.changes} />,
    },
  ]
}
