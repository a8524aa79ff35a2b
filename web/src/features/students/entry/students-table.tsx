import { type BookKind, bookKinds } from '@podium/contract/classes'
import { formatRupees } from '@podium/contract/money'
import { type StudentRow, studentState } from '@podium/contract/students/calls'
import type { ReactNode } from 'react'
import { count, Rupees } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { Abbreviation, Badge, SubjectCodes } from '#ui/badge.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { type Column, columnsOf, type Selection, type Sort } from '#ui/columns.ts'
import { DataTable } from '#ui/data-table.tsx'
import type { Totals } from './students-totals.ts'
import { classAndSection, words } from './words.ts'

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

/** Returns “13 active students, 1 deleted”. */
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
  const columns: Column<StudentRow>[] = columnsOf(t, [
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
      sortable: true,
      card: 'beside',
      cell: (row) => <span className="nowrap">{classAndSection(row.classId, row.section)}</span>,
    },
    { key: 'roll', label: t('rollNo'), num: true, sortable: true, cell: (row) => count(row.rollNo) },
    { key: 'subjects', cell: (row) => <SubjectLetters row={row} /> },
    { key: 'books', cell: (row) => <BookCodes row={row} /> },
    {
      key: 'registration',
      num: true,
      card: 'none',
      cell: (row) => (
        <>
          <Rupees amount={row.regAmount} dash />
          <LateFeeLine row={row} />
        </>
      ),
      foot: <Rupees amount={totals.registration} />,
    },
    {
      key: 'bookAmount',
      num: true,
      card: 'none',
      cell: (row) => <Rupees amount={row.bookAmount} dash />,
      foot: <Rupees amount={totals.books} />,
    },
    {
      key: 'total',
      num: true,
      strong: true,
      sortable: true,
      card: 'lead',
      cell: (row) => <Rupees amount={rowTotal(row)} />,
      foot: <Rupees amount={totals.registration + totals.books} />,
    },
    { key: 'state', label: t('status'), card: 'lead', cell: (row) => <StateBadge row={row} /> },
    { key: 'act', label: '', act: true, cell: (row) => <RowActions row={row} uses={uses} /> },
  ])
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

interface BulkBarProps {
  rows: readonly StudentRow[]
  /** Deleted students among the selected ones */
  deletedRows: readonly StudentRow[]
  /** Number of all that match the filters, if the whole page is selected and there are more */
  more: number
  onAll: () => void
  onChange: () => void
  onDownload: () => void
  onDelete: () => void
  onRestore: () => void
  onClear: () => void
}

/** How many students are selected, their total, and the bulk actions. */
export function BulkBar({ rows, deletedRows, more, onAll, ...on }: BulkBarProps) {
  const { onChange, onDownload, onDelete, onRestore, onClear } = on
  const t = words.use()
  const sum = formatRupees(rows.reduce((total, row) => total + rowTotal(row), 0))
  return (
    <>
      <span aria-live="polite">
        <b>{t('selected', { n: rows.length + deletedRows.length })}</b>
        {rows.length > 0 && t('inAll', { sum })}
      </span>
      {more > 0 && (
        <Button kind="text" onClick={onAll}>
          {t('selectAll', { n: more })}
        </Button>
      )}
      {rows.length > 0 && (
        <>
          <Button icon="edit" onClick={onChange}>
            {t('changeSelected')}
          </Button>
          <Button icon="download" onClick={onDownload}>
            {t('download')}
          </Button>
          <Button kind="danger" icon="delete" onClick={onDelete}>
            {t('deleteSelected')}
          </Button>
        </>
      )}
      {deletedRows.length > 0 && (
        <Button icon="undo" onClick={onRestore}>
          {t('restoreSelected', { n: deletedRows.length })}
        </Button>
      )}
      <Button kind="text" onClick={onClear}>
        {t('clear')}
      </Button>
    </>
  )
}

const badges = { unpaid: 'unpaid', locked: 'waiting', paid: 'paid', deleted: 'deleted' } as const

/** Paid, unpaid, being verified or deleted, with an icon. */
export function StateBadge({ row }: { row: StudentRow }) {
  const t = words.use()
  const state = studentState(row)
  return <Badge kind={badges[state]}>{t(state)}</Badge>
}

const listed = (names: string) => (names === '' ? [] : names.split(','))

function SubjectLetters({ row }: { row: StudentRow }) {
  const names = listed(row.subjectName)
  return (
    <SubjectCodes
      of={listed(row.eventLetter).map((letter, index) => ({
        letter,
        name: translateSentence(names[index] ?? letter),
      }))}
    />
  )
}

const codes: Record<BookKind, string> = { cb: 'CB', pyqp: 'PT', geneX: 'EG', tb: 'TB', wb: 'WB' }

/** `CB 2, PT`: the kinds of books with their counts; full names in the tooltip and for screen readers. */
function BookCodes({ row }: { row: StudentRow }) {
  const t = words.use()
  const chosen = bookKinds
    .map((kind) => ({ kind, names: listed(kind === 'geneX' ? row.genex : row[kind]) }))
    .filter(({ names }) => names.length > 0)
  if (chosen.length === 0) return <span className="quiet">{t('none')}</span>
  return (
    <>
      {chosen.map(({ kind, names }, index) => (
        <span key={kind} className="nowrap">
          {index > 0 && <span aria-hidden="true">, </span>}
          <Abbreviation name={`${t(kind)}: ${names.map(translateSentence).join(', ')}`}>
            {names.length > 1 ? `${codes[kind]} ${names.length}` : codes[kind]}
          </Abbreviation>
        </span>
      ))}
    </>
  )
}

/** `Comprehensive Book: Mathematics, Science`: the full names of the kinds of books, each with its subjects. */
export function BookNames({ row }: { row: StudentRow }) {
  const t = words.use()
  const chosen = bookKinds.flatMap((kind) => {
    const names = listed(kind === 'geneX' ? row.genex : row[kind])
    return names.length > 0 ? [`${t(kind)}: ${names.map(translateSentence).join(', ')}`] : []
  })
  if (chosen.length === 0) return <span className="quiet">{t('none')}</span>
  return chosen.map((line) => (
    <span key={line} className="block">
      {line}
    </span>
  ))
}

/** The late fees within the registration fee; renders nothing without any. */
function LateFeeLine({ row }: { row: StudentRow }) {
  const t = words.use()
  if (row.lateFee === 0) return null
  return <span className="under">{t('lateOfFee', { fee: formatRupees(row.lateFee) })}</span>
}

export interface RowUses {
  edit: (row: StudentRow) => void
  remove: (rows: StudentRow[]) => void
  restore: (row: StudentRow) => void
}

/**
 * Edit and Delete while a student is active and unpaid (specification, 2.9); otherwise nothing, as the badge says
 * why. If only a closing date or a verification prevents it, the buttons stay, disabled with the reason. A deleted
 * student has Restore.
 */
export function RowActions({ row, uses }: { row: StudentRow; uses: RowUses }) {
  const t = words.use()
  const name = row.studentName
  const reasons: Record<string, string> = {
    'enrolment.paid': t('whyPaid'),
    'enrolment.locked': row.registrationSent ? t('whyLocked') : t('whyBooks'),
    'enrolment.closed': t('whyClosed'),
    'enrolment.season_closed': t('whySeason'),
    'enrolment.signed_off': t('whySigned'),
  }
  const off = (can: true | string) => (can === true ? undefined : (reasons[can] ?? can))
  if (!row.status) {
    return (
      <IconButton
        icon="undo"
        label={t('restore', { name })}
        disabled={off(row.can.restore)}
        onClick={() => uses.restore(row)}
      />
    )
  }
  if (row.paymentStatus) return null
  return (
    <>
      <IconButton
        icon="edit"
        label={t('edit', { name })}
        disabled={off(row.can.edit)}
        onClick={() => uses.edit(row)}
      />
      <IconButton
        icon="delete"
        bad
        label={t('delete', { name })}
        disabled={off(row.can.delete)}
        onClick={() => uses.remove([row])}
      />
    </>
  )
}
