import { type ExamSlot, mostSlots } from '@podium/contract/exams/calls-schedules-office'
import { Button } from '#ui/button.tsx'
import { words } from './words-office.ts'

export const loadDialogs = () => import('./bulk-dialogs.tsx')

interface BarProps {
  rows: readonly ExamSlot[]
  /** Why slots are not changed by this officer */
  mayNot: string | undefined
  onOpen: (doing: 'change' | 'remove') => void
  onClear: () => void
}

/** What is done with the slots that are marked: moved by days, given other places, removed. */
export function SlotsBar({ rows, mayNot, onOpen, onClear }: BarProps) {
  const t = words.use()
  const lock = mayNot ?? (rows.length > mostSlots ? t('tooMany', { n: mostSlots }) : undefined)
  return (
    <>
      <span aria-live="polite">
        <b>{t('chosen', { n: rows.length })}</b>
      </span>
      <Button
        kind="primary"
        icon="edit"
        disabled={lock}
        onPointerEnter={() => void loadDialogs()}
        onClick={() => onOpen('change')}
      >
        {t('changeChosen')}
      </Button>
      <Button kind="danger" disabled={lock} onClick={() => onOpen('remove')}>
        {t('removeChosen')}
      </Button>
      <Button kind="text" onClick={onClear}>
        {t('unchoose')}
      </Button>
    </>
  )
}
