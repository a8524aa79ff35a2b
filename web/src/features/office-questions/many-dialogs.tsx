import type { AnswerOf } from '@podium/contract/endpoint'
import {
  acceptQuestions,
  declineQuestions,
  type OfficeQuestion,
  officeQuestions,
} from '@podium/contract/questions-office'
import { officeMe } from '@podium/contract/staff'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormFrame } from '#shell/form-frame.tsx'
import { RefusedDialog } from '#shell/refused-dialog.tsx'
import { type SeveralProps, useSeveral } from '#shell/several.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog, Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { shortly } from './question-card.tsx'
import { words } from './words.ts'

type DialogProps = SeveralProps<OfficeQuestion>
type Outcome = AnswerOf<typeof acceptQuestions>

const renews = [officeQuestions, officeMe]
const reviews = (rows: readonly OfficeQuestion[]) => rows.map(({ id, version }) => ({ id, version }))

/** Whose questions they are, in a line. */
function useFrom(rows: readonly OfficeQuestion[]): string {
  const t = words.use()
  return t('fromSchools', { n: new Set(rows.map(({ schoolId }) => schoolId)).size })
}

/** Accepts all that are chosen; says what is left and why. */
export function AcceptManyDialog(props: DialogProps) {
  const t = words.use()
  const said = (done: Outcome['done']) => t('acceptDoneMany', { n: done.length })
  const { asked, confirm, busy, outcome, end } = useSeveral(props, { renews, said })
  const from = useFrom(asked)
  const accept = () =>
    confirm((idempotencyKey) =>
      call(acceptQuestions, { body: { questions: reviews(asked) }, idempotencyKey }),
    )
  if (outcome) return <Told asked={asked} outcome={outcome} onClose={end} />
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
  const said = (done: Outcome['done']) => t('declineDoneMany', { n: done.length })
  const { asked, act, outcome, end } = useSeveral(props, { renews, said })
  const from = useFrom(asked)
  const f = usePortalForm({
    schema: z.object({ reason: declineQuestions.body.shape.reason }),
    initialValues: { reason: '' },
    save: ({ reason }) => {
      const body = { questions: reviews(asked), reason }
      return act((idempotencyKey) => call(declineQuestions, { body, idempotencyKey }))
    },
  })
  if (outcome) return <Told asked={asked} outcome={outcome} onClose={end} />
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
