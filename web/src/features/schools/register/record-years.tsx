import { officeSchoolYears } from '@podium/contract/schools/calls-record'
import { Link } from '@tanstack/react-router'
import type { Answer } from '#shell/call.ts'
import { count, Day, dayText, Rupees } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { Badge } from '#ui/badge.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { EmptyState } from '#ui/note.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { words } from './words-record.ts'

type YearsAnswer = Answer<typeof officeSchoolYears>
type Of<K extends keyof YearsAnswer> =
  NonNullable<YearsAnswer[K]> extends readonly (infer Row)[] ? Row : never
type Year = Of<'seasons'> & Partial<Of<'money'>>

/** Season by season what was entered and what it comes to; then payments, packets and where results stand. */
export function Years({ id }: { id: number }) {
  const season = useSeason()
  const years = useEndpoint(officeSchoolYears, { query: { id: String(id), FYear: season } })
  if (years.isError && !years.data) return <LoadProblem error={years.error} retry={years.refetch} />
  if (!years.data) return <Skeleton shape="table" rows={5} />
  const { seasons, money, payments, packets, lists, results } = years.data
  return (
    <>
      <Seasons rows={money ?? seasons} money={money !== null} />
      {payments && <Payments rows={payments} />}
      <Packets rows={packets} />
      <SignOffs rows={lists} season={season} />
      {results && <Results rows={results} season={season} />}
    </>
  )
}

function Seasons({ rows, money }: { rows: readonly Year[]; money: boolean }) {
  const t = words.use()
  const amount = (key: 'gross' | 'retained' | 'payable' | 'received' | 'pending' | 'due', label: string) => ({
    key,
    label,
    num: true,
    strong: key === 'due',
    cell: (row: Year) => <Rupees amount={row[key]} dash />,
  })
  const columns: Column<Year>[] = [
    { key: 'season', label: t('season'), title: true, cell: (row) => row.FYear },
    { key: 'students', label: t('students'), num: true, cell: (row) => count(row.students) },
    { key: 'subjects', label: t('subjects'), num: true, cell: (row) => count(row.subjects) },
    ...(money
      ? [
          amount('gross', t('gross')),
          amount('retained', t('share')),
          amount('payable', t('payable')),
          amount('received', t('received')),
          amount('pending', t('pending')),
          amount('due', t('due')),
        ]
      : []),
  ]
  return (
    <section className="register-part">
      <h2>{t('seasons')}</h2>
      <DataTable
        compact
        caption={t('seasons')}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.FYear}
        empty={<EmptyState icon="calendar">{t('noSeasons')}</EmptyState>}
      />
    </section>
  )
}

const kinds = {
  'Registration Fee': 'registrationFee',
  'Book Fee': 'bookFee',
  'Library Book Fee': 'libraryFee',
} as const
const paymentBadges = {
  pending: { kind: 'waiting', word: 'pending' },
  verified: { kind: 'verified', word: 'verified' },
  rejected: { kind: 'rejected', word: 'rejected' },
} as const

function Payments({ rows }: { rows: readonly Of<'payments'>[] }) {
  const t = words.use()
  const columns: Column<Of<'payments'>>[] = [
    {
      key: 'for',
      label: t('paymentFor'),
      title: true,
      cell: (row) => (
        <Link
          to={officePaths.payments}
          search={{ state: row.state, id: row.id }}
          aria-label={t('openPayment', { what: t(kinds[row.paymentFor]), day: dayText(row.creationDate) })}
        >
          {t(kinds[row.paymentFor])}
        </Link>
      ),
    },
    { key: 'season', label: t('season'), cell: (row) => row.FYear },
    { key: 'sent', label: t('sentOn'), cell: (row) => <Day value={row.creationDate} /> },
    { key: 'amount', label: t('amount'), num: true, cell: (row) => <Rupees amount={row.payableAmount} /> },
    { key: 'receipt', label: t('receipt'), cell: (row) => row.receiptNo || <span className="quiet">–</span> },
    {
      key: 'state',
      label: t('paymentState'),
      cell: (row) => <Badge kind={paymentBadges[row.state].kind}>{t(paymentBadges[row.state].word)}</Badge>,
    },
  ]
  return (
    <section className="register-part">
      <h2>{t('payments')}</h2>
      <DataTable
        compact
        caption={t('payments')}
        columns={columns}
        rows={rows}
        rowKey={(row) => String(row.id)}
        empty={<EmptyState icon="rupee">{t('noPayments')}</EmptyState>}
      />
    </section>
  )
}

const contents = { books: 'books', papers: 'papers', awards: 'awards' } as const

function Packets({ rows }: { rows: readonly Of<'packets'>[] }) {
  const t = words.use()
  const contentsOf = (row: Of<'packets'>) => {
    const known = Object.values(contents).find((one) => one === row.contents)
    return known ? t(known) : row.contents
  }
  const columns: Column<Of<'packets'>>[] = [
    {
      key: 'packet',
      label: t('packet'),
      title: true,
      cell: (row) => `${row.packetId} · ${contentsOf(row)}`,
    },
    { key: 'season', label: t('season'), cell: (row) => row.FYear },
    { key: 'made', label: t('packed'), cell: (row) => <Day value={row.creationDate} /> },
    {
      key: 'courier',
      label: t('courier'),
      cell: (row) => [row.courierName, row.consignmentNo].filter(Boolean).join(' ') || '–',
    },
    {
      key: 'state',
      label: t('paymentState'),
      cell: (row) => (
        <Badge kind={row.orderStatus === 'Delivered' ? 'verified' : 'sent'}>{row.orderStatus}</Badge>
      ),
    },
  ]
  return (
    <section className="register-part">
      <h2>{t('packets')}</h2>
      <DataTable
        compact
        caption={t('packets')}
        columns={columns}
        rows={rows}
        rowKey={(row) => String(row.packetId)}
        empty={<EmptyState icon="box">{t('noPackets')}</EmptyState>}
      />
    </section>
  )
}

function SignOffs({ rows, season }: { rows: readonly Of<'lists'>[]; season: string }) {
  const t = words.use()
  const columns: Column<Of<'lists'>>[] = [
    { key: 'subject', label: t('subject'), title: true, cell: (row) => row.subjectName },
    { key: 'students', label: t('students'), num: true, cell: (row) => count(row.students) },
    {
      key: 'state',
      label: t('listState'),
      cell: (row) => (
        <>
          <Badge kind={row.signedAt ? 'verified' : 'none'}>
            {t(row.signedAt ? 'listSigned' : 'listOpen')}
          </Badge>
          {row.signedAt && (
            <span className="under">{t('signedBy', { by: row.signedBy, day: dayText(row.signedAt) })}</span>
          )}
          {row.reopened > 0 && (
            <span className="under">{t('reopened', { n: row.reopened, reason: row.reason })}</span>
          )}
        </>
      ),
    },
  ]
  return (
    <section className="register-part">
      <h2>{t('lists', { season })}</h2>
      <DataTable
        compact
        caption={t('lists', { season })}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.eventLetter}
        empty={<EmptyState icon="list">{t('noLists')}</EmptyState>}
      />
    </section>
  )
}

const resultBadges = {
  none: { kind: 'none', word: 'resultNone' },
  released: { kind: 'verified', word: 'resultReleased' },
  held: { kind: 'doubt', word: 'resultHeld' },
} as const

function Results({ rows, season }: { rows: readonly Of<'results'>[]; season: string }) {
  const t = words.use()
  const columns: Column<Of<'results'>>[] = [
    {
      key: 'subject',
      label: t('subject'),
      title: true,
      cell: (row) => (
        <Link to={officePaths.resultEvent} params={{ eventYearId: String(row.eventYearId) }}>
          {row.subjectName}
        </Link>
      ),
    },
    { key: 'level', label: t('level'), num: true, cell: (row) => row.examLevel },
    { key: 'students', label: t('students'), num: true, cell: (row) => count(row.students) },
    {
      key: 'state',
      label: t('resultState'),
      cell: (row) => (
        <>
          <Badge kind={resultBadges[row.state].kind}>{t(resultBadges[row.state].word)}</Badge>
          {row.reason && <span className="under">{row.reason}</span>}
        </>
      ),
    },
  ]
  return (
    <section className="register-part">
      <h2>{t('results', { season })}</h2>
      <DataTable
        compact
        caption={t('results', { season })}
        columns={columns}
        rows={rows}
        rowKey={(row) => String(row.eventYearId)}
        empty={<EmptyState icon="medal">{t('noResults')}</EmptyState>}
      />
    </section>
  )
}
