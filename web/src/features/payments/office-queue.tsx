import { formatRupees } from '@podium/contract/money'
import type { PaymentState } from '@podium/contract/payments'
import type { DoubtKind, OfficePaymentRow } from '@podium/contract/payments-office'
import { Badge } from '#ui/badge.tsx'
import { Pager } from '#ui/pager.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { words } from './words-office.ts'

type T = ReturnType<typeof words.use>

export function kindOf(t: T, paymentFor: string): string {
  if (paymentFor === 'Library Book Fee') return t('libraryFee')
  return paymentFor === 'Book Fee' ? t('bookFee') : t('registrationFee')
}

export function stateOf(t: T, state: PaymentState | string): string {
  if (state === 'verified') return t('verified')
  return state === 'rejected' ? t('rejected') : t('waiting')
}

export function doubtOf(t: T, doubt: DoubtKind): string {
  if (doubt === 'proof') return t('doubtProof')
  return doubt === 'utr' ? t('doubtUtr') : t('doubtAmount')
}

/** How long a payment has waited, in one figure: minutes, hours, then days. */
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
  onChoose: (id: number) => void
  onSort: (sort: 'oldest' | 'newest' | 'amount') => void
  onPage: (page: number) => void
}

/** The payments of a state, one under the other; the open one is marked. */
export function Queue(props: QueueProps) {
  const { rows, state, total, page, size, sort, current, onChoose, onSort, onPage } = props
  const t = words.use()
  const sorts = [
    { value: 'oldest', label: t('oldest') },
    { value: 'newest', label: t('newest') },
    { value: 'amount', label: t('byAmount') },
  ] as const
  const choose = (value: string) => onSort(sorts.find((one) => one.value === value)?.value ?? 'oldest')
  return (
    <section className="queue" aria-labelledby="payments-list">
      <div className="hd">
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
          <li key={row.id}>
            <button
              type="button"
              aria-current={row.id === current || undefined}
              onClick={() => onChoose(row.id)}
            >
              <span className="nm">{row.schName}</span>
              <span className="am">{formatRupees(row.payableAmount)}</span>
              <span className="mt">
                {row.schCode}, {kindOf(t, row.paymentFor)}
              </span>
              <span className="mt">{state === 'verified' ? row.receiptNo : ageOf(t, row.creationDate)}</span>
              {row.doubts.length > 0 && (
                <span className="st">
                  {row.doubts.map((doubt) => (
                    <Badge key={doubt} kind="doubt">
                      {doubtOf(t, doubt)}
                    </Badge>
                  ))}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {total > rows.length && (
        <Pager total={total} page={page} size={size} shown={rows.length} onPage={onPage} />
      )}
    </section>
  )
}
