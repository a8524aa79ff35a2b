import { type BankLineRow, bankLineDetails, bankLines, undoBooking } from '@podium/contract/bank/calls'
import { bankStatements, reconcileStatement, reopenStatement } from '@podium/contract/bank/calls-statements'
import type { AnswerOf } from '@podium/contract/endpoint'
import { formatRupees } from '@podium/contract/money'
import { istDay, istTime } from '@podium/contract/season'
import { useState } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { dayText } from '#shell/format.tsx'
import { useEndpoint } from '#shell/query.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Panel } from '#ui/panel.tsx'
import { TextField } from '#ui/text-field.tsx'
import { words } from './lines.tsx'

type StatementsAnswer = AnswerOf<typeof bankStatements>
type Statement = StatementsAnswer['data'][number]

/** Parses a typed amount to paise; undefined if it is not an amount. */
function typedPaise(typed: string): number | undefined {
  const bare = typed.replace(/[,₹\s]/g, '').replace('−', '-')
  return /^-?\d{1,9}(\.\d{1,2})?$/.test(bare) ? Math.round(Number(bare) * 100) : undefined
}

/** Reconciles the chosen statement (opening balance + in − out = closing balance), then closes it. */
export function Reconcile({ id }: { id: number }) {
  const { data } = useEndpoint(bankStatements, { enabled: id > 0 })
  const statement = data?.data.find((row) => row.id === id)
  if (!data || !statement) return null
  return <Balances key={id} statement={statement} can={data.can} />
}

function Balances({ statement, can }: { statement: Statement; can: StatementsAnswer['can'] }) {
  const t = words.use()
  const { incoming, outgoingAmount, reconciledAt, balancesRead: read } = statement
  const known = [String(statement.opening ?? ''), String(statement.closing ?? '')] as const
  const [typedOpening, setOpening] = useState<string>(known[0])
  const [typedClosing, setClosing] = useState<string>(known[1])
  const [asking, setAsking] = useState<'close' | 'reopen'>()
  if (incoming === null || outgoingAmount === null)
    return (
      <Panel title={t('balances')} className="mt-4">
        <p className="quiet">{t('noSums')}</p>
      </Panel>
    )
  const fixed = read || reconciledAt !== null
  // Once closed, what was stored counts: another officer may have typed it.
  const [opening, closing] = fixed ? known : [typedOpening, typedClosing]
  const [from, to] = [typedPaise(opening), typedPaise(closing)]
  const difference =
    from === undefined || to === undefined
      ? undefined
      : from + Math.round(incoming * 100) - Math.round(outgoingAmount * 100) - to
  const balance = (label: string, value: string, change: (next: string) => void) =>
    fixed ? (
      <div>
        <dt>{label}</dt>
        <dd>{formatRupees(Number(value))}</dd>
      </div>
    ) : (
      <TextField
        label={label}
        inputMode="decimal"
        value={value}
        onChange={(event) => change(event.currentTarget.value)}
      />
    )
  const why =
    can.import !== true
      ? t('mayNot')
      : statement.waiting > 0
        ? t('linesWait', { n: statement.waiting })
        : difference === undefined
          ? t('typeBalances')
          : difference !== 0
            ? t('mustBeZero')
            : undefined
  const balances = read ? {} : { opening: (from ?? 0) / 100, closing: (to ?? 0) / 100 }
  const asked = {
    invalidates: [bankStatements, bankLines, bankLineDetails],
    onClose: () => setAsking(undefined),
  }
  const acts = (
    <div className="acts">
      {reconciledAt === null && why && <span className="quiet">{why}</span>}
      {reconciledAt === null ? (
        <Button kind="primary" disabled={why} onClick={() => setAsking('close')}>
          {t('reconcile')}
        </Button>
      ) : (
        <>
          <Badge kind="verified">
            {t('reconciledBy', {
              name: statement.reconciledBy,
              day: dayText(istDay(new Date(reconciledAt))),
            })}
          </Badge>
          <Button
            kind="text"
            icon="undo"
            disabled={can.reopen === true ? undefined : t('mayNotReopen')}
            onClick={() => setAsking('reopen')}>
            {t('reopenStatement')}
          </Button>
        </>
      )}
    </div>
  )
  return (
    <Panel title={t('balances')} aside={acts} className="bank-balances mt-4">
      <dl className="bank-figures row bottom gap-6">
        {balance(t('openingBalance'), opening, setOpening)}
        <div>
          <dt>{t('incoming')}</dt>
          <dd>+ {formatRupees(incoming)}</dd>
        </div>
        <div>
          <dt>{t('outgoingSum')}</dt>
          <dd>− {formatRupees(outgoingAmount)}</dd>
        </div>
        {balance(t('closingBalance'), closing, setClosing)}
        <div className={difference === 0 ? 'even' : 'differs'}>
          <dt>{t('differenceSum')}</dt>
          <dd>{difference === undefined ? '–' : formatRupees(difference / 100)}</dd>
        </div>
      </dl>
      {asking === 'close' && (
        <ConfirmAction
          {...asked}
          title={t('reconcileTitle')}
          action={t('reconcile')}
          act={() => call(reconcileStatement, { body: { id: statement.id, ...balances } })}
          done={t('doneReconciled')}>
          {t('reconcileHint')}
        </ConfirmAction>
      )}
      {asking === 'reopen' && (
        <ReasonDialog
          {...asked}
          title={t('reopenStatementTitle')}
          description={t('reopenStatementHint')}
          rule={reopenStatement.body.shape.reason}
          action={t('reopenStatement')}
          act={(reason) => call(reopenStatement, { body: { id: statement.id, reason } })}
          done={t('doneReopenedStatement')}
        />
      )}
    </Panel>
  )
}

/** Bookings that take effect within a minute, each with an undo button. */
export function Bookings({ bookings, decides }: { bookings: readonly BankLineRow[]; decides: boolean }) {
  const t = words.use()
  const { busy, act } = useAction([bankLines, bankLineDetails])
  if (bookings.length === 0) return null
  return (
    <ul className="bank-bookings stack gap-2" aria-label={t('bookings')} aria-live="polite">
      {bookings.map(({ id, version, amount, schName, narration, booksAt }) => (
        <li key={id} className="row">
          <Icon name="clock" />
          <span>
            {t('bookingOf', {
              amount: formatRupees(amount),
              school: schName || narration,
              time: booksAt ? istTime(new Date(booksAt)) : '',
            })}
          </span>
          {decides && (
            <Button
              kind="text"
              icon="undo"
              busy={busy}
              onClick={() => void act(() => call(undoBooking, { body: { id, version } }), t('doneUndone'))}>
              {t('undo')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
