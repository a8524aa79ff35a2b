import { lazyDialog } from '#ui/lazy-part.ts'
import '../ledger.css'
import { text } from '@podium/contract/fields'
import {
  closeDay,
  closeDays,
  type DayFigures,
  exportDays,
  type MoneyDay,
  moneyDays,
} from '@podium/contract/ledger/calls'
import { formatRupees } from '@podium/contract/money'
import { istDay } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import { useState } from 'react'
import { call } from '#shell/call.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { useFilters } from '#shell/filters.ts'
import { count, dayText, keepDatesTogether, Rupees } from '#shell/format.tsx'
import { useMay } from '#shell/guard.ts'
import { choicesOf, ListPage } from '#shell/list-table.tsx'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { useSeason } from '#shell/season.ts'
import { useDownloads } from '#shell/use-downloads.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { closingFilters, closingViews } from '../filters.ts'
import { words } from '../words.ts'

const dayWords = { '': 'allDays', open: 'openDays', difference: 'differingDays' } as const

const ReasonDialog = lazyDialog(() => import('#shell/reason-dialog.tsx'), 'ReasonDialog')

/** The days with decisions about money. Each one must add up and is closed once it is over. */
export function ClosingPage() {
  const t = words.use()
  const season = useSeason()
  const mayClose = useMay('payments.decide')
  const list = useEndpoint(moneyDays, { query: { FYear: season } })
  const days = list.data?.data
  const [shown, setShown] = useState<string>()
  const [closing, setClosing] = useState<MoneyDay>()
  const filters = useFilters(closingFilters)
  const { show } = filters.values
  const fits = ({ closedAt, figures }: MoneyDay) =>
    show === '' || (show === 'open' ? closedAt === null : figures.difference !== 0)
  return (
    <>
      <ListPage
        name="closing"
        title={t('closing')}
        fact={t('closingFact', { season })}
        note={!mayClose && <Note className="mb-4">{t('mayNot')}</Note>}
        list={list}
        rows={days?.filter(fits)}
        filters={filters}
        fields={{
          show: { label: t('days'), choices: choicesOf(closingViews, (value) => t(dayWords[value])) },
        }}
        className="money-days"
        caption={t('closing')}
        columns={useColumns(shown, setShown, setClosing)}
        rowKey={(row) => row.day}
        folds={(row) => dayText(row.day)}
        more={(row) => (row.day === shown ? <Sums figures={row.figures} /> : undefined)}
        nothing={days?.length ? <EmptyState icon="ok">{t('noSuchDays')}</EmptyState> : undefined}
        empty={
          <EmptyState icon="calendar" title={t('noDays')}>
            {t('noDaysHint')}
          </EmptyState>
        }
      />
      <Journal filters={filters} />
      {closing && <CloseDialog days={toClose(days ?? [], closing)} onClose={() => setClosing(undefined)} />}
    </>
  )
}

function useColumns(
  shown: string | undefined,
  show: (day?: string) => void,
  close: (day: MoneyDay) => void,
): Column<MoneyDay>[] {
  const t = words.use()
  return columnsOf(t, [
    {
      key: 'day',
      title: true,
      cell: (row) => (
        <button
          type="button"
          className="lk nowrap"
          aria-expanded={shown === row.day}
          onClick={() => show(shown === row.day ? undefined : row.day)}>
          {dayText(row.day)}
        </button>
      ),
    },
    {
      key: 'lines',
      num: true,
      cell: ({ figures }) =>
        lines(
          <Rupees amount={figures.linesAmount} dash />,
          figures.lines > 0 && t('linesCount', { n: figures.lines }),
        ),
    },
    {
      key: 'arrived',
      num: true,
      cell: ({ figures }) =>
        lines(
          <Rupees amount={figures.arrived} dash />,
          figures.arrivedOpen > 0 && t('arrivedOpen', { amount: formatRupees(figures.arrivedOpen) }),
        ),
    },
    {
      key: 'payments',
      num: true,
      cell: ({ figures }) =>
        lines(
          <Rupees amount={figures.paymentsAmount} dash />,
          figures.reversalsAmount > 0 && t('reversals', { amount: formatRupees(figures.reversalsAmount) }),
        ),
    },
    {
      key: 'difference',
      num: true,
      strong: true,
      card: 'said',
      cell: ({ figures, foundSince }) =>
        lines(
          <Rupees amount={figures.difference} dash />,
          figures.foundLater > 0 && t('foundLaterHint', { amount: formatRupees(figures.foundLater) }),
          foundSince > 0 && t('foundSince', { amount: formatRupees(foundSince) }),
        ),
    },
    {
      key: 'receipts',
      label: t('receiptsOf'),
      card: 'wide',
      cell: ({ figures }) => <Receipts figures={figures} />,
    },
    {
      key: 'credit',
      label: t('toCredit'),
      num: true,
      cell: ({ figures }) => <Rupees amount={figures.creditReceived} dash />,
    },
    { key: 'refunds', num: true, cell: ({ figures }) => <Rupees amount={figures.refundsAmount} dash /> },
    {
      key: 'state',
      label: t('closed'),
      card: 'beside',
      cell: (row) => <State day={row} onClose={() => close(row)} />,
    },
  ])
}

/** Shows who closed a day and when, or a button to close it. */
function State({ day, onClose }: { day: MoneyDay; onClose: () => void }) {
  const t = words.use()
  const { close } = day.can
  if (day.closedAt === null && close === 'bank.day_closed')
    return <span className="quiet">{t('beforeRecord')}</span>
  if (day.closedAt === null && close === 'bank.day_not_over')
    return <span className="quiet">{t('notOver')}</span>
  if (day.closedAt === null) {
    const upTo = close === 'bank.earlier_day_open'
    return (
      <Button disabled={close !== true && !upTo && t('mayNot')} onClick={onClose}>
        {t(upTo ? 'closeUpTo' : 'close')}
      </Button>
    )
  }
  return lines(
    <Badge kind="verified">{t('closed')}</Badge>,
    keepDatesTogether(t('by', { name: day.closedBy, day: dayText(istDay(new Date(day.closedAt))) })),
    day.note,
  )
}

function Receipts({ figures }: { figures: DayFigures }) {
  const t = words.use()
  return figures.receipts.map(({ season, first, last, count: n, gaps }) => (
    <span key={season} className="receipts">
      <span className="nowrap">
        {first === last ? first : t('receiptRange', { first, last, n: count(n) })}
      </span>
      {gaps === 0 ? (
        <span className="under">{t('noGaps')}</span>
      ) : (
        <Badge kind="doubt">{t('gaps', { n: gaps })}</Badge>
      )}
    </span>
  ))
}

/** Both sums of a day, written out so that one can check them. */
function Sums({ figures }: { figures: DayFigures }) {
  const t = words.use()
  const sum = (title: string, whole: number, parts: readonly (readonly [string, number])[]) => (
    <div>
      <h2>{title}</h2>
      <dl className="lines">
        {parts.map(([label, amount]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{formatRupees(amount)}</dd>
          </div>
        ))}
        <div className="tot">
          <dt>{t('amount')}</dt>
          <dd>{formatRupees(whole)}</dd>
        </div>
      </dl>
    </div>
  )
  return (
    <div className="day-sums">
      {sum(t('linesEqual'), figures.linesAmount, [
        [t('toPayments'), figures.toPayments],
        [t('toEarlier'), figures.toEarlier],
        [t('toCredit'), figures.toCredit],
        [t('discarded'), figures.discarded],
      ])}
      {sum(t('paymentsEqual'), figures.paymentsAmount, [
        [t('fromLines'), figures.fromLines],
        [t('fromCredit'), figures.fromCredit],
        [t('foundLater'), figures.foundLater],
        [t('withoutLine'), figures.difference],
      ])}
    </div>
  )
}

/** Returns the day with all earlier open days, which must be closed first. */
function toClose(days: readonly MoneyDay[], last: MoneyDay): MoneyDay[] {
  if (last.can.close === true) return [last]
  const open = ({ closedAt, can }: MoneyDay) => closedAt === null && can.close !== 'bank.day_closed'
  return days.filter((earlier) => earlier.day <= last.day && open(earlier)).toReversed()
}

/** Closes days, with a note that must say why if payments have no bank line. */
function CloseDialog({ days, onClose }: { days: readonly MoneyDay[]; onClose: () => void }) {
  const t = words.use()
  const difference = days.reduce((sum, { figures }) => sum + Math.round(figures.difference * 100), 0) / 100
  const differs = days.some(({ figures }) => figures.difference !== 0)
  const last = dayText(days.at(-1)?.day ?? '')
  const [only] = days.length === 1 ? days : []
  return (
    <ReasonDialog
      title={only ? t('closeTitle', { day: last }) : t('closeManyTitle', { n: days.length, day: last })}
      description={differs ? t('closeDifference', { amount: formatRupees(difference) }) : t('closeHint')}
      label={t('note')}
      hint={t('noteHint')}
      optional={!differs}
      rule={differs ? text(sentences.dayWithoutLine, 500) : closeDay.body.shape.note}
      action={only ? t('close') : t('closeMany', { n: days.length })}
      act={async (note) => {
        if (only) await call(closeDay, { body: { day: only.day, seen: only.seen, note } })
        else await call(closeDays, { body: { days: days.map(({ day, seen }) => ({ day, seen })), note } })
      }}
      invalidates="all"
      done={only ? t('doneClosed', { day: last }) : t('doneClosedMany', { n: days.length })}
      onClose={onClose}
    />
  )
}

interface JournalProps {
  filters: ReturnType<typeof useFilters<typeof closingFilters.readers>>
}

/** Exports every decision about money between two days, for the accountant. */
export function Journal({ filters }: JournalProps) {
  const t = words.use()
  const { fetchFile } = useDownloads()
  const today = istDay(new Date())
  const from = filters.shown.from || `${today.slice(0, 7)}-01`
  const until = filters.shown.until || today
  // Ignore a half-typed day: the previous one stays.
  const change = (days: { from?: string; until?: string }) => {
    if (!Object.values(days).includes('')) filters.change(days)
  }
  return (
    <Panel title={t('journal')} className="money-journal no-print mt-6">
      <p className="quiet">
        {t('journalHint')} {t('tallyHint')}
      </p>
      <div className="grid">
        <DateField className="c3" label={t('from')} value={from} onChange={(day) => change({ from: day })} />
        <DateField
          className="c3"
          label={t('until')}
          value={until}
          onChange={(day) => change({ until: day })}
        />
      </div>
      <div className="acts">
        <ListDownloads
          endpoint={exportDays}
          bodyOf={(format) => ({ from, until, format })}
          more={[
            {
              label: t('tally'),
              onChoose: () => void fetchFile('tally', exportDays, { body: { from, until, format: 'tally' } }),
            },
          ]}
        />
      </div>
    </Panel>
  )
}
