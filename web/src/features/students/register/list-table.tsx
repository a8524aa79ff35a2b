import type { StudentListRow } from '@podium/contract/students/calls-register'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useSentences } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { pagingOf } from '#shell/paging.ts'
import { officePaths } from '#shell/paths.ts'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { EmptyState } from '#ui/note.tsx'
import { FeeBadge } from './fee-badge.tsx'
import { loadSending, StudentsBar } from './list-bar.tsx'
import type { Students } from './use-students.ts'
import { words } from './words.ts'

const SendManyDialog = lazy(loadSending)

interface TableProps {
  students: Students
  columns: readonly Column<StudentListRow>[]
}

/** The children as a table, cards on a phone; the name opens the record, those that are marked get their links together. */
export function StudentTable({ students, columns }: TableProps) {
  const t = words.use()
  const say = useSentences()
  const { list, filters } = students
  const { data, error, isPlaceholderData, refetch } = list
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [sending, setSending] = useState<readonly StudentListRow[]>()
  if (error && !data) return <LoadProblem error={error} retry={refetch} />
  // A child that has left the list is not marked any more: nothing happens to what is not in sight.
  const marked = (data?.data ?? []).filter(({ id, active }) => active && selected.has(String(id)))
  const clear = () => setSelected(new Set())
  return (
    <>
      <DataTable
        className="students"
        caption={t('caption')}
        columns={columns}
        rows={data?.data}
        rowKey={(row) => String(row.id)}
        stale={isPlaceholderData}
        gone={(row) => !row.active}
        selection={{
          selected: new Set(marked.map(({ id }) => String(id))),
          onChange: setSelected,
          selectable: (row) => row.active,
          name: (row) => t('rowName', { name: row.studentName, school: row.schName }),
        }}
        bulk={<StudentsBar rows={marked} onSend={() => setSending(marked)} onClear={clear} />}
        {...(error ? { error: { message: say(error.message), retry: refetch } } : {})}
        empty={<Nothing students={students} />}
        {...pagingOf(data, filters)}
      />
      {data?.more && <p className="students-more quiet">{t('more', { n: data.total })}</p>}
      {sending && (
        <Suspense>
          <SendManyDialog rows={sending} onClose={() => setSending(undefined)} onDone={clear} />
        </Suspense>
      )}
    </>
  )
}

/** What the table can show of a child. */
export function useColumns(): Column<StudentListRow>[] {
  const t = words.use()
  return [
    {
      key: 'name',
      label: t('student'),
      title: true,
      cell: (row) => (
        <Link to={officePaths.student} params={{ id: String(row.id) }} data-student={row.id}>
          {row.studentName}
        </Link>
      ),
    },
    { key: 'season', label: t('season'), cell: (row) => row.FYear },
    {
      key: 'school',
      label: t('school'),
      card: 'wide',
      cell: (row) => (
        <>
          {row.schName}
          <span className="under">
            <span className="num">{row.schCode}</span> · {row.city}
          </span>
        </>
      ),
    },
    {
      key: 'class',
      label: t('class'),
      cell: (row) => (
        <span className="nowrap">
          {row.className}
          {row.section !== '-' && ` ${row.section}`}
        </span>
      ),
    },
    {
      key: 'roll',
      label: t('rollNo'),
      num: true,
      cell: (row) => (
        <>
          {row.rollNo}
          {row.examRollNo !== '' && <span className="under nowrap">{row.examRollNo}</span>}
        </>
      ),
    },
    {
      key: 'subjects',
      label: t('subjects'),
      cell: (row) => row.eventLetter.replaceAll(',', ', ') || <span className="quiet">–</span>,
    },
    {
      key: 'mobile',
      label: t('mobile'),
      cell: (row) => <span className="nowrap num">{row.mobile || '–'}</span>,
    },
    { key: 'fee', label: t('fee'), cell: (row) => <FeeBadge {...row} /> },
  ]
}

function Nothing({ students }: { students: Students }) {
  const t = words.use()
  if (students.set === 0)
    return (
      <EmptyState icon="users" title={t('none')}>
        {t('noneSays')}
      </EmptyState>
    )
  return (
    <EmptyState
      icon="search"
      title={t('nothing')}
      actions={<Button onClick={students.filters.clear}>{t('clear')}</Button>}
    >
      {t('nothingSays')}
    </EmptyState>
  )
}
