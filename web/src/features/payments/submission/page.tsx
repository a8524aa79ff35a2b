import { messages } from '@podium/contract/messages'
import { formatRupees } from '@podium/contract/money'
import {
  feeStatement,
  type PaidEntry,
  type PaymentItem,
  paymentProof,
  paymentReceipt,
  paymentSummary,
} from '@podium/contract/payments/calls'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { download, openFile } from '#shell/download.ts'
import { useFilters } from '#shell/filters.ts'
import { Day, dayText, Rupees } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { PanelProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { SchoolMoney } from '#shell/school-money.tsx'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { fetchFile } from '#shell/use-downloads.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable, lines } from '#ui/data-table.tsx'
import { Icon } from '#ui/icon.tsx'
import { lazyDialog, lazyPart } from '#ui/lazy-part.ts'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { hideAfterSkeleton, Skeleton } from '#ui/skeleton.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { toast } from '#ui/toast.tsx'
import { DueCard, PaidCard, SentCard, words } from './fee-card.tsx'
import { paymentFilters } from './filters.ts'
import './submission.css'

const tell = (cause: Error) => toast.error(cause.message)

/** Verified and rejected payments, with receipts and proofs (specification, 2.13). */
function PaidTable({ entries, stale }: { entries: readonly PaidEntry[]; stale: boolean }) {
  const t = words.use()
  const numbers = new Map(entries.map((entry, index) => [entry.id, index + 1]))
  const columns: Column<PaidEntry>[] = columnsOf(t, [
    { key: 'serialNo', num: true, card: 'none', cell: (entry) => numbers.get(entry.id) },
    { key: 'receiptNo', title: true, cell: (entry) => <Receipt entry={entry} /> },
    { key: 'amount', num: true, strong: true, cell: (entry) => <Rupees amount={entry.payment} /> },
    { key: 'paymentDateColumn', num: true, cell: (entry) => <Day value={entry.paymentDate} /> },
    {
      key: 'remarks',
      card: 'wide',
      cell: (entry) =>
        entry.reason === '' || entry.withdrawn
          ? entry.remarks
          : t('foundationHint', { reason: entry.reason }),
    },
    {
      key: 'paymentStatus',
      cell: (entry) =>
        entry.paymentStatus === 'Verified' ? (
          <Badge kind="verified">{t('verified')}</Badge>
        ) : entry.cancelledOn === null ? (
          <Badge kind={entry.withdrawn ? 'inactive' : 'rejected'}>
            {t(entry.withdrawn ? 'withdrawn' : 'rejected')}
          </Badge>
        ) : (
          lines(<Badge kind="rejected">{t('cancelled')}</Badge>, <Day value={entry.cancelledOn} />)
        ),
    },
    { key: 'attachment', cell: (entry) => <Proof entry={entry} /> },
    { key: 'entryDate', num: true, cell: (entry) => <Day value={entry.creationDate} /> },
  ])
  return (
    <section>
      <h2 className="mb-3">{t('paidEntries')}</h2>
      <DataTable
        caption={t('paidEntries')}
        columns={columns}
        rows={entries}
        rowKey={(entry) => String(entry.id)}
        stale={stale}
        cardColumns={2}
      />
    </section>
  )
}

function Receipt({ entry }: { entry: PaidEntry }) {
  const t = words.use()
  if (entry.receiptNo === '') return <span className="nm quiet nowrap">{t('noReceipt')}</span>
  return (
    <button
      type="button"
      className="lk nm nowrap"
      aria-label={t('downloadReceipt', { receiptNo: entry.receiptNo })}
      title={t('downloadReceipt', { receiptNo: entry.receiptNo })}
      onClick={() => void download(paymentReceipt, { query: { id: String(entry.id) } }).catch(tell)}>
      {entry.receiptNo}
    </button>
  )
}

/** An icon that opens the proof. Thumbnails would account for most of the page's weight. */
function Proof({ entry }: { entry: PaidEntry }) {
  const t = words.use()
  const name = t('openProof', { name: [entry.proofName, entry.receiptNo].filter(Boolean).join(', ') })
  return (
    <button
      type="button"
      className="thumb"
      aria-label={name}
      title={name}
      onClick={() => void openFile(paymentProof, { query: { id: String(entry.id) } }).catch(tell)}>
      <Icon name={entry.proofType.startsWith('image/') ? 'picture' : 'file'} small />
    </button>
  )
}

const PaymentDialog = lazyDialog(() => import('./payment-dialog.tsx'), 'PaymentDialog')
const AccountView = lazyPart(() => import('#features/ledger/statement/account-view.tsx'), 'AccountView')
const WaiverSection = lazyPart(() => import('../waivers/section.tsx'), 'WaiverSection')
const ShareView = lazyPart(() => import('#features/ledger/statement/account-view.tsx'), 'ShareView')

/** The page Importantlink/managepayment: payments that are due, being verified or paid. */
export function ManagePaymentPage() {
  const t = words.use()
  const translate = useSentences()
  const season = useSeason()
  const session = useSession()
  const hasSchool = Boolean(session?.schId)
  const { shown, change } = useFilters(paymentFilters)
  const { view } = shown
  const statement = () => fetchFile(feeStatement, { query: { FYear: season } })
  return (
    <>
      <div className={view === 'pay' ? undefined : 'no-print'}>
        <PageHeader title={t('title')} fact={t(view === 'pay' ? 'fact' : 'season', { season })}>
          {hasSchool && (
            <Button icon="download" onClick={() => void statement()}>
              {t('feeStatement')}
            </Button>
          )}
        </PageHeader>
      </div>
      {view === 'pay' ? (
        session?.schName && (
          <p className="print-only">
            {session.schName}, {dayText(new Date().toISOString())}
          </p>
        )
      ) : (
        <h1 className="print-only">{t(view === 'account' ? 'viewAccount' : 'viewShare')}</h1>
      )}
      {hasSchool ? (
        <Views season={season} view={view} onView={(to) => change({ view: to })} />
      ) : (
        <Panel>
          <EmptyState icon="clock">{translate(messages.verificationInProgress)}</EmptyState>
        </Panel>
      )}
    </>
  )
}

type View = 'pay' | 'account' | 'share'

/** The tabs for fees, statement of account and share, each with its own URL. */
function Views(props: { season: string; view: View; onView: (view: View) => void }) {
  const { season, view, onView } = props
  const t = words.use()
  return (
    <div className="pay-views">
      <Tabs
        label={t('title')}
        active={view}
        onChange={onView}
        tabs={[
          { key: 'pay', label: t('viewPay') },
          { key: 'account', label: t('viewAccount') },
          { key: 'share', label: t('viewShare') },
        ]}>
        <Suspense fallback={<Skeleton shape="table" />}>
          {view === 'pay' && <Payments key={season} />}
          {view === 'account' && <AccountView key={season} />}
          {view === 'share' && <ShareView key={season} />}
        </Suspense>
      </Tabs>
    </div>
  )
}

function Payments() {
  const t = words.use()
  const season = useSeason()
  const summary = useEndpoint(paymentSummary, { query: { FYear: season } })
  const [paying, setPaying] = useState<PaymentItem['paymentFor']>()
  if (summary.isPending) return <Skeleton shape="cards" rows={2} />
  if (summary.isError && !summary.data) {
    return <PanelProblem error={summary.error} retry={() => summary.refetch()} />
  }
  const { dataList, paidList } = summary.data
  const item = dataList.find((item) => isDue(item) && item.paymentFor === paying)
  return (
    <div ref={hideAfterSkeleton}>
      <SchoolMoney money={summary.data.money} />
      {summary.data.credit > 0 && dataList.some(isDue) && (
        <Note className="mb-4">{t('creditHint', { amount: formatRupees(summary.data.credit) })}</Note>
      )}
      {dataList.length === 0 ? <NothingDue /> : <Fees items={dataList} onUpdate={setPaying} />}
      {paidList.length > 0 && <PaidTable entries={paidList} stale={summary.isPlaceholderData} />}
      {dataList.length > 0 && (
        <Suspense>
          <WaiverSection />
        </Suspense>
      )}
      {item && <PaymentDialog item={item} season={season} onClose={() => setPaying(undefined)} />}
    </div>
  )
}

function isDue(item: PaymentItem): boolean {
  return item.paymentStatus === 'Pending' && item.paymentStatus_For_School === 0
}

interface FeesProps {
  items: readonly PaymentItem[]
  onUpdate: (paymentFor: PaymentItem['paymentFor']) => void
}

/** Whether a fee can be paid now. Later entries become payable once the pending payment is verified. */
const isOpen = (item: PaymentItem) => isDue(item) && item.can.submit !== 'payments.pending_first'

/** Shows payable fees large on the left and the rest on the right. A single group takes the whole width. */
function Fees({ items, onUpdate }: FeesProps) {
  const card = (item: PaymentItem) => {
    if (isDue(item))
      return <DueCard key={item.reference} item={item} onUpdate={() => onUpdate(item.paymentFor)} />
    if (item.paymentStatus === 'Paid') return <PaidCard key={item.paymentFor} item={item} />
    return <SentCard key={item.reference} item={item} />
  }
  const due = items.filter(isOpen).map(card)
  const rest = items
    .filter((item) => !isOpen(item))
    .toSorted((a, b) => Number(isDue(a)) - Number(isDue(b)))
    .map(card)
  const warm = () => void PaymentDialog.load()
  if (due.length === 0 || rest.length === 0) {
    return (
      <div className="fees" onPointerEnter={warm}>
        {due}
        {rest}
      </div>
    )
  }
  return (
    <div className="two mb-6" onPointerEnter={warm}>
      <div className="stack">{due}</div>
      <div className="stack">{rest}</div>
    </div>
  )
}

function NothingDue() {
  const t = words.use()
  return (
    <Panel>
      <EmptyState
        icon="rupee"
        title={t('nothingTitle')}
        actions={
          <Link to={paths.studentEntry} className={buttonClass('primary')}>
            {t('addStudents')}
          </Link>
        }>
        {t('nothingDue')}
      </EmptyState>
    </Panel>
  )
}
