import { formatRupees } from '@podium/contract/money'
import type { MoneyAnswer } from '@podium/contract/payments/calls'
import { Figure } from '#ui/money-sum.tsx'
import type en from '#words/en/money.json'
import { defineWords } from './language/words.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/money.json'))

const parts = ['payNow', 'payLater', 'beingVerified'] as const

/** Formats the sums that are not zero: «Pay now ₹39,335 · Opens later ₹10,660 · Being verified ₹16,730». */
export function useMoneyText() {
  const t = words.use()
  return (money: MoneyAnswer) =>
    parts
      .filter((part) => money[part] > 0)
      .map((part) => `${t(part)} ${formatRupees(money[part])}`)
      .join(' · ')
}

/** What the school owes in the season, with the same words and sums on every page; nothing if it owes nothing. */
export function SchoolMoney({ money }: { money: MoneyAnswer }) {
  const t = words.use()
  const shown = parts.filter((part) => money[part] > 0)
  if (shown.length === 0) return null
  return (
    <section className="eq owed" aria-label={t('label')}>
      {shown.map((part, n) => (
        <span key={part} className="term">
          {n > 0 && <span className="op">+</span>}
          <Figure label={t(part)}>{formatRupees(money[part])}</Figure>
        </span>
      ))}
      {money.credit > 0 && (
        <span className="term">
          <span className="op">−</span>
          <Figure label={t('credit')}>{formatRupees(money.credit)}</Figure>
        </span>
      )}
      {(shown.length > 1 || money.credit > 0) && (
        <span className="term">
          <span className="op">=</span>
          <Figure label={t('balance')} className="tot">
            {formatRupees(Math.round((money.total - money.credit) * 100) / 100)}
          </Figure>
        </span>
      )}
      {money.payLater > 0 && <p className="hint">{t('payLaterHint')}</p>}
    </section>
  )
}
