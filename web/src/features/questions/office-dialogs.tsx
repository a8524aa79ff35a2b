import type { AnswerOf } from '@podium/contract/endpoint'
import {
  acceptQuestions,
  declineQuestion,
  declineQuestions,
  type OfficeQuestion,
  officeQuestions,
} from '@podium/contract/questions/calls'
import { officeMe } from '@podium/contract/staff/calls'
import { call } from '#shell/call.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { RefusedDialog, type SeveralProps, useBulkAction } from '#shell/refused-dialog.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { shortly, words } from './question-card.tsx'

/** Declines a question with the reason that its school reads. */
export function DeclineDialog({ question, onClose }: { question: OfficeQuestion; onClose: () => void }) {
  const t = words.use()
  const { id, version } = question
  return (
    <ReasonDialog
      title={t('declineTitle')}
      says={t('declineSays', { name: question.sentBy })}
      action={t('decline')}
      danger
      draftKey={`question.${id}`}
      act={(reason) => call(declineQuestion, { body: { id, version, reason } })}
      invalidates={[officeQuestions]}
      done={t('declineDone')}
      onClose={onClose}
    />
  )
}

type DialogProps = SeveralProps<OfficeQuestion>
type Outcome = AnswerOf<typeof acceptQuestions>

const invalidates = [officeQuestions, officeMe]
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
  const { asked, confirm, busy, outcome } = useBulkAction(props, { invalidates, said })
  const from = useFrom(asked)
  const accept = () =>
    confirm((idempotencyKey) =>
      call(acceptQuestions, { body: { questions: reviews(asked) }, idempotencyKey }),
    )
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
  const said = (done: Outcome['done']) => t('declineDoneMany', { n: done.length })
  const { asked, key, told, outcome } = useBulkAction(props, { invalidates, said })
  const from = useFrom(asked)
  if (outcome) return <Told asked={asked} outcome={outcome} onClose={props.onClose} />
  return (
    <ReasonDialog
      title={t('declineManyTitle', { n: asked.length })}
      says={`${from} ${t('declineManySays')}`}
      rule={declineQuestions.body.shape.reason}
      action={t('decline')}
      danger
      act={(reason) =>
        call(declineQuestions, { body: { questions: reviews(asked), reason }, idempotencyKey: key })
      }
      onDone={told}
      onClose={props.onClose}
    />
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
