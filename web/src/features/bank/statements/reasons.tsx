import type { BankItem, BankView, MatchReason } from '@podium/contract/bank/calls'
import { formatRupees } from '@podium/contract/money'
import { Icon } from '#ui/icon.tsx'
import { words } from './words.ts'

type T = ReturnType<typeof words.use>

export function kindName(t: T, { paymentFor }: Pick<BankItem, 'paymentFor'>): string {
  if (paymentFor === 'Library Book Fee') return t('libraryFee')
  return t(paymentFor === 'Book Fee' ? 'bookFee' : 'registrationFee')
}

export function stateName(t: T, state: BankView): string {
  return t(state)
}

const good = new Set<MatchReason['code']>(['reference', 'utr', 'code', 'name', 'amount', 'several'])

/** What speaks against a quick yes. */
export const warns = ({ code }: MatchReason) => !good.has(code)

export function reasonText(t: T, reason: MatchReason): string {
  const { code, text = '', amount = 0, count = 0, days = 0 } = reason
  if (code === 'double' && text !== '') return t('reason_doubleReceipt', { text })
  return t(`reason_${code}`, { text, amount: formatRupees(amount), count, days: Math.abs(days) })
}

/** Why the matcher thinks so: what fits, and what does not. */
export function Reasons({ reasons }: { reasons: readonly MatchReason[] }) {
  const t = words.use()
  if (reasons.length === 0) return <p className="quiet">{t('noReason')}</p>
  return (
    <ul className="reasons">
      {reasons.map((reason) => (
        <li key={reason.code} className={warns(reason) ? 'warn' : 'fits'}>
          <Icon name={warns(reason) ? 'warning' : 'check'} />
          {reasonText(t, reason)}
        </li>
      ))}
    </ul>
  )
}
