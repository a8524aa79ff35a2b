import { formatRupees } from '@podium/contract/money'
import { Link } from '@tanstack/react-router'
import { count, Day, dayText, nothing, Rupees } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { RecordTable } from '#shell/list-table.tsx'
import { officePaths } from '#shell/paths.ts'
import { Badge } from '#ui/badge.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/note.tsx'
import { type StudentRecord, words } from './use-record.ts'

type RowOf<K extends 'entries' | 'books' | 'payments' | 'results'> =
  NonNullable<StudentRecord[K]> extends readonly (infer Row)[] ? Row : never

/** What the student has entered and ordered, the payments for it, and the results. */
export function Entries({ record }: { record: StudentRecord }) {
  return (
    <>
      <Subjects rows={record.entries} money={record.payments !== null} />
      {record.books.length > 0 && <Books rows={record.books} money={record.payments !== null} />}
      {record.payments && <Payments rows={record.payments} />}
      {record.results && <Results rows={record.results} />}
    </>
  )
}

const sum = (rows: readonly { fee?: number | null; price?: number | null }[]) =>
  rows.reduce((total, row) => total + (row.fee ?? row.price ?? 0), 0)

function Subjects({ rows, money }: { rows: readonly RowOf<'entries'>[]; money: boolean }) {
  const t = words.use()
  const columns: Column<RowOf<'entries'>>[] = columnsOf(t, [
    {
      key: 'subject',
      title: true,
      cell: (row) => translateSentence(row.subjectName),
      foot: money ? t('total') : undefined,
    },
    { key: 'mode', cell: (row) => t(row.examMode === 'Online' ? 'online' : 'offline') },
    { key: 'examDate', cell: (row) => <Day value={row.examDate} /> },
    money && { key: 'schoolShare', num: true, cell: (row) => <Rupees amount={row.retained} dash /> },
    money && {
      key: 'fee',
      num: true,
      cell: (row) =>
        lines(
          <Rupees amount={row.fee} />,
          row.lateFee !== null && row.lateFee > 0 && t('lateFee', { fee: formatRupees(row.lateFee) }),
        ),
      foot: <Rupees amount={sum(rows)} />,
    },
  ])
  return (
    <RecordTable
      title={t('entries')}
      columns={columns}
      rows={rows}
      rowKey={(row) => String(row.eventYearId)}
      empty={<EmptyState icon="book">{t('noEntries')}</EmptyState>}
    />
  )
}

function Books({ rows, money }: { rows: readonly RowOf<'books'>[]; money: boolean }) {
  const t = words.use()
  const columns: Column<RowOf<'books'>>[] = columnsOf(t, [
    {
      key: 'book',
      title: true,
      cell: (row) => `${translateSentence(row.subjectName)}, ${translateSentence(row.bookCategory)}`,
      foot: money ? t('total') : undefined,
    },
    money && { key: 'schoolShare', num: true, cell: (row) => <Rupees amount={row.retained} dash /> },
    money && {
      key: 'price',
      num: true,
      cell: (row) => <Rupees amount={row.price} />,
      foot: <Rupees amount={sum(rows)} />,
    },
  ])
  return (
    <RecordTable
      title={t('books')}
      columns={columns}
      rows={rows}
      rowKey={(row) => `${row.subjectName} ${row.bookCategory}`}
    />
  )
}

const badgeKinds = {
  'Registration Fee': 'registrationFee',
  'Book Fee': 'bookFee',
  'Library Book Fee': 'libraryFee',
} as const

function Payments({ rows }: { rows: readonly RowOf<'payments'>[] }) {
  const t = words.use()
  const columns: Column<RowOf<'payments'>>[] = columnsOf(t, [
    {
      key: 'paymentFor',
      title: true,
      cell: (row) => (
        <Link
          to={officePaths.payments}
          search={{ state: row.state, id: row.id }}
          aria-label={t('openPayment', {
            what: t(badgeKinds[row.paymentFor]),
            day: dayText(row.creationDate),
          })}>
          {t(badgeKinds[row.paymentFor])}
        </Link>
      ),
    },
    { key: 'paidBy', cell: (row) => <span className="num">{row.schCode}</span> },
    { key: 'sentOn', cell: (row) => <Day value={row.creationDate} /> },
    { key: 'receipt', cell: (row) => row.receiptNo || nothing },
    {
      key: 'paymentState',
      cell: (row) => <Badge kind={row.state === 'pending' ? 'waiting' : row.state}>{t(row.state)}</Badge>,
    },
    { key: 'amount', num: true, cell: (row) => <Rupees amount={row.amount} /> },
  ])
  return (
    <RecordTable
      title={t('payments')}
      columns={columns}
      rows={rows}
      rowKey={(row) => `${row.id} ${row.paymentFor}`}
      empty={<EmptyState icon="rupee">{t('noPayments')}</EmptyState>}
    />
  )
}

const resultWords = { none: 'resultNone', withheld: 'resultHeld', released: 'resultReleased' } as const

function Results({ rows }: { rows: readonly RowOf<'results'>[] }) {
  const t = words.use()
  const columns: Column<RowOf<'results'>>[] = columnsOf(t, [
    { key: 'subject', title: true, cell: (row) => translateSentence(row.subjectName) },
    { key: 'resultState', cell: (row) => t(resultWords[row.state]) },
    {
      key: 'rank',
      num: true,
      cell: (row) => (row.olympiadRank === null ? nothing : count(row.olympiadRank)),
    },
    { key: 'medal', cell: (row) => row.medal || nothing },
  ])
  return (
    <RecordTable
      title={t('results')}
      columns={columns}
      rows={rows}
      rowKey={(row) => String(row.eventYearId)}
      empty={<EmptyState icon="flag">{t('noEntries')}</EmptyState>}
    />
  )
}
