import type { AnswerOf } from '@podium/contract/endpoint'
import {
  acceptQuestions,
  declineQuestions,
  type OfficeQuestion,
  officeQuestions,
} from '@podium/contract/questions-office'
import { officeMe } from '@podium/contract/staff'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { CallError, call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { RefusedDialog } from '#shell/refused-dialog.tsx'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog, Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { shortly } from './question-card.tsx'
import { words } from './words.ts'

interface DialogProps {
  rows: readonly OfficeQuestion[]
  onClose: () => void
  /** Something was decided: what is left of the choice is not chosen any more. */
  onDecided: () => void
}
type Outcome = AnswerOf<typeof acceptQuestions>

/** The questions as they were when the dialog opened, and what has become of them. */
function useOutcome({ rows, onClose, onDecided }: DialogProps, said: 'acceptDoneMany' | 'declineDoneMany') {
  const t = words.use()
  const client = useQueryClient()
  const [asked] = useState(rows)
  const [key] = useState(() => crypto.randomUUID())
  const [outcome, setOutcome] = useState<Outcome>()
  const questions = asked.map(({ id, version }) => ({ id, version }))
  const end = (answer: Outcome) => {
    onDecided()
    if (answer.refused.length > 0) setOutcome(answer)
    else {
      toast.success(t(said, { n: answer.done.length }))
      onClose()
    }
    const renewed = [officeQuestions, officeMe]
    return Promise.all(renewed.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
  }
  return { asked, questions, key, outcome, end }
}

/** Whose questions they are, in a line. */
function useFrom(rows: readonly OfficeQuestion[]): string {
  const t = words.use()
  return t('fromSchools', { n: new Set(rows.map(({ schoolId }) => schoolId)).size })
}

/** Accepts all that are chosen; says what is left and why. */
export function AcceptManyDialog(props: DialogProps) {
  const t = words.use()
  const say = useSentences()
  const { asked, questions, key, outcome, end } = useOutcome(props, 'acceptDoneMany')
  const [busy, setBusy] = useState(false)
  const from = useFrom(asked)
  const accept = async () => {
    setBusy(true)
    try {
      await end(await call(acceptQuestions, { body: { questions }, idempotencyKey: key }))
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
    } finally {
      setBusy(false)
    }
  }
  if (outcome) return <Told asked={asked} outcome={outcome} onClose={props.onClose} />
  return (
    <ConfirmDialog
      opened
      title={t('acceptManyTitle', { n: asked.length })}
      action={t('accept')}
      busy={busy}
      onConfirm={accept}
      onCancel={props.onClose}
    >
      <p>
        {from} {t('acceptManySays')}
      </p>
    </ConfirmDialog>
  )
}

/** Declines all that are chosen for one reason, which their schools read. */
export function DeclineManyDialog(props: DialogProps) {
  const t = words.use()
  const { asked, questions, key, outcome, end } = useOutcome(props, 'declineDoneMany')
  const from = useFrom(asked)
  const f = usePortalForm({
    schema: z.object({ reason: declineQuestions.body.shape.reason }),
    initialValues: { reason: '' },
    save: async ({ reason }) => {
      await end(await call(declineQuestions, { body: { questions, reason }, idempotencyKey: key }))
    },
  })
  if (outcome) return <Told asked={asked} outcome={outcome} onClose={props.onClose} />
  return (
    <Dialog opened onClose={props.onClose} title={t('declineManyTitle', { n: asked.length })} size="small">
      <FormFrame of={f}>
        <DialogBody>
          <div className="stack">
            <p>
              {from} {t('declineManySays')}
            </p>
            <TextArea
              label={t('reason')}
              rows={3}
              data-autofocus
              key={f.form.key('reason')}
              {...f.form.getInputProps('reason')}
            />
          </div>
        </DialogBody>
        <DialogFoot>
          <Button onClick={props.onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="danger-filled" busy={f.saving}>
            {t('decline')}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}

interface ToldProps {
  asked: readonly OfficeQuestion[]
  outcome: Outcome
  onClose: () => void
}

function Told({ asked, outcome: { done, refused }, onClose }: ToldProps) {
  const t = words.use()
  return (
    <RefusedDialog
      title={t('notAll')}
      says={t('notAllSays', { done: done.length, n: refused.length })}
      refused={refused}
      nameOf={(id) => {
        const question = asked.find((one) => one.id === id)
        return question ? `${shortly(question)} (${question.schName})` : String(id)
      }}
      understood={t('understood')}
      onClose={onClose}
    />
  )
}
