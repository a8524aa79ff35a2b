import { bankLines, bookExactLines, exactLines } from '@podium/contract/bank/calls'
import { formatRupees } from '@podium/contract/money'
import { call } from '#shell/call.ts'
import { useFreshQuery } from '#shell/query.ts'
import { useAct } from '#shell/use-action.ts'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { Lines } from './use-lines.ts'
import { words } from './words.ts'

const shown = [bankLines]

interface Props {
  lines: Lines
  onClose: () => void
  /** The booking is under way, as this job. */
  onBooking: (jobId: string) => void
}

/** One yes to all exact lines, with how many and how much before it is said. */
export function BookAllDialog({ lines, onClose, onBooking }: Props) {
  const t = words.use()
  const exact = useFreshQuery(exactLines, { query: lines.asked }).data
  const { busy, act } = useAct(shown)
  const book = () =>
    act(async () => {
      if (!exact) return
      const { jobId } = await call(bookExactLines, { body: { lines: exact.lines } })
      onBooking(jobId)
      onClose()
    })
  return (
    <ConfirmDialog
      opened
      title={t('bookAllTitle', { n: exact?.lines.length ?? 0 })}
      action={t('bookAllNow')}
      busy={busy || !exact}
      onConfirm={book}
      onCancel={onClose}
    >
      {exact ? (
        <p>{t('bookAllSays', { n: exact.schools, amount: formatRupees(exact.amount) })}</p>
      ) : (
        <Skeleton shape="text" rows={3} />
      )}
    </ConfirmDialog>
  )
}
