import type { AnswerOf } from '@podium/contract/endpoint'
import { officeStudent, type StudentListRow, sendFamilyLinks } from '@podium/contract/students/calls-register'
import { call } from '#shell/call.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { RefusedDialog, type SeveralProps, useBulkAction } from '#shell/refused-dialog.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { words } from './parts.tsx'

type Done = AnswerOf<typeof sendFamilyLinks>['done']

/** Sends the links of the families that are marked; says who was left and why. */
export function SendManyDialog(props: SeveralProps<StudentListRow>) {
  const t = words.use()
  const { asked, confirm, busy, outcome } = useBulkAction(props, {
    invalidates: [officeStudent],
    said: (done: Done) => t('linksSent', { n: done.length }),
  })
  const body = { ids: asked.map(({ id }) => id) }
  const send = () => confirm((idempotencyKey) => call(sendFamilyLinks, { body, idempotencyKey }))
  if (outcome)
    return (
      <RefusedDialog
        title={t('notAllSent')}
        says={t('notAllSentSays', { done: outcome.done.length, n: outcome.refused.length })}
        refused={outcome.refused}
        nameOf={(id) => nameOf(asked, id)}
        understood={t('understood')}
        onClose={props.onClose}
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
      onCancel={props.onClose}
    >
      <p>
        {t('fromSchools', { n: schools })} {t('sendSays')}
      </p>
    </ConfirmDialog>
  )
}

function nameOf(rows: readonly StudentListRow[], id: number): string {
  const row = rows.find((one) => one.id === id)
  return row ? `${row.studentName}, ${translateSentence(row.className)} (${row.schName})` : String(id)
}
