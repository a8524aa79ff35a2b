import { formatRupees, rupees } from '@podium/contract/money'
import { Button } from '#ui/button.tsx'
import { Figure } from '#ui/money-sum.tsx'
import type { Entry } from '../entry/use-entry.ts'
import { words } from '../entry/words.ts'
import type { Grid } from './use-grid.ts'
import { gridWords } from './words.ts'

/** Always in sight: how many are ready, how many faults, the sums of the fee function, and the way to enter them. */
export function GridBar({ grid, entry }: { grid: Grid; entry: Entry }) {
  const t = gridWords.use()
  const w = words.use()
  const { good, bad, fee, faults, readAs } = grid.checked
  const kept = rupees(fee.schoolExpenses) + rupees(fee.bookSchoolExpenses)
  const registration = rupees(fee.regAmount)
  const books = rupees(fee.bookAmount)
  return (
    <div className="gr-bar">
      <p>
        <b>{t('ready', { n: good })}</b>
        {faults.length > 0 && <span className="gr-count bad">{t('faults', { n: faults.length })}</span>}
        {readAs.slice(0, 3).map(({ written, name, rows: n }) => (
          <span key={written} className="gr-count">
            {t('readAs', { written, name, n })}
          </span>
        ))}
        <span className="gr-count">{t('kept')}</span>
      </p>
      <div className="sum">
        <Figure label={w('registration')}>{formatRupees(registration)}</Figure>
        <Figure label={w('books')}>{formatRupees(books)}</Figure>
        <Figure label={w('keeps')}>
          {kept > 0 && '−'}
          {formatRupees(kept)}
        </Figure>
        <Figure label={w('payable')} className="pay">
          {formatRupees(registration + books - kept)}
        </Figure>
      </div>
      <Button
        kind="primary"
        busy={entry.busy}
        disabled={good + bad === 0 ? t('nobody') : undefined}
        onClick={() => void entry.check()}
      >
        {t('check')}
      </Button>
    </div>
  )
}
