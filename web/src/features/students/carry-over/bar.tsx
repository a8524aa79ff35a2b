import { formatRupees } from '@podium/contract/money'
import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { MoneySum } from '#ui/money-sum.tsx'
import type { Carry } from './data.ts'
import type { CarryTotals } from './state.ts'
import { carryWords } from './words.ts'

interface CarryBarProps {
  season: string
  totals: CarryTotals
  carry: Carry
}

/** How many and how much, always in sight, and the confirmation with the three sums. */
export function CarryBar({ season, totals, carry }: CarryBarProps) {
  const t = carryWords.use()
  const [asking, setAsking] = useState(false)
  const { enter, faulty, registration, books, kept } = totals
  const amount = formatRupees(registration + books)
  const confirm = async () => {
    await carry.confirm()
    setAsking(false)
  }
  return (
    <div className="cy-bar">
      <p aria-live="polite">
        <b>{t('barCount', { n: enter, amount })}</b>
        {faulty > 0 && <span className="cy-bad">{t('barLeft', { n: faulty })}</span>}
      </p>
      <Button
        kind="primary"
        busy={carry.stale}
        disabled={enter === 0 ? t('confirmNobody') : undefined}
        onClick={() => setAsking(true)}
      >
        {t('confirm', { n: enter })}
      </Button>
      {asking && (
        <ConfirmDialog
          opened
          title={t('confirmTitle', { n: enter })}
          action={t('confirm', { n: enter })}
          busy={carry.confirming}
          onConfirm={confirm}
          onCancel={() => setAsking(false)}
        >
          <div className="cy-sums">
            <p>{t('confirmText', { season })}</p>
            <MoneySum
              as="lines"
              collected={amount}
              kept={formatRupees(kept)}
              payable={formatRupees(registration + books - kept)}
            />
          </div>
        </ConfirmDialog>
      )}
    </div>
  )
}
