import { askBackApplication } from '@podium/contract/schools/calls-applications'
import { call } from '#shell/call.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import type { DecisionProps } from './decision.ts'
import { words } from './words.ts'

/** Asks the applicant for what is missing; what is typed stays until it is sent. */
export function AskDialog({ detail, onDone, onRefused, onClose }: DecisionProps) {
  const t = words.use()
  const { id, version, schName, city, applicantName: applicant } = detail.application
  return (
    <ReasonDialog
      title={t('askTitle')}
      says={
        <>
          <p>
            <b>{schName}</b>, {city}
          </p>
          <p>{t('askText', { applicant })}</p>
        </>
      }
      label={t('question')}
      hint={t('questionHint')}
      rule={askBackApplication.body.shape.question}
      picks="request"
      action={t('askSave')}
      draftKey={`ask-back.${id}`}
      act={(question) => call(askBackApplication, { body: { id, version, question } })}
      onDone={() => onDone(t('askedToast', { applicant }))}
      onRefused={onRefused}
      onClose={onClose}
    />
  )
}
