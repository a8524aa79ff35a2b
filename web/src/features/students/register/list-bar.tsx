import type { StudentListRow } from '@podium/contract/students/calls-register'
import { useSession } from '#shell/session.ts'
import { Button } from '#ui/button.tsx'
import { words } from './words.ts'

export const loadSending = () => import('./send-many-dialog.tsx').then((m) => ({ default: m.SendManyDialog }))

interface BarProps {
  rows: readonly StudentListRow[]
  onSend: () => void
  onClear: () => void
}

/** What is done with the children that are marked. */
export function StudentsBar({ rows, onSend, onClear }: BarProps) {
  const t = words.use()
  const may = useSession()?.permissions?.includes('students.codes') ?? false
  return (
    <>
      <span aria-live="polite">
        <b>{t('selected', { n: rows.length })}</b>
      </span>
      <Button
        kind="primary"
        icon="mail"
        disabled={may ? undefined : t('mayNotSend')}
        onPointerEnter={() => void loadSending()}
        onClick={onSend}
      >
        {t('sendLinks')}
      </Button>
      <Button kind="text" onClick={onClear}>
        {t('unselect')}
      </Button>
    </>
  )
}
