import type { StudentListRow } from '@podium/contract/students-register'
import { lazy, Suspense, useState } from 'react'
import { useSession } from '#shell/session.ts'
import { Button } from '#ui/button.tsx'
import { words } from './words.ts'

const loadDialog = () => import('./send-many-dialog.tsx').then((m) => ({ default: m.SendManyDialog }))
const SendManyDialog = lazy(loadDialog)

/** What is done with the children that are marked. */
export function StudentsBar({ rows, onClear }: { rows: readonly StudentListRow[]; onClear: () => void }) {
  const t = words.use()
  const may = useSession()?.permissions?.includes('students.codes') ?? false
  const [sending, setSending] = useState(false)
  return (
    <>
      <span aria-live="polite">
        <b>{t('selected', { n: rows.length })}</b>
      </span>
      <Button
        kind="primary"
        icon="mail"
        disabled={may ? undefined : t('mayNotSend')}
        onPointerEnter={() => void loadDialog()}
        onClick={() => setSending(true)}
      >
        {t('sendLinks')}
      </Button>
      <Button kind="text" onClick={onClear}>
        {t('unselect')}
      </Button>
      {sending && (
        <Suspense>
          <SendManyDialog rows={rows} onClose={() => setSending(false)} onDone={onClear} />
        </Suspense>
      )}
    </>
  )
}
