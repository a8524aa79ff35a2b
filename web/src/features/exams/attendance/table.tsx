import { type PaperSchool, printPapers } from '@podium/contract/exams/calls-attendance'
import { Link } from '@tanstack/react-router'
import { download } from '#shell/download.ts'
import { count, Day } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { pagingOf } from '#shell/paging.ts'
import { officePaths } from '#shell/paths.ts'
import { useAct } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { EmptyState } from '#ui/note.tsx'
import type { Papers } from './data.ts'
import { words } from './words.ts'

/** The schools that take the olympiad; each one's papers are printed from its row. */
export function PapersTable({ papers, columns }: { papers: Papers; columns: Column<PaperSchool>[] }) {
  const t = words.use()
  const say = useSentences()
  const { list, filters, set } = papers
  const { data, error, isPlaceholderData, refetch } = list
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  return (
    <DataTable
      caption={t('caption')}
      columns={columns}
      rows={data?.data}
      rowKey={(row) => String(row.schoolId)}
      stale={isPlaceholderData}
      {...(error ? { error: { message: say(error.message), retry: refetch } } : {})}
      empty={
        <EmptyState
          icon={set > 0 ? 'search' : 'users'}
          title={t(set > 0 ? 'nothing' : 'nobody')}
          {...(set > 0 ? { actions: <Button onClick={filters.clear}>{t('clear')}</Button> } : {})}
        >
          {t(set > 0 ? 'nothingSays' : 'nobodySays')}
        </EmptyState>
      }
      {...pagingOf(data, filters)}
    />
  )
}

export function usePaperColumns(papers: Papers): Column<PaperSchool>[] {
  const t = words.use()
  return [
    {
      key: 'school',
      label: t('school'),
      title: true,
      cell: (row) => (
        <Link to={officePaths.school} params={{ id: String(row.schoolId) }}>
          {row.schName}
        </Link>
      ),
    },
    { key: 'code', label: t('code'), cell: (row) => <span className="num nowrap">{row.schCode}</span> },
    { key: 'place', label: t('place'), card: 'wide', cell: (row) => `${row.city}, ${row.state}` },
    {
      key: 'date',
      label: t('date'),
      num: true,
      cell: (row) =>
        row.examDate ? (
          <Day value={row.examDate} />
        ) : papers.exam?.examMode === 'Online' ? (
          t('online')
        ) : (
          <Badge kind="waiting">{t('noDate')}</Badge>
        ),
    },
    { key: 'classes', label: t('classes'), num: true, cell: (row) => count(row.classes) },
    {
      key: 'students',
      label: t('students'),
      num: true,
      strong: true,
      cell: (row) => (
        <>
          {count(row.students)}
          {row.numberless > 0 && <span className="under">{t('numberless', { n: row.numberless })}</span>}
        </>
      ),
    },
    { key: 'act', label: t('print'), act: true, cell: (row) => <Print papers={papers} row={row} /> },
  ]
}

function Print({ papers, row }: { papers: Papers; row: PaperSchool }) {
  const t = words.use()
  const { busy, act } = useAct()
  const { asked, kind, mayWrite } = papers
  const { FYear, eventYearId, classId } = asked
  const body = { FYear, eventYearId, classId, schoolId: row.schoolId, kind }
  const print = () => act(() => download(printPapers, { body }))
  return (
    <Button
      icon="print"
      busy={busy}
      disabled={mayWrite ? undefined : t('mayNotWrite')}
      aria-label={t('printFor', { name: row.schName })}
      onClick={() => void print()}
    >
      {t('print')}
    </Button>
  )
}
