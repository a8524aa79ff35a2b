import {
  declineQuestion,
  type OfficeQuestion,
  officeQuestions,
} from '@podium/contract/questions/calls-office'
import { call } from '#shell/call.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { words } from './words-office.ts'

const invalidates = [officeQuestions]

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
      invalidates={invalidates}
      done={t('declineDone')}
      onClose={onClose}
    />
  )
}
