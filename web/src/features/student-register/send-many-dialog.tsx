import type { AnswerOf } from '@podium/contract/endpoint'
import { officeStudent } from '@podium/contract/students-record'
import type { StudentListRow } from '@podium/contract/students-register'
import { sendFamilyLinks } from '@podium/contract/students-write'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { RefusedDialog } from '#shell/refused-dialog.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { toast } from '#ui/toast.tsx'
import { words } from './words.ts'

interface DialogProps {
  rows: readonly StudentListRow[]
  onClose: () => void
  /** Something was sent: nothing is marked any more. */
  onSent: () => void
}

/** Sends the links of the families that are marked; says who was left and why. */
export function SendManyDialog({ rows, onClose, onSent }: DialogProps) {
  const t = words.use()
  const say = useSentences()
  const client = useQueryClient()
  const [asked] = useState(rows)
  const [key] = useState(() => crypto.randomUUID())
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<AnswerOf<typeof sendFamilyLinks>>()
  const send = async () => {
    setBusy(true)
    try {
      const ids = asked.map(({ id }) => id)
      const answer = await call(sendFamilyLinks, { body: { ids }, idempotencyKey: key })
      void client.invalidateQueries({ queryKey: [officeStudent.path] })
      if (answer.refused.length > 0) setOutcome(answer)
      else {
        toast.success(t('linksSent', { n: answer.done.length }))
        onSent()
        onClose()
      }
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
    } finally {
      setBusy(false)
    }
  }
  const end = () => {
    onSent()
    onClose()
  }
  if (outcome)
    return (
      <RefusedDialog
        title={t('notAllSent')}
        says={t('notAllSentSays', { done: outcome.done.length, n: outcome.refused.length })}
        refused={outcome.refused}
        nameOf={(id) => nameOf(asked, id)}
        understood={t('understood')}
        onClose={end}
      />
    )
  const schools = new Set(asked.map(({ schId }) => schId)).size
  return (
    <ConfirmDialog
      opened
      title={t('sendTitle', { n: asked.length })}
      action={t('send')}
      busy={busy}
      onConfirm={send}
      onCancel={onClose}
    >
      <p>
        {t('fromSchools', { n: schools })} {t('sendSays')}
      </p>
    </ConfirmDialog>
  )
}

function nameOf(rows: readonly StudentListRow[], id: number): string {
  const row = rows.find((one) => one.id === id)
  return row ? `${row.studentName}, ${row.className} (${row.schName})` : String(id)
}
