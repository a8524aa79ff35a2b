import { type PaidEntry, paymentProof, paymentReceipt } from '@podium/contract/payments/calls'
import { download, openFile } from '#shell/download.ts'
import { Day, Rupees } from '#shell/format.tsx'
import { Badge } from '#ui/badge.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table-types.ts'
import { Icon } from '#ui/icon.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

const tell = (cause: Error) => toast.error(cause.message)

/** The payments that were decided upon, with receipts and proofs (specification, 2.13). */
export function PaidTable({ entries, stale }: { entries: readonly PaidEntry[]; stale: boolean }) {
  const t = words.use()
  const numbers = new Map(entries.map((entry, index) => [entry.id, index + 1]))
  const columns: Column<PaidEntry>[] = [
    { key: 'no', label: t('serialNo'), num: true, card: 'none', cell: (entry) => numbers.get(entry.id) },
    { key: 'receipt', label: t('receiptNo'), title: true, cell: (entry) => <Receipt entry={entry} /> },
    {
      key: 'amount',
      label: t('amount'),
      num: true,
      strong: true,
      cell: (entry) => <Rupees amount={entry.payment} />,
    },
    {
      key: 'date',
      label: t('paymentDateColumn'),
      num: true,
      cell: (entry) => <Day value={entry.paymentDate} />,
    },
    {
      key: 'remarks',
      label: t('remarks'),
      card: 'wide',
      cell: (entry) => (entry.reason === '' ? entry.remarks : t('foundationSays', { reason: entry.reason })),
    },
    {
      key: 'status',
      label: t('paymentStatus'),
      cell: (entry) =>
        entry.paymentStatus === 'Verified' ? (
          <Badge kind="verified">{t('verified')}</Badge>
        ) : (
          <Badge kind="rejected">{t('rejected')}</Badge>
        ),
    },
    { key: 'attachment', label: t('attachment'), cell: (entry) => <Proof entry={entry} /> },
    {
      key: 'entered',
      label: t('entryDate'),
      num: true,
      cell: (entry) => <Day value={entry.creationDate} />,
    },
  ]
  return (
    <section className="pay-entries">
      <h2>{t('paidEntries')}</h2>
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
      title={t('downloadReceipt', { receiptNo: entry.receiptNo })}
      onClick={() => void download(paymentReceipt, { query: { id: String(entry.id) } }).catch(tell)}
    >
      {entry.receiptNo}
    </button>
  )
}

/** A sign that opens the proof: the pictures themselves would be most of what the page loads. */
function Proof({ entry }: { entry: PaidEntry }) {
  const t = words.use()
  const name = t('openProof', { name: entry.proofName })
  return (
    <button
      type="button"
      className="thumb"
      aria-label={name}
      title={name}
      onClick={() => void openFile(paymentProof, { query: { id: String(entry.id) } }).catch(tell)}
    >
      <Icon name={entry.proofType.startsWith('image/') ? 'picture' : 'file'} small />
    </button>
  )
}
