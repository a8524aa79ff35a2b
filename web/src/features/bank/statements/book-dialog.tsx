import type { BankLine } from '@podium/contract/bank/calls'
import { formatRupees } from '@podium/contract/money'
import { useEffect } from 'react'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { kindName } from './reasons.tsx'
import type { Choice } from './use-choice.ts'
import { words } from './words.ts'

interface BookProps {
  line: BankLine
  choice: Choice
  busy: boolean
  onConfirm: () => Promise<void>
  onCancel: () => void
}

/** What a line would be booked for: its receipts, and what goes to or comes from credit. */
export function BookDialog({ line, choice, busy, onConfirm, onCancel }: BookProps) {
  const t = words.use()
  useEffect(() => {
    // Enter that is still held down from opening the dialog does not answer it.
    const hold = (event: KeyboardEvent) => event.key === 'Enter' && event.repeat && event.preventDefault()
    window.addEventListener('keydown', hold, true)
    return () => window.removeEventListener('keydown', hold, true)
  }, [])
  const chosen = choice.items.filter(({ key }) => choice.chosen.has(key))
  const receipts = chosen.filter(({ state }) => state === 'open').length
  const nameOf = (id: number) => choice.schools.find(({ schoolId }) => schoolId === id)?.schName ?? ''
  return (
    <ConfirmDialog
      opened
      title={t('askTitle', { amount: formatRupees(line.amount) })}
      action={t('book', { amount: formatRupees(line.amount) })}
      busy={busy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <ul className="bank-items">
        {chosen.map((item) => (
          <li key={item.key}>
            <span>
              {item.schName} <small className="under">{`${item.schCode}, ${kindName(t, item)}`}</small>
            </span>
            <b>{formatRupees(item.amount)}</b>
          </li>
        ))}
        {choice.credits.map(({ schoolId, amount }) => (
          <li key={schoolId}>
            <span>{t('askCredit', { school: nameOf(schoolId) })}</span>
            <b>{formatRupees(amount)}</b>
          </li>
        ))}
        {choice.used.map(({ schoolId, amount }) => (
          <li key={schoolId}>
            <span>{t('askUsed', { school: nameOf(schoolId) })}</span>
            <b>{formatRupees(-amount)}</b>
          </li>
        ))}
      </ul>
      <p>{receipts > 0 ? t('askReceipts', { n: receipts }) : t('askNoReceipt')}</p>
    </ConfirmDialog>
  )
}
