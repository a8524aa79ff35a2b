import { text } from '@podium/contract/fields'
import { closeDay, closeDays, type MoneyDay } from '@podium/contract/ledger/calls'
import { formatRupees } from '@podium/contract/money'
import { sentences } from '@podium/contract/sentences'
import { call } from '#shell/call.ts'
import { dayText } from '#shell/format.tsx'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { words } from '../words.ts'

/** Closes days, with a note that must say why if payments have no bank line. */
export function CloseDialog({ days, onClose }: { days: readonly MoneyDay[]; onClose: () => void }) {
  const t = words.use()
  const difference = days.reduce((sum, { figures }) => sum + Math.round(figures.difference * 100), 0) / 100
  const differs = days.some(({ figures }) => figures.difference !== 0)
  const last = dayText(days.at(-1)?.day ?? '')
  const [only] = days.length === 1 ? days : []
  return (
    <ReasonDialog
      title={only ? t('closeTitle', { day: last }) : t('closeManyTitle', { n: days.length, day: last })}
      description={differs ? t('closeDifference', { amount: formatRupees(difference) }) : t('closeHint')}
      label={t('note')}
      hint={t('noteHint')}
      optional={!differs}
      rule={differs ? text(sentences.dayWithoutLine, 500) : closeDay.body.shape.note}
      action={only ? t('close') : t('closeMany', { n: days.length })}
      act={async (note) => {
        if (only) await call(closeDay, { body: { day: only.day, seen: only.seen, note } })
        else await call(closeDays, { body: { days: days.map(({ day, seen }) => ({ day, seen })), note } })
      }}
      invalidates="all"
      done={only ? t('doneClosed', { day: last }) : t('doneClosedMany', { n: days.length })}
      onClose={onClose}
    />
  )
}
