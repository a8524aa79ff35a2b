import { formatRupees } from '@podium/contract/money'
import {
  cancelReceiptsZip,
  exportReceipts,
  officeReceipts,
  type ReceiptRow,
  receiptSorts,
  receiptsZip,
  receiptsZipFile,
  startReceiptsZip,
} from '@podium/contract/payments/calls-receipts'
import { officePaymentReceipt } from '@podium/contract/payments/calls-verification'
import { paymentKinds } from '@podium/contract/payments/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { receiptFilters } from '#features/ledger/filters.ts'
import { feeName, words } from '#features/ledger/words.ts'
import { call } from '#shell/call.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { useFilters } from '#shell/filters.ts'
import { count, Day, dayText, Rupees } from '#shell/format.tsx'
import { JobFiles, JobPanel, pollUntilEnded } from '#shell/jobs/job-panel.tsx'
import { choicesOf, ListPage } from '#shell/list-table.tsx'
import { endpointQuery, useEndpoint } from '#shell/query.ts'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { useSeason } from '#shell/season.ts'
import { useAction } from '#shell/use-action.ts'
import { useDownloads } from '#shell/use-downloads.ts'
import { Badge } from '#ui/badge.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { lines } from '#ui/data-table.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { EmptyState } from '#ui/note.tsx'

const FileDialog = lazyDialog(() => import('#shell/file-view.tsx'), 'FileDialog')

function useReceipts() {
  const season = useSeason()
  const filters = useFilters(receiptFilters)
  const { page, ...wanted } = filters.values
  const asked = { FYear: season, ...wanted }
  const list = useEndpoint(officeReceipts, { query: { ...asked, page: String(page) } })
  return { filters, asked, list }
}

const zipCalls = [receiptsZip]

const orders = { newest: 'newest', oldest: 'oldest', amount: 'byAmount', school: 'bySchool' } as const

/** All receipts of a season, with search, filters, totals and downloads. */
export function ReceiptsPage() {
  const t = words.use()
  const { list, filters, asked } = useReceipts()
  const { data } = list
  const [open, setOpen] = useState<ReceiptRow>()
  const { act } = useAction(zipCalls)
  return (
    <>
      <ListPage
        name="receipts"
        title={t('receipts')}
        fact={data && t('receiptsFact', { n: data.total, amount: formatRupees(data.sums.payable) })}
        list={list}
        filters={filters}
        fields={{
          search: { label: t('search'), placeholder: t('receiptsHint') },
          paymentFor: {
            label: t('paymentFor'),
            all: t('all'),
            choices: choicesOf(paymentKinds, (kind) => feeName(t, kind)),
          },
          bank: {
            label: t('bankLine'),
            all: t('all'),
            choices: choicesOf(['found', 'missing', 'cancelled'], t),
          },
          from: { label: t('from'), as: DateField, format: dayText },
          until: { label: t('until'), as: DateField, format: dayText },
          sort: { label: t('order'), choices: choicesOf(receiptSorts, (sort) => t(orders[sort])) },
        }}
        ahead={<ReceiptsZip />}
        caption={t('receipts')}
        cardColumns={2}
        columns={useColumns(data?.sums, setOpen)}
        rowKey={(row) => String(row.paymentId)}
        folds={(row) => row.receiptNo}
        nothing={t('nothingFound')}
        empty={
          <EmptyState icon="rupee" title={t('noReceipts')}>
            {t('noReceiptsHint')}
          </EmptyState>
        }>
        <ListDownloads
          endpoint={exportReceipts}
          bodyOf={(format) => ({ ...asked, format })}
          more={[
            { label: t('zip'), onChoose: () => void act(() => call(startReceiptsZip, { body: asked })) },
          ]}
        />
      </ListPage>
      {open && (
        <FileDialog
          file={{
            call: officePaymentReceipt,
            id: open.paymentId,
            label: t('receiptOf', { receiptNo: open.receiptNo }),
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

/** The ZIP requested within the last day: progress, then the download. */
function ReceiptsZip() {
  const t = words.use()
  const { data, isPending } = useQuery({ ...endpointQuery(receiptsZip, {}), refetchInterval: pollUntilEnded })
  const stopping = useAction(zipCalls)
  const { busy, fetchFile } = useDownloads<number>()
  const job = data?.job
  if (isPending) return <div className="coming" />
  if (!job) return null
  const { jobId, file, total, done } = job
  return (
    <JobPanel
      className="mb-4"
      title={t('zipTitle', { season: job.season })}
      job={job}
      making={t('zipMaking')}
      progressText={t('zipProgress', { done: count(done), n: count(total) })}
      stopped={t('zipStopped')}
      disabledReason={undefined}
      stopping={stopping.busy}
      onStop={() => void stopping.act(() => call(cancelReceiptsZip, { body: { jobId } }))}>
      <JobFiles
        files={file ? [{ ...file, part: 0, contents: t('zipOf', { n: total }) }] : []}
        until={job.until}
        busy={busy}
        onFetch={(part) => void fetchFile(part, receiptsZipFile, { body: { jobId } })}
      />
    </JobPanel>
  )
}

/** An amount of a receipt, struck through once it is cancelled: the sums leave it out. */
function Amount({ row, amount }: { row: ReceiptRow; amount: number }) {
  const shown = <Rupees amount={amount} />
  return row.cancelledOn === null ? shown : <s className="quiet">{shown}</s>
}

function useColumns(
  sums: { gross: number; retained: number; payable: number } | undefined,
  onOpen: (row: ReceiptRow) => void,
): Column<ReceiptRow>[] {
  const t = words.use()
  return columnsOf(t, [
    {
      key: 'receipt',
      label: t('receiptNo'),
      title: true,
      foot: t('total'),
      cell: (row) => (
        <button
          type="button"
          className="lk nowrap"
          title={t('openReceipt', { receiptNo: row.receiptNo })}
          onClick={() => onOpen(row)}>
          {row.receiptNo}
        </button>
      ),
    },
    { key: 'day', label: t('verified'), card: 'beside', cell: (row) => <Day value={row.day} /> },
    { key: 'school', card: 'lead wide', cell: (row) => lines(row.schName, row.schCode) },
    {
      key: 'for',
      label: t('paymentFor'),
      card: 'wide',
      cell: (row) => lines(feeName(t, row.paymentFor), <span className="nowrap">{row.reference}</span>),
    },
    {
      key: 'gross',
      num: true,
      cell: (row) => <Amount row={row} amount={row.gross} />,
      foot: sums && <Rupees amount={sums.gross} />,
    },
    {
      key: 'kept',
      label: t('schoolShare'),
      num: true,
      cell: (row) => <Amount row={row} amount={row.retained} />,
      foot: sums && <Rupees amount={sums.retained} />,
    },
    {
      key: 'payable',
      num: true,
      strong: true,
      card: 'lead',
      cell: (row) => <Amount row={row} amount={row.payableAmount} />,
      foot: sums && <Rupees amount={sums.payable} />,
    },
    {
      key: 'bank',
      label: t('bankLine'),
      cell: (row) =>
        row.cancelledOn === null ? (
          <Badge kind={row.found ? 'verified' : 'waiting'}>{t(row.found ? 'found' : 'missing')}</Badge>
        ) : (
          <>
            <Badge kind="rejected">{t('cancelled')}</Badge>
            <span className="under" title={row.reason}>
              <Day value={row.cancelledOn} />
            </span>
          </>
        ),
    },
  ])
}
