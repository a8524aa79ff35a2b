import { lines } from '#ui/data-table.tsx'
import '#features/ledger/ledger.css'
import {
  type AccountChange,
  type AccountPurpose,
  accountChangeDelay,
  accountPurposes,
  decideAccount,
  type PayAccount,
  payAccounts,
  proposeAccount,
  stopAccount,
  withdrawAccount,
} from '@podium/contract/payments/calls-accounts'
import { istDay } from '@podium/contract/season'
import { useState } from 'react'
import * as z from 'zod/mini'
import { words } from '#features/ledger/words.ts'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { FormDialog, useFormDialog } from '#shell/form-dialog.tsx'
import { Day, dayText } from '#shell/format.tsx'
import { RecordTable } from '#shell/list-table.tsx'
import { PageProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { type Column, columnsOf } from '#ui/columns.ts'
import { AccountNumber, KeyValue, KeyValues } from '#ui/copyable.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { hideAfterSkeleton, Skeleton } from '#ui/skeleton.tsx'
import { TextArea, TextField } from '#ui/text-field.tsx'

type OpenDialog =
  | { kind: 'change'; purpose: AccountPurpose }
  | { kind: 'approve' | 'reject' | 'withdraw' | 'stop'; change: AccountChange }

/** The accounts that schools pay to. A change is proposed by one person, approved by another, visible a day later. */
export function AccountsPage() {
  const t = words.use()
  const { data, error, refetch } = useEndpoint(payAccounts)
  const [open, setOpen] = useState<OpenDialog>()
  const columns = useColumns(setOpen)
  if (error && !data) return <PageProblem title={t('accounts')} error={error} retry={refetch} />
  const close = () => setOpen(undefined)
  const current = (purpose: AccountPurpose) => data?.current.find((account) => account.purpose === purpose)
  return (
    <>
      <PageHeader title={t('accounts')} fact={t('accountsFact')} />
      <div ref={hideAfterSkeleton}>
        <div className="pay-accounts">
          {!data && <Skeleton shape="form" rows={4} />}
          {data &&
            accountPurposes.map((purpose) => (
              <Panel
                key={purpose}
                title={t(purpose === 'books' ? 'books' : 'registrationFee')}
                foot={
                  <Button
                    disabled={data.can.propose === true ? undefined : t('mayNot')}
                    onClick={() => setOpen({ kind: 'change', purpose })}>
                    {t('change')}
                  </Button>
                }>
                <Details account={current(purpose)} />
              </Panel>
            ))}
        </div>
        <div className="mt-6">
          <RecordTable
            title={t('changes')}
            columns={columns}
            rows={data?.changes}
            rowKey={(row) => String(row.id)}
            empty={<EmptyState>{t('noChanges')}</EmptyState>}
          />
        </div>
      </div>
      {open &&
        (open.kind === 'change' ? (
          <ChangeDialog purpose={open.purpose} current={current(open.purpose)} onClose={close} />
        ) : (
          <DecideAccount change={open.change} what={open.kind} onClose={close} />
        ))}
    </>
  )
}

function Details({ account }: { account: PayAccount | undefined }) {
  const t = words.use()
  if (!account) return <p className="quiet">{t('noUpi')}</p>
  return (
    <KeyValues>
      <KeyValue label={t('accountName')}>{account.accountName}</KeyValue>
      <KeyValue label={t('bank')}>{account.bankName}</KeyValue>
      <KeyValue label={t('accountNo')} copy={account.accountNo}>
        <AccountNumber value={account.accountNo} />
      </KeyValue>
      <KeyValue label={t('ifsc')}>{account.ifsc}</KeyValue>
      <KeyValue label={t('upiId')}>{account.upiId || <span className="quiet">{t('noUpi')}</span>}</KeyValue>
    </KeyValues>
  )
}

const badges = {
  proposed: 'waiting',
  approved: 'verified',
  rejected: 'rejected',
  withdrawn: 'none',
  stopped: 'rejected',
} as const

function useColumns(open: (what: OpenDialog) => void): Column<AccountChange>[] {
  const t = words.use()
  const on = (name: string, at: string | null) =>
    at && (
      <>
        {name}, <Day value={at} />
      </>
    )
  return columnsOf(t, [
    {
      key: 'accountNo',
      title: true,
      cell: (row) =>
        lines(
          <AccountNumber value={row.accountNo} />,
          [row.bankName, row.ifsc, row.upiId].filter(Boolean).join(', '),
        ),
    },
    {
      key: 'for',
      label: t('account'),
      cell: (row) => t(row.purpose === 'books' ? 'books' : 'registrationFee'),
    },
    { key: 'reason', card: 'wide', cell: (row) => row.reason },
    { key: 'proposedBy', cell: (row) => on(row.proposedBy, row.proposedAt) },
    {
      key: 'status',
      card: 'wide',
      cell: (row) =>
        lines(
          <Badge kind={badges[row.state]}>{t(`state_${row.state}`)}</Badge>,
          row.decidedAt && on(row.decidedBy, row.decidedAt),
          row.decisionNote,
          row.state === 'approved' &&
            row.validFrom &&
            t('effectFrom', { day: dayText(istDay(new Date(row.validFrom))) }),
        ),
    },
    { key: 'act', label: '', act: true, cell: (row) => <ChangeActions change={row} open={open} /> },
  ])
}

function ChangeActions({ change, open }: { change: AccountChange; open: (what: OpenDialog) => void }) {
  const t = words.use()
  const { decide, withdraw, stop } = change.can
  if (change.state === 'approved' && stop !== 'account.change_decided')
    return (
      <Button
        kind="danger"
        disabled={stop === true ? undefined : t('mayNot')}
        onClick={() => open({ kind: 'stop', change })}>
        {t('stop')}
      </Button>
    )
  if (change.state !== 'proposed') return null
  const isOwnChange = decide === 'account.change_own'
  const why = decide === true ? undefined : t(isOwnChange ? 'ownProposal' : 'mayNot')
  return (
    <div className="acts">
      <Button kind="primary" disabled={why} onClick={() => open({ kind: 'approve', change })}>
        {t('approve')}
      </Button>
      {isOwnChange ? (
        <Button
          disabled={withdraw === true ? undefined : t('mayNot')}
          onClick={() => open({ kind: 'withdraw', change })}>
          {t('withdraw')}
        </Button>
      ) : (
        <Button kind="danger" disabled={why} onClick={() => open({ kind: 'reject', change })}>
          {t('reject')}
        </Button>
      )}
    </div>
  )
}

const { purpose: _, ...fields } = proposeAccount.body.shape

interface ChangeProps {
  purpose: AccountPurpose
  current: PayAccount | undefined
  onClose: () => void
}

/** Proposes a changed account. The form starts with the current details. */
function ChangeDialog({ purpose, current, onClose }: ChangeProps) {
  const t = words.use()
  const f = useFormDialog({
    schema: z.object(fields),
    initialValues: {
      accountName: current?.accountName ?? '',
      bankName: current?.bankName ?? '',
      accountNo: current?.accountNo ?? '',
      ifsc: current?.ifsc ?? '',
      upiId: current?.upiId ?? '',
      reason: '',
    },
    save: (typed) => call(proposeAccount, { body: { purpose, ...typed } }),
    invalidates: 'all',
    done: t('doneProposed'),
    onClose,
  })
  const field = (name: 'accountName' | 'bankName' | 'accountNo' | 'ifsc' | 'upiId', optional = false) => (
    <TextField
      className="c6"
      label={t(name === 'bankName' ? 'bank' : name)}
      optional={optional}
      {...f.form.field(name)}
    />
  )
  return (
    <FormDialog
      of={f}
      title={t('changeTitle', { purpose: t(purpose === 'books' ? 'books' : 'registrationFee') })}
      save={t('propose')}
      asksBeforeLeaving>
      <Note>{t('changeHint')}</Note>
      <div className="grid">
        {field('accountName')}
        {field('bankName')}
        {field('accountNo')}
        {field('ifsc')}
        {field('upiId', true)}
      </div>
      <TextArea label={t('reason')} rows={2} {...f.form.field('reason')} />
    </FormDialog>
  )
}

interface DecideProps {
  change: AccountChange
  what: 'approve' | 'reject' | 'withdraw' | 'stop'
  onClose: () => void
}

/** Approves, rejects or withdraws a proposed account, or stops an approved one before schools see it. */
function DecideAccount({ change, what, onClose }: DecideProps) {
  const t = words.use()
  const { id, accountNo: account } = change
  const shared = { action: t(what), invalidates: 'all' as const, done: t('doneDecided'), onClose }
  if (what === 'withdraw')
    return (
      <ConfirmAction
        {...shared}
        danger
        title={t('rejectAccount', { account })}
        act={() => call(withdrawAccount, { body: { id } })}>
        {t('rejectAccountHint')}
      </ConfirmAction>
    )
  if (what === 'stop')
    return (
      <ReasonDialog
        {...shared}
        danger
        title={t('stopTitle', { account })}
        description={t('stopHint')}
        rule={stopAccount.body.shape.reason}
        act={(reason) => call(stopAccount, { body: { id, reason } })}
      />
    )
  const approve = what === 'approve'
  return (
    <ReasonDialog
      {...shared}
      danger={!approve}
      title={t(approve ? 'approveAccount' : 'rejectAccount', { account })}
      description={approve ? t('approveAccountHint', { hours: accountChangeDelay }) : t('rejectAccountHint')}
      label={t('note')}
      optional
      rule={decideAccount.body.shape.note}
      act={(note) => call(decideAccount, { body: { id, approve, note } })}
    />
  )
}
