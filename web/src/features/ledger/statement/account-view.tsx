import {
  accountStatement,
  type LedgerRow,
  type SeasonFigures,
  type StatementLine,
  type StatementTotals,
  shareLedger,
} from '@podium/contract/ledger/calls-statement'
import { formatRupees, fromRupees, rupees, sumPaise } from '@podium/contract/money'
import { feeStatement, type MoneyAnswer, paymentReceipt } from '@podium/contract/payments/calls'
import { istDay } from '@podium/contract/season'
import { count, Day, dayText, Rupees } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { ListTable } from '#shell/list-table.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useMoneyText } from '#shell/school-money.tsx'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { fetchFile } from '#shell/use-downloads.ts'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable, lines } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/note.tsx'
import { Tile, Tiles } from '#ui/panel.tsx'
import type en from '#words/en/ledger-statement.json'

/** Translations of the statement of account and the school's share. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/ledger-statement.json'))

/** Names the school and the day above a printed table. */
function PrintedFor() {
  const t = words.use()
  const season = useSeason()
  const user = useSession()
  const values = {
    school: user?.schName ?? '',
    code: user?.schCode ?? '',
    season,
    day: dayText(istDay(new Date())),
  }
  return <p className="print-only">{t('printed', values)}</p>
}

function PrintButton() {
  const t = words.use()
  return (
    <Button icon="print" className="no-print" onClick={() => window.print()}>
      {t('print')}
    </Button>
  )
}

type T = ReturnType<typeof words.use>

export function feeOf(t: T, paymentFor: StatementLine['paymentFor']): string {
  if (paymentFor === 'Registration Fee') return t('registration')
  return paymentFor === 'Book Fee' ? t('books') : t('library')
}

const chargeWords = {
  'Registration Fee': 'chargeEntries',
  'Book Fee': 'chargeBooks',
  'Library Book Fee': 'chargeCopies',
} as const

const counterWords = {
  cancelled: 'cancelledLine',
  waived: 'waivedLine',
  'moved-in': 'movedIn',
  'moved-out': 'movedOut',
} as const

/** Kinds of lines that end a payment sent */
const decisions: readonly StatementLine['kind'][] = ['verified', 'rejected', 'withdrawn']

const sumOf = (lines: readonly StatementLine[], of: 'debit' | 'credit') =>
  rupees(sumPaise(lines.map((line) => fromRupees(line[of]))))

/** The school's statement of account with the foundation, to read, download and print. */
export function AccountView() {
  const t = words.use()
  const season = useSeason()
  const statement = useEndpoint(accountStatement, { query: { FYear: season } })
  const { data } = statement
  const rows = data?.data.map((line, index) => ({ ...line, at: index }))
  const decided = new Set(
    rows?.filter(({ kind }) => decisions.includes(kind)).map(({ paymentId }) => paymentId),
  )
  const totals = data?.totals
  const pdf = () => fetchFile(feeStatement, { query: { FYear: season } })
  const columns: Column<StatementLine & { at: number }>[] = columnsOf(t, [
    { key: 'date', cell: (line) => <Day value={line.day} /> },
    {
      key: 'what',
      title: true,
      cell: (line) => <EntryText line={line} decided={decided} />,
      foot: t('total'),
    },
    {
      key: 'debit',
      num: true,
      cell: (line) => <Rupees amount={line.debit} dash />,
      foot: rows && <Rupees amount={sumOf(rows, 'debit')} />,
    },
    {
      key: 'credit',
      num: true,
      cell: (line) => <Rupees amount={line.credit} dash />,
      foot: rows && <Rupees amount={sumOf(rows, 'credit')} />,
    },
    {
      key: 'balance',
      label: t('balanceColumn'),
      num: true,
      strong: true,
      cell: (line) => <Rupees amount={line.balance} />,
      foot: totals && <Rupees amount={totals.balance} />,
    },
  ])
  return (
    <div className="statement">
      <PrintedFor />
      {data && rows && rows.length > 0 && <Totals totals={data.totals} money={data.money} />}
      <div className="statement-head row gap-5 mb-4">
        <p className="quiet">{t('how')}</p>
        <div className="acts">
          <Button icon="download" className="no-print" onClick={() => void pdf()}>
            {t('pdf')}
          </Button>
          <PrintButton />
        </div>
      </div>
      <ListTable
        list={statement}
        caption={t('account')}
        columns={columns}
        rows={rows}
        rowKey={(line) => String(line.at)}
        empty={<EmptyState icon="rupee">{t('empty')}</EmptyState>}
      />
    </div>
  )
}

function Totals({ totals, money }: { totals: StatementTotals; money: MoneyAnswer }) {
  const moneyText = useMoneyText()
  const t = words.use()
  const creditText =
    totals.credit > 0 ? t('inCredit', { amount: formatRupees(totals.credit) }) : t('balanceHint')
  const balanceHint = money.total > money.payNow ? moneyText(money) : creditText
  return (
    <Tiles>
      <Tile label={t('collected')} value={formatRupees(totals.gross)} meaning={t('grossHint')} />
      <Tile
        label={t('payable')}
        value={formatRupees(totals.payable)}
        meaning={t('payableHint', { amount: formatRupees(totals.retained) })}
      />
      <Tile label={t('paid')} value={formatRupees(totals.paid)} meaning={t('paidHint')} />
      <Tile label={t('balance')} value={formatRupees(totals.balance)} meaning={balanceHint} />
    </Tiles>
  )
}

interface EntryTextProps {
  line: StatementLine
  /** Payments that have been verified, rejected or withdrawn */
  decided: ReadonlySet<number | null>
}

function EntryText({ line, decided }: EntryTextProps) {
  const t = words.use()
  const fee = feeOf(t, line.paymentFor)
  const amount = formatRupees(line.amount)
  switch (line.kind) {
    case 'charge':
      return (
        <>
          {t(chargeWords[line.paymentFor], { fee, n: line.items })}{' '}
          {line.students > 0 && <span className="quiet">{t('ofStudents', { n: line.students })}</span>}
        </>
      )
    case 'late':
      return t('lateLine', { n: line.items })
    case 'share':
      return t('shareOf', { fee })
    case 'sent':
      return lines(
        t('sent', { amount, fee }),
        <>
          {!decided.has(line.paymentId) && `${t('sentHint')} `}
          {t('sentReference', { reference: line.reference })}
        </>,
      )
    case 'verified':
      return lines(t('verified', { fee }), <Receipt line={line} />)
    case 'cancelled':
    case 'waived':
    case 'moved-in':
    case 'moved-out':
      return lines(t(counterWords[line.kind], { fee }), line.reference)
    case 'rejected':
      return lines(t('rejected', { amount, fee }), line.reason)
    case 'withdrawn':
      return t('withdrawn', { amount, fee })
    case 'reversed':
      return lines(
        `${t('reversed', { fee })} ${t('reversedReceipt', { receiptNo: line.receiptNo })}`,
        line.reason,
      )
    case 'credit':
    case 'used':
    case 'refund':
      return <Credit line={line} />
  }
}

function Credit({ line }: { line: StatementLine }) {
  const t = words.use()
  const { reference, receiptNo, reason } = line
  if (line.kind === 'used') return t('creditUsed', { receiptNo })
  if (reason !== '') return lines(t('creditReturned'), reason)
  return lines(
    t(line.kind === 'refund' ? 'refunded' : 'creditReceived'),
    reference !== '' && t('utr', { utr: reference }),
  )
}

function Receipt({ line }: { line: StatementLine }) {
  const t = words.use()
  const { paymentId, receiptNo } = line
  const open = () => fetchFile(paymentReceipt, { query: { id: String(paymentId) } })
  return (
    <button
      type="button"
      className="lk"
      title={t('downloadReceipt', { receiptNo })}
      onClick={() => void open()}>
      {t('receipt', { receiptNo })}
    </button>
  )
}

type Figures = Pick<SeasonFigures, 'gross' | 'retained' | 'payable'>

/** Returns the columns of the three figures, with totals in the footer if given. */
function figureColumns<Row extends Figures>(t: T, totals?: Figures): Column<Row>[] {
  const column = (key: keyof Figures, label: string): Column<Row> => ({
    key,
    label,
    num: true,
    strong: key === 'retained',
    cell: (row) => <Rupees amount={row[key]} />,
    ...(totals ? { foot: <Rupees amount={totals[key]} /> } : {}),
  })
  return [
    column('gross', t('collected')),
    column('retained', t('shareKept')),
    column('payable', t('payable')),
  ]
}

function entryRange(t: T, { shareFrom, shareTo }: LedgerRow): string {
  const [from, to] = [formatRupees(shareFrom), formatRupees(shareTo)]
  return from === to ? from : t('fromTo', { from, to })
}

/** The school's share by kind of fee and subject, and by season. */
export function ShareView() {
  const t = words.use()
  const season = useSeason()
  const ledger = useEndpoint(shareLedger, { query: { FYear: season } })
  const { data } = ledger
  const columns: Column<LedgerRow>[] = columnsOf(t, [
    { key: 'subject', title: true, cell: (row) => translateSentence(row.subjectName), foot: t('total') },
    { key: 'fee', card: 'wide', cell: (row) => (row.late ? t('lateFee') : feeOf(t, row.paymentFor)) },
    { key: 'heads', label: t('units'), num: true, cell: (row) => count(row.heads) },
    { key: 'paid', label: t('paidUnits'), num: true, cell: (row) => count(row.paidHeads) },
    { key: 'each', label: t('perHead'), num: true, cell: (row) => entryRange(t, row) },
    ...figureColumns<LedgerRow>(t, data?.totals),
  ])
  return (
    <div className="statement">
      <PrintedFor />
      <div className="statement-head row gap-5 mb-4">
        <p className="quiet">{t('unitsHint')}</p>
        <div className="acts">
          <PrintButton />
        </div>
      </div>
      <ListTable
        list={ledger}
        caption={t('share')}
        columns={columns}
        rowKey={(row) => `${row.paymentFor}${row.eventLetter}${row.late}`}
        empty={<EmptyState icon="rupee">{t('emptyShare')}</EmptyState>}
      />
      {data && data.seasons.length > 1 && <Seasons seasons={data.seasons} />}
    </div>
  )
}

function Seasons({ seasons }: { seasons: readonly SeasonFigures[] }) {
  const t = words.use()
  return (
    <div className="statement-seasons">
      <h2 className="mb-3">{t('seasons')}</h2>
      <DataTable
        caption={t('seasons')}
        compact
        columns={columnsOf(t, [
          { key: 'season', title: true, cell: (row) => row.season },
          ...figureColumns<SeasonFigures>(t),
        ])}
        rows={seasons}
        rowKey={(row) => row.season}
      />
    </div>
  )
}
