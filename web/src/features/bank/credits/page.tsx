import { schoolCell } from '#shell/record-links.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import '#features/ledger/ledger.css'
import {
  type CreditRow,
  exportCredits,
  officeCredits,
  type Refund,
  refundTransfers,
} from '@podium/contract/bank/calls-credits'
import type { AnswerOf } from '@podium/contract/endpoint'
import { formatRupees } from '@podium/contract/money'
import { useState } from 'react'
import { creditFilters } from '#features/ledger/filters.ts'
import { words } from '#features/ledger/words.ts'
import { download } from '#shell/download.ts'
import { useFilters } from '#shell/filters.ts'
import { Day, Rupees } from '#shell/format.tsx'
import { ListPage } from '#shell/list-table.tsx'
import { useEndpoint } from '#shell/query.ts'
import { ListDownloads } from '#shell/saved-views/list-view.tsx'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { DataTable, lines } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/note.tsx'

const dialogs = () => import('./dialogs.tsx')
const ProposeDialog = lazyDialog(dialogs, 'ProposeDialog')
const DecideDialog = lazyDialog(dialogs, 'DecideDialog')
const SettleDialog = lazyDialog(dialogs, 'SettleDialog')
const AccountDialog = lazyDialog(() => import('#features/ledger/statement/dialog.tsx'), 'AccountDialog')

type OpenDialog =
  | { kind: 'propose' | 'account'; school: CreditRow }
  | { kind: 'approve' | 'reject' | 'withdraw' | 'pay' | 'sendBack'; refund: Refund }

/** Schools with a credit, and their refunds: proposed by one person, approved by another. */
export function CreditsPage() {
  const t = words.use()
  const filters = useFilters(creditFilters)
  const list = useEndpoint(officeCredits, { query: filters.values })
  const { data } = list
  const [open, setOpen] = useState<OpenDialog>()
  const may = data?.can.propose === true
  const close = () => setOpen(undefined)
  const refundColumns = useRefundColumns(setOpen)
  return (
    <>
      <ListPage
        name="credits"
        title={t('credits')}
        fact={data && t('creditsFact', { amount: formatRupees(data.total) })}
        list={list}
        rows={data?.credits}
        filters={filters}
        fields={{ search: { label: t('search'), placeholder: t('creditsHint') } }}
        caption={t('inCredit')}
        columns={useCreditColumns(may, setOpen)}
        rowKey={(row) => String(row.schoolId)}
        nothing={<EmptyState icon="search" title={t('nothingFound')} />}
        empty={
          <EmptyState icon="rupee" title={t('noCredits')}>
            {t('noCreditsHint')}
          </EmptyState>
        }>
        <ListDownloads
          endpoint={exportCredits}
          bodyOf={(format) => ({ which: 'credits' as const, ...filters.values, format })}
        />
      </ListPage>
      {data && (
        <section className="mt-6">
          <div className="row between gap-4 mb-3">
            <h2>{t('refundsList')}</h2>
            <div className="acts">
              {data.toPay.refunds > 0 && <Transfers toPay={data.toPay} may={may} />}
              <ListDownloads
                endpoint={exportCredits}
                of={t('refundsList')}
                bodyOf={(format) => ({ which: 'refunds' as const, ...filters.values, format })}
              />
            </div>
          </div>
          <DataTable
            caption={t('refundsList')}
            columns={refundColumns}
            rows={data.refunds}
            rowKey={(row) => String(row.id)}
            stale={list.isPlaceholderData}
            empty={<EmptyState>{t('noRefunds')}</EmptyState>}
          />
        </section>
      )}
      {open && (
        <>
          {open.kind === 'propose' && <ProposeDialog school={open.school} onClose={close} />}
          {open.kind === 'account' && <AccountDialog school={open.school} onClose={close} />}
          {(open.kind === 'approve' || open.kind === 'reject' || open.kind === 'withdraw') && (
            <DecideDialog refund={open.refund} what={open.kind} onClose={close} />
          )}
          {(open.kind === 'pay' || open.kind === 'sendBack') && (
            <SettleDialog refund={open.refund} what={open.kind} onClose={close} />
          )}
        </>
      )}
    </>
  )
}

/** Downloads the bank's file of refunds to pay. Refunds in an earlier file are included again only on request. */
function Transfers({ toPay, may }: { toPay: AnswerOf<typeof officeCredits>['toPay']; may: boolean }) {
  const t = words.use()
  const { act, busy } = useAction([officeCredits])
  const { refunds, fresh, byHand } = toPay
  const again = fresh === 0 && refunds > byHand
  const why = may ? (refunds === byHand ? t('noTransfers') : undefined) : t('mayNot')
  return (
    <Button
      icon="download"
      busy={busy}
      disabled={why}
      onClick={() => void act(() => download(refundTransfers, { body: { again } }))}>
      {again ? t('transfersAgain') : fresh > 0 ? t('transfers', { n: fresh }) : t('transfersNone')}
    </Button>
  )
}

function useCreditColumns(may: boolean, open: (what: OpenDialog) => void): Column<CreditRow>[] {
  const t = words.use()
  return columnsOf(t, [
    { key: 'school', title: true, cell: (row) => schoolCell(row, row.schCode) },
    {
      key: 'amount',
      label: t('inCredit'),
      num: true,
      card: 'wide',
      strong: true,
      cell: (row) =>
        lines(
          <Rupees amount={row.amount} />,
          row.promised > 0 && t('reservedHint', { amount: formatRupees(row.promised) }),
        ),
    },
    {
      key: 'act',
      label: '',
      act: true,
      cell: (row) => (
        <div className="acts">
          <Button onClick={() => open({ kind: 'account', school: row })}>{t('account')}</Button>
          <Button
            disabled={may ? row.amount - row.promised <= 0 && t('allReserved') : t('mayNot')}
            onClick={() => open({ kind: 'propose', school: row })}>
            {t('refund')}
          </Button>
        </div>
      ),
    },
  ])
}

const badges = {
  proposed: 'waiting',
  approved: 'underway',
  paid: 'paid',
  returned: 'rejected',
  rejected: 'rejected',
  withdrawn: 'none',
} as const

function useRefundColumns(open: (what: OpenDialog) => void): Column<Refund>[] {
  const t = words.use()
  const on = (name: string, at: string | null) =>
    at && (
      <>
        {name}, <Day value={at} />
      </>
    )
  return columnsOf(t, [
    { key: 'school', title: true, cell: (row) => schoolCell(row, `${row.schCode}, ${row.reason}`) },
    { key: 'amount', num: true, strong: true, cell: (row) => <Rupees amount={row.amount} /> },
    {
      key: 'to',
      label: t('payTo'),
      card: 'wide',
      cell: (row) => lines(row.payTo, row.utr !== '' && t('utrIs', { utr: row.utr })),
    },
    { key: 'by', label: t('proposedBy'), card: 'wide', cell: (row) => on(row.proposedBy, row.proposedAt) },
    {
      key: 'state',
      label: t('status'),
      card: 'wide',
      cell: (row) =>
        lines(
          <Badge kind={badges[row.state]}>
            {t(row.state === 'approved' ? 'state_toPay' : `state_${row.state}`)}
          </Badge>,
          row.decidedAt && row.settledBy === '' && on(row.decidedBy, row.decidedAt),
          row.settledBy !== '' && on(row.settledBy, row.settledAt),
          row.settleNote,
          row.state === 'approved' && row.filedAt && (
            <>
              {t('inFile')} <Day value={row.filedAt} />
            </>
          ),
        ),
    },
    {
      key: 'act',
      label: '',
      act: true,
      cell: (row) =>
        row.state === 'proposed' ? (
          <RefundActions refund={row} open={open} />
        ) : (
          row.state === 'approved' && <TransferActions refund={row} open={open} />
        ),
    },
  ])
}

function TransferActions({ refund, open }: { refund: Refund; open: (what: OpenDialog) => void }) {
  const t = words.use()
  const why = refund.can.settle === true ? undefined : t('mayNot')
  return (
    <div className="acts">
      <Button disabled={why} onClick={() => open({ kind: 'pay', refund })}>
        {t('pay')}
      </Button>
      <Button disabled={why} onClick={() => open({ kind: 'sendBack', refund })}>
        {t('sendBack')}
      </Button>
    </div>
  )
}

function RefundActions({ refund, open }: { refund: Refund; open: (what: OpenDialog) => void }) {
  const t = words.use()
  const { decide, withdraw } = refund.can
  const why = decide === true ? undefined : t(decide === 'refund.own' ? 'ownProposal' : 'mayNot')
  return (
    <div className="acts">
      <Button disabled={why} onClick={() => open({ kind: 'approve', refund })}>
        {t('approve')}
      </Button>
      {decide === 'refund.own' ? (
        <Button
          disabled={withdraw === true ? undefined : t('mayNot')}
          onClick={() => open({ kind: 'withdraw', refund })}>
          {t('withdraw')}
        </Button>
      ) : (
        <Button kind="danger" disabled={why} onClick={() => open({ kind: 'reject', refund })}>
          {t('reject')}
        </Button>
      )}
    </div>
  )
}
