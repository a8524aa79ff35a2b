import { formatRupees } from '@podium/contract/money'
import { officeSchoolYears } from '@podium/contract/schools/calls-record'
import { parseSeason } from '@podium/contract/season'
import { Link } from '@tanstack/react-router'
import type { Answer } from '#shell/call.ts'
import { count, Day, dayText, nothing, Rupees } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { RecordTable } from '#shell/list-table.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { Badge } from '#ui/badge.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Tile, Tiles } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { type SchoolAnswer, words } from './parts.tsx'

type YearsAnswer = Answer<typeof officeSchoolYears>
type YearField<K extends keyof YearsAnswer> =
  NonNullable<YearsAnswer[K]> extends readonly (infer Row)[] ? Row : never
type Year = YearField<'seasons'> & Partial<YearField<'money'>>

type YearPart = 'students' | 'money' | 'parcels' | 'results'

function useYears(record: SchoolAnswer) {
  const season = useSeason()
  return {
    season,
    years: useEndpoint(officeSchoolYears, { query: { id: String(record.school.id), FYear: season } }),
  }
}

/** A school season by season: its lists, its totals, its parcels, or links to its results. */
export function Years({ record, part }: { record: SchoolAnswer; part: YearPart }) {
  const { season, years } = useYears(record)
  if (years.isError && !years.data) return <LoadProblem error={years.error} retry={years.refetch} />
  if (!years.data) return <Skeleton shape="table" rows={5} />
  const { seasons, money, payments, packets, lists, results } = years.data
  if (part === 'parcels') return <Packets rows={packets} />
  if (part === 'results') return <Results rows={results} season={season} />
  if (part === 'students')
    return (
      <>
        <AllStudents code={record.school.schCode} />
        <SignOffs rows={lists} season={season} />
      </>
    )
  return (
    <>
      <Seasons rows={money ?? seasons} money={money !== null} />
      {payments && <Payments rows={payments} />}
    </>
  )
}

function AllStudents({ code }: { code: string }) {
  const t = words.use()
  return (
    <p>
      <Link to={officePaths.students} search={{ school: code }}>
        {t('allStudents')}
      </Link>
    </p>
  )
}

/** A school's season at a glance: what to do next, and the figures with links to their details. */
export function SeasonGlance({ record }: { record: SchoolAnswer }) {
  const t = words.use()
  const { season, years } = useYears(record)
  if (!years.data) return null
  const { seasons, money, payments, packets } = years.data
  const code = record.school.schCode
  const students = seasons.find(({ FYear }) => FYear === season)?.students ?? 0
  const figures = money?.find(({ FYear }) => FYear === season)
  const open = payments?.find((row) => row.state === 'pending')
  const parcel = packets[0]
  return (
    <section className="register-glance mb-5" aria-label={t('glance', { season })}>
      <p>
        <b>{t('nextStep')}</b>{' '}
        <NextStep record={record} students={students} due={figures?.due ?? 0} open={open} />
      </p>
      <Tiles>
        <Tile
          label={t('students')}
          value={count(students)}
          link={<Link to={officePaths.students} search={{ school: code }} />}
        />
        {money && (
          <Tile
            label={t('due')}
            value={<Rupees amount={figures?.due ?? 0} />}
            link={<Link to={officePaths.ledger} search={{ search: code }} />}
          />
        )}
        {money && (
          <Tile
            label={t('received')}
            value={<Rupees amount={figures?.received ?? 0} />}
            link={<Link to={officePaths.receipts} search={{ search: code }} />}
          />
        )}
        <Tile
          label={t('lastParcel')}
          value={parcel ? parcel.packetId : '–'}
          meaning={parcel ? `${t(parcel.orderStatus)} · ${dayText(parcel.creationDate)}` : t('noPackets')}
          link={parcel && <Link to={officePaths.packet} params={{ id: String(parcel.packetId) }} />}
        />
      </Tiles>
    </section>
  )
}

interface NextStepProps {
  record: SchoolAnswer
  students: number
  due: number
  open: YearField<'payments'> | undefined
}

/** The most urgent task: of the office if something of the school is open, otherwise of the school. */
function NextStep({ record, students, due, open }: NextStepProps) {
  const t = words.use()
  if (!record.school.active) return t('stepInactive')
  if (open)
    return (
      <Link
        to={officePaths.payments}
        search={{ state: 'pending', id: open.id, season: parseSeason(open.FYear) }}>
        {t('stepVerify', { amount: formatRupees(open.payableAmount), day: dayText(open.creationDate) })}
      </Link>
    )
  if (record.contacts.some(({ confirmed }) => !confirmed))
    return (
      <Link to="." search={{ tab: 'people' }}>
        {t('stepContact')}
      </Link>
    )
  if (!record.staff.some(({ disabled }) => !disabled))
    return (
      <Link to="." search={{ tab: 'link' }}>
        {t('stepInvite')}
      </Link>
    )
  if (students === 0) return t('stepEnter')
  return due > 0 ? t('stepPay', { amount: formatRupees(due) }) : t('stepNothing')
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
  const columns: Column<Year>[] = columnsOf(t, [
    { key: 'season', title: true, cell: (row) => row.FYear },
    { key: 'students', num: true, cell: (row) => count(row.students) },
    { key: 'subjects', num: true, cell: (row) => count(row.subjects) },
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
  ])
  return (
    <RecordTable
      title={t('seasons')}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.FYear}
      empty={<EmptyState icon="calendar">{t('noSeasons')}</EmptyState>}
    />
  )
}

const kinds = {
  'Registration Fee': 'registrationFee',
  'Book Fee': 'bookFee',
  'Library Book Fee': 'libraryFee',
} as const

function Payments({ rows }: { rows: readonly YearField<'payments'>[] }) {
  const t = words.use()
  const columns: Column<YearField<'payments'>>[] = columnsOf(t, [
    {
      key: 'paymentFor',
      title: true,
      cell: (row) => (
        <Link
          to={officePaths.payments}
          search={{ state: row.state, id: row.id, season: parseSeason(row.FYear) }}
          aria-label={t('openPayment', { what: t(kinds[row.paymentFor]), day: dayText(row.creationDate) })}>
          {t(kinds[row.paymentFor])}
        </Link>
      ),
    },
    { key: 'season', cell: (row) => row.FYear },
    { key: 'sentOn', cell: (row) => <Day value={row.creationDate} /> },
    { key: 'amount', num: true, cell: (row) => <Rupees amount={row.payableAmount} /> },
    { key: 'receipt', cell: (row) => row.receiptNo || nothing },
    {
      key: 'paymentState',
      cell: (row) => <Badge kind={row.state === 'pending' ? 'waiting' : row.state}>{t(row.state)}</Badge>,
    },
  ])
  return (
    <RecordTable
      title={t('payments')}
      columns={columns}
      rows={rows}
      rowKey={(row) => String(row.id)}
      empty={<EmptyState icon="rupee">{t('noPayments')}</EmptyState>}
    />
  )
}

const contents = ['books', 'papers', 'awards'] as const

function Packets({ rows }: { rows: readonly YearField<'packets'>[] }) {
  const t = words.use()
  const contentsOf = (row: YearField<'packets'>) => {
    const contentsKind = contents.find((candidate) => candidate === row.contents)
    return contentsKind ? t(contentsKind) : row.contents
  }
  const columns: Column<YearField<'packets'>>[] = columnsOf(t, [
    {
      key: 'packet',
      title: true,
      cell: (row) => (
        <Link to={officePaths.packet} params={{ id: String(row.packetId) }}>
          {row.packetId} · {contentsOf(row)}
        </Link>
      ),
    },
    { key: 'season', cell: (row) => row.FYear },
    { key: 'packed', cell: (row) => <Day value={row.creationDate} /> },
    {
      key: 'courier',
      cell: (row) => [row.courierName, row.consignmentNo].filter(Boolean).join(' ') || nothing,
    },
    {
      key: 'paymentState',
      cell: (row) => (
        <Badge kind={row.orderStatus === 'Delivered' ? 'verified' : 'sent'}>{t(row.orderStatus)}</Badge>
      ),
    },
  ])
  return (
    <RecordTable
      title={t('packets')}
      columns={columns}
      rows={rows}
      rowKey={(row) => String(row.packetId)}
      empty={<EmptyState icon="box">{t('noPackets')}</EmptyState>}
    />
  )
}

function SignOffs({ rows, season }: { rows: readonly YearField<'lists'>[]; season: string }) {
  const t = words.use()
  const columns: Column<YearField<'lists'>>[] = columnsOf(t, [
    { key: 'subject', title: true, cell: (row) => translateSentence(row.subjectName) },
    { key: 'students', num: true, cell: (row) => count(row.students) },
    {
      key: 'listState',
      cell: (row) =>
        lines(
          <Badge kind={row.signedAt ? 'verified' : 'none'}>
            {t(row.signedAt ? 'listSigned' : 'listOpen')}
          </Badge>,
          row.signedAt && t('signedBy', { by: row.signedBy, day: dayText(row.signedAt) }),
          row.reopened > 0 && t('reopened', { n: row.reopened, reason: row.reason }),
        ),
    },
  ])
  return (
    <RecordTable
      title={t('lists', { season })}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.eventLetter}
      empty={<EmptyState icon="list">{t('noLists')}</EmptyState>}
    />
  )
}

const resultBadges = {
  none: { kind: 'none', word: 'resultNone' },
  released: { kind: 'verified', word: 'resultReleased' },
  withheld: { kind: 'doubt', word: 'resultHeld' },
} as const

function Results({ rows, season }: { rows: readonly YearField<'results'>[] | null; season: string }) {
  const t = words.use()
  if (rows === null) return <EmptyState icon="medal">{t('mayNotResults')}</EmptyState>
  const columns: Column<YearField<'results'>>[] = columnsOf(t, [
    {
      key: 'subject',
      title: true,
      cell: (row) => (
        <Link to={officePaths.resultEvent} params={{ eventYearId: String(row.eventYearId) }}>
          {translateSentence(row.subjectName)}
        </Link>
      ),
    },
    { key: 'level', num: true, cell: (row) => row.examLevel },
    { key: 'students', num: true, cell: (row) => count(row.students) },
    {
      key: 'resultState',
      cell: (row) =>
        lines(
          <Badge kind={resultBadges[row.state].kind}>{t(resultBadges[row.state].word)}</Badge>,
          row.reason,
        ),
    },
  ])
  return (
    <RecordTable
      title={t('results', { season })}
      columns={columns}
      rows={rows}
      rowKey={(row) => String(row.eventYearId)}
      empty={<EmptyState icon="medal">{t('noResults')}</EmptyState>}
    />
  )
}
