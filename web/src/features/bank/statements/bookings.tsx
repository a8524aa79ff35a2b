import { type BankLineRow, bankLineOne, bankLines, undoBooking } from '@podium/contract/bank/calls'
import { formatRupees } from '@podium/contract/money'
import { istTime } from '@podium/contract/season'
import { call } from '#shell/call.ts'
import { useAct } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { words } from './words.ts'

/** Bookings that are made in less than a minute, with the way to undo each of them. */
export function Bookings({ bookings, decides }: { bookings: readonly BankLineRow[]; decides: boolean }) {
  const t = words.use()
  const { busy, act } = useAct([bankLines, bankLineOne])
  if (bookings.length === 0) return null
  return (
    <ul className="bank-bookings stack gap-2" aria-label={t('bookings')} aria-live="polite">
      {bookings.map(({ id, version, amount, schName, narration, booksAt }) => (
        <li key={id}>
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
              onClick={() => void act(() => call(undoBooking, { body: { id, version } }), t('doneUndone'))}
            >
              {t('undo')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
