import { undoBookings } from '@podium/contract/bank/calls'
import type { AnswerOf } from '@podium/contract/endpoint'
import { formatRupees } from '@podium/contract/money'
import type { PaymentState } from '@podium/contract/payments/calls'
import type {
  BankSign,
  DoubtKind,
  OfficePaymentRow,
  officePayments,
} from '@podium/contract/payments/calls-verification'
import { istTime } from '@podium/contract/season'
import { useEffect, useRef } from 'react'
import { AssignedBadge, AssignMenu, type SelectedRows } from '#shell/assignments/assigned.tsx'
import { call } from '#shell/call.ts'
import { defineWords } from '#shell/language/words.ts'
import { useAction } from '#shell/use-action.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { EmptyState, Note, NothingFound } from '#ui/note.tsx'
import { Pager } from '#ui/pager.tsx'
import { Panel } from '#ui/panel.tsx'
import { SelectField } from '#ui/select-field.tsx'
import type en from '#words/en/payments-verification.json'

/** Translations of the office's payment queue. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/payments-verification.json'))

type T = ReturnType<typeof words.use>

export function paymentKind(t: T, paymentFor: string): string {
  if (paymentFor === 'Library Book Fee') return t('libraryFee')
  return paymentFor === 'Book Fee' ? t('bookFee') : t('registrationFee')
}

export function stateOf(t: T, state: PaymentState | string): string {
  if (state === 'verified') return t('verified')
  return state === 'rejected' ? t('rejected') : t('waiting')
}

export function doubtOf(t: T, doubt: DoubtKind): string {
  if (doubt === 'proof') return t('doubtProof')
  if (doubt === 'rejected') return t('doubtRejected')
  return doubt === 'utr' ? t('doubtUtr') : t('doubtAmount')
}

const bankBadges = {
  exact: { tone: 'ok', icon: 'check' },
  suggested: { tone: 'info', icon: 'list' },
  none: { tone: 'mute', icon: 'search' },
  booking: { tone: 'info', icon: 'clock' },
} as const

/** Whether the bank statement shows a pending payment. */
export function BankBadge({ bankState }: { bankState: BankSign }) {
  const t = words.use()
  return <Badge {...bankBadges[bankState]}>{t(`bank_${bankState}`)}</Badge>
}

/** Returns how long a payment has waited, in minutes, hours or days. */
function ageOf(t: T, since: string): string {
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(since)) / 60_000))
  if (minutes < 60) return t('minutes', { n: minutes })
  if (minutes < 24 * 60) return t('hours', { n: Math.floor(minutes / 60) })
  return t('days', { n: Math.floor(minutes / (24 * 60)) })
}

interface QueueProps {
  rows: readonly OfficePaymentRow[]
  state: PaymentState
  total: number
  page: number
  size: number
  sort: string
  current: number
  /** Payments selected for a bulk decision; undefined unless they are pending and the user may decide */
  chosen: SelectedRows<OfficePaymentRow> | undefined
  onVerify: () => void
  onReject: () => void
  onChoose: (id: number) => void
  onSort: (sort: 'oldest' | 'newest' | 'amount') => void
  onPage: (page: number) => void
}

/** The list of payments in a state. The open one is marked; pending ones can be selected for a bulk decision. */
export function Queue(props: QueueProps) {
  const { rows, state, total, page, size, sort, current, chosen, onChoose, onSort, onPage } = props
  const t = words.use()
  const sorts = [
    { value: 'oldest', label: t('oldest') },
    { value: 'newest', label: t('newest') },
    { value: 'amount', label: t('byAmount') },
  ] as const
  const choose = (value: string) => onSort(sorts.find((sort) => sort.value === value)?.value ?? 'oldest')
  return (
    <section className="queue" aria-labelledby="payments-list">
      <div className="hd">
        {chosen && rows.length > 1 && (
          <input
            type="checkbox"
            aria-label={t('chooseAll')}
            checked={chosen.all}
            onChange={chosen.toggleAll}
          />
        )}
        <h2 id="payments-list">{t('listTitle', { state: stateOf(t, state), n: total })}</h2>
        <SelectField
          label={t('order')}
          labelHidden
          choices={sorts}
          value={sort}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      </div>
      <ul className="q">
        {rows.map((row) => (
          <Row key={row.id} row={row} current={row.id === current} chosen={chosen} onChoose={onChoose} />
        ))}
      </ul>
      {chosen && chosen.rows.length > 0 && (
        <Bar chosen={chosen} onVerify={props.onVerify} onReject={props.onReject} />
      )}
      {total > rows.length && (
        <Pager total={total} page={page} size={size} shown={rows.length} onPage={onPage} />
      )}
      <p className="key-hint">{t(chosen ? 'keys' : 'keysDecided')}</p>
    </section>
  )
}

interface RowProps {
  row: OfficePaymentRow
  current: boolean
  chosen: SelectedRows<OfficePaymentRow> | undefined
  onChoose: (id: number) => void
}

function Row({ row, current, chosen, onChoose }: RowProps) {
  const t = words.use()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!current) return
    // Enter must not open the row again from which J and K have moved on.
    if (document.activeElement?.matches('.q button')) button.current?.focus({ preventScroll: true })
    // On a narrow screen the list doesn't scroll by itself: the page would jump.
    if (window.innerWidth > 900) button.current?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <li>
      {chosen && (
        <input
          type="checkbox"
          aria-label={t('choose', { school: row.schName, amount: formatRupees(row.payableAmount) })}
          checked={chosen.has(row.id)}
          onChange={() => chosen.toggle(row.id)}
        />
      )}
      <button ref={button} type="button" aria-current={current || undefined} onClick={() => onChoose(row.id)}>
        <span className="nm">{row.schName}</span>
        <span className="am">{formatRupees(row.payableAmount)}</span>
        <span className="mt">
          {row.schCode}, {paymentKind(t, row.paymentFor)}
        </span>
        <span className="mt">{row.state === 'verified' ? row.receiptNo : ageOf(t, row.creationDate)}</span>
        {(row.onBank !== null || row.withdrawn || row.doubts.length > 0 || row.assignee) && (
          <span className="st">
            {row.withdrawn && <Badge kind="inactive">{t('withdrawn')}</Badge>}
            {row.onBank !== null && <BankBadge bankState={row.onBank} />}
            {row.doubts.map((doubt) => (
              <Badge key={doubt} kind="doubt">
                {doubtOf(t, doubt)}
              </Badge>
            ))}
            <AssignedBadge to={row.assignee} />
          </span>
        )}
      </button>
    </li>
  )
}

export const sumOf = (rows: readonly OfficePaymentRow[]) =>
  rows.reduce((sum, { payableAmount }) => sum + Math.round(payableAmount * 100), 0) / 100

function Bar({
  chosen,
  onVerify,
  onReject,
}: Pick<QueueProps, 'onVerify' | 'onReject'> & { chosen: SelectedRows<OfficePaymentRow> }) {
  const t = words.use()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div className="together" role="group" aria-label={t('chosenTitle')}>
      <span aria-live="polite">
        {t('chosen', { n: chosen.rows.length, amount: formatRupees(sumOf(chosen.rows)) })}
      </span>
      <IconButton icon="close" label={t('chooseNone')} onClick={chosen.clear} />
      <div className="acts">
        <Button kind="primary" onClick={onVerify}>
          {t('verifyChosen')}
        </Button>
        <Button kind="danger" onClick={onReject}>
          {t('reject')}
        </Button>
        <AssignMenu kind="payment" ids={chosen.rows.map(({ id }) => id)} />
      </div>
    </div>
  )
}

/** Verifications that take effect within a minute, with a button to undo them all. */
export function UndoBookings({ bookings }: { bookings: AnswerOf<typeof officePayments>['bookings'] }) {
  const t = words.use()
  const { busy, act } = useAction('all')
  const n = bookings.reduce((sum, { payments }) => sum + payments, 0)
  const amount = bookings.reduce((sum, booking) => sum + Math.round(booking.amount * 100), 0) / 100
  const last = bookings.at(-1)?.booksAt
  const lines = bookings.map(({ id, version }) => ({ id, version }))
  const undo = () =>
    act(
      () => call(undoBookings, { body: { lines } }),
      ({ done, refused }) =>
        refused.length === 0
          ? t('doneUndone', { n: done.length })
          : t('undoneSome', { n: done.length, late: refused.length }),
    )
  return (
    <Note kind="info">
      {t('finalAt', { n, amount: formatRupees(amount), time: last ? istTime(new Date(last)) : '' })}{' '}
      <Button kind="text" icon="undo" busy={busy} onClick={() => void undo()}>
        {t('undoAll')}
      </Button>
    </Note>
  )
}

export function NothingHere({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const t = words.use()
  return (
    <Panel>
      {filtered ? (
        <NothingFound title={t('nothingFound')} onClear={onClear}>
          {t('nothingFoundHint')}
        </NothingFound>
      ) : (
        <EmptyState icon="ok" title={t('nothingWaits')}>
          {t('nothingWaitsHint')}
        </EmptyState>
      )}
    </Panel>
  )
}
