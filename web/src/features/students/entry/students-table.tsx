import type { StudentRow } from '@podium/contract/students/calls'
import type { ReactNode } from 'react'
import { count, Rupees } from '#shell/format.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column, Selection, Sort } from '#ui/data-table-types.ts'
import { classAndSection } from './names.ts'
import { BookCodes, LateUnder, RowActions, type RowUses, StateBadge, SubjectLetters } from './row-parts.tsx'
import type { Totals } from './students-totals.ts'
import { words } from './words.ts'

const isGone = (row: StudentRow) => !row.status

export const rowTotal = (row: StudentRow) => row.regAmount + row.bookAmount
export const rowKey = (row: StudentRow) => String(row.id)

interface StudentsTableProps {
  season: string
  rows: readonly StudentRow[] | undefined
  totals: Totals
  uses: RowUses
  empty: ReactNode
  stale: boolean
  sort?: Sort
  onSort: (sort: Sort) => void
  selection: Selection<StudentRow>
  bulk: ReactNode
  paging: { total: number; page: number; size: number; onPage: (page: number) => void }
}

/** «13 active students, 1 deleted». */
export function useFootWords(): (totals: Totals) => string {
  const t = words.use()
  return ({ active, deleted }) =>
    [t('footActive', { n: active }), deleted > 0 && t('footDeleted', { n: deleted })]
      .filter(Boolean)
      .join(', ')
}

export function StudentsTable({ season, totals, uses, ...table }: StudentsTableProps) {
  const t = words.use()
  const footWords = useFootWords()
  const columns: Column<StudentRow>[] = [
    {
      key: 'name',
      label: t('student'),
      title: true,
      sortable: true,
      cell: (row) => row.studentName,
      foot: footWords(totals),
    },
    {
      key: 'class',
      label: t('class'),
      sortable: true,
      card: 'beside',
      cell: (row) => <span className="nowrap">{classAndSection(row.classId, row.section)}</span>,
    },
    { key: 'roll', label: t('rollNo'), num: true, sortable: true, cell: (row) => count(row.rollNo) },
    { key: 'subjects', label: t('subjects'), cell: (row) => <SubjectLetters row={row} /> },
    { key: 'books', label: t('books'), cell: (row) => <BookCodes row={row} /> },
    {
      key: 'registration',
      label: t('registration'),
      num: true,
      card: 'none',
      cell: (row) => (
        <>
          <Rupees amount={row.regAmount} dash />
          <LateUnder row={row} />
        </>
      ),
      foot: <Rupees amount={totals.registration} />,
    },
    {
      key: 'bookAmount',
      label: t('bookAmount'),
      num: true,
      card: 'none',
      cell: (row) => <Rupees amount={row.bookAmount} dash />,
      foot: <Rupees amount={totals.books} />,
    },
    {
      key: 'total',
      label: t('total'),
      num: true,
      strong: true,
      sortable: true,
      card: 'lead',
      cell: (row) => <Rupees amount={rowTotal(row)} />,
      foot: <Rupees amount={totals.registration + totals.books} />,
    },
    { key: 'state', label: t('status'), card: 'lead', cell: (row) => <StateBadge row={row} /> },
    { key: 'act', label: '', act: true, cell: (row) => <RowActions row={row} uses={uses} /> },
  ]
  return (
    <DataTable
      {...table}
      caption={t('caption', { season })}
      columns={columns}
      rowKey={rowKey}
      gone={isGone}
      folds={(row) => row.studentName}
      className="students"
    />
  )
}
