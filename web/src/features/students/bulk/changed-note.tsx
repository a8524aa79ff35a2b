import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { tellRefusal } from '#shell/tell-refusal.ts'
import { Note } from '#ui/note.tsx'
import { toast } from '#ui/toast.tsx'
import { type Changed, sendChanges } from './state.ts'
import { changeWords } from './words.ts'

interface ChangedNoteProps {
  changed: Changed
  onDismiss: () => void
}

/** What was just changed, deleted or restored together, and the one way back. */
export function ChangedNote({ changed, onDismiss }: ChangedNoteProps) {
  const t = changeWords.use()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const undo = async () => {
    if (busy) return
    setBusy(true)
    try {
      const back = await sendChanges(changed.season, changed.before)
      if (back.changed > 0) toast.success(t('undone', { n: back.changed }))
      for (const { studentName: name, message } of back.refused.slice(0, 3))
        toast.error(t('why', { name, message }))
      onDismiss()
    } catch (cause) {
      tellRefusal(cause)
    }
    await client.invalidateQueries()
    setBusy(false)
  }
  return (
    <div className="mb-4" role="status">
      <Note kind="ok">
        <b>{t(changed.did, { n: changed.changed })}</b>{' '}
        <button type="button" className="lk" onClick={() => void undo()} aria-busy={busy || undefined}>
          {t('undo')}
        </button>{' '}
        <button type="button" className="lk" onClick={onDismiss}>
          {t('dismiss')}
        </button>
      </Note>
    </div>
  )
}
