import type { BookDetail } from '@podium/contract/books/calls'
import { type BookKind, bookKinds } from '@podium/contract/classes'
import type { ReactNode } from 'react'
import { Rupees } from '#shell/format.tsx'
import { Badge } from '#ui/badge.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { EmptyState } from '#ui/note.tsx'
import { words } from '../words.ts'
import { useNames } from './figure.ts'

/** `Mathematics, Science`; a dash for none. */
export function takenIn(row: BookDetail, kind: BookKind): string {
  const of = { cb: row.cb, pyqp: row.pyqp, geneX: row.genex, tb: row.tb, wb: row.wb }
  return of[kind].split(',').join(', ') || '–'
}

/** `A`; a dash where there is no section. */
export const sectionText = (section: string) => (section === '-' || section === '' ? '–' : section)

export function PaidBadge({ status }: { status: boolean }): ReactNode {
  const t = words.use()
  return <Badge kind={status ? 'paid' : 'unpaid'}>{t(status ? 'paid' : 'unpaid')}</Badge>
}

interface Props {
  caption: string
  rows: readonly BookDetail[] | undefined
}

/** The students with a column for each of the five kinds of book. */
export function BookTable({ caption, rows }: Props) {
  const t = words.use()
  const { ofClass } = useNames()
  const columns: Column<BookDetail>[] = [
    {
      key: 'class',
      label: t('class'),
      card: 'none',
      cell: (row) => <span className="nowrap">{ofClass(row.classId)}</span>,
    },
    { key: 'name', label: t('name'), title: true, cell: (row) => row.studentName },
    { key: 'section', label: t('section'), cell: (row) => sectionText(row.section) },
    { key: 'rollNo', label: t('rollNo'), num: true, cell: (row) => row.rollNo },
    ...bookKinds.map(
      (kind): Column<BookDetail> => ({
        key: kind,
        label: t(kind),
        card: 'wide',
        cell: (row) => takenIn(row, kind),
      }),
    ),
    {
      key: 'regAmount',
      label: t('regAmount'),
      num: true,
      cell: (row) => <Rupees amount={row.regAmount} />,
      foot: rows && <Rupees amount={rows.reduce((sum, row) => sum + row.regAmount, 0)} />,
    },
    {
      key: 'bookAmount',
      label: t('bookAmount'),
      num: true,
      cell: (row) => <Rupees amount={row.bookAmount} dash />,
      foot: rows && <Rupees amount={rows.reduce((sum, row) => sum + row.bookAmount, 0)} />,
    },
    { key: 'status', label: t('status'), cell: (row) => <PaidBadge status={row.status} /> },
  ]
  return (
    <DataTable
      caption={caption}
      columns={columns}
      rows={rows}
      rowKey={(row) => `${row.section} ${row.rollNo}`}
      compact
      cardColumns={2}
      empty={
        <EmptyState icon="users" title={t('noStudents')}>
          {t('noStudentsText')}
        </EmptyState>
      }
    />
  )
}
