import { deleteBookOrder, type OrderLine } from '@podium/contract/books/calls-orders'
import { messages } from '@podium/contract/messages'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { toast } from '#ui/toast.tsx'
import { useNames } from '../summary/figure.ts'
import { words } from '../words.ts'

/** «Do you want delete book order» (specification, 2.8), with which books it is. */
export function OrderDelete({ line, onClose }: { line: OrderLine; onClose: () => void }) {
  const t = words.use()
  const say = useSentences()
  const { ofClass } = useNames()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const remove = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await call(deleteBookOrder, { body: { id: line.id, version: line.version } })
      // Before the dialog goes, so that the cursor does not come back to a button that is about to go too.
      await client.invalidateQueries()
      toast.success(t('deleted'))
      onClose()
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      void client.invalidateQueries()
      setProblem(say(cause.message))
    } finally {
      setBusy(false)
    }
  }
  const which = { subject: line.subjectName, class: ofClass(line.classId), category: t(line.kind) }
  return (
    <ConfirmDialog opened danger title={t('deleteTitle')} busy={busy} onConfirm={remove} onCancel={onClose}>
      <div className="stack">
        <p>
          <b>{say(messages.deleteQuestion)}</b>
        </p>
        <p>{t('deleteWhich', { ...which, n: line.quantity })}</p>
        {problem && <Note kind="bad">{problem}</Note>}
      </div>
    </ConfirmDialog>
  )
}
