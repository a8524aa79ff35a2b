import { rejectApplication } from '@podium/contract/schools/calls-applications'
import { call } from '#shell/call.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import type { DecisionProps } from './decision.ts'
import { words } from './words.ts'

/** Rejects with the reason that the school reads; what is typed stays until it is sent. */
export function RejectDialog({ detail, onDone, onRefused, onClose }: DecisionProps) {
  const t = words.use()
  const { id, version, schName, city, applicantName: applicant } = detail.application
  return (
    <ReasonDialog
      title={t('rejectTitle')}
      says={
        <>
          <p>
            <b>{schName}</b>, {city}
          </p>
          <p>{t('rejectText', { applicant })}</p>
        </>
      }
      action={t('rejectSave')}
      picks="application"
      danger
      draftKey={`reject.${id}`}
      act={(reason) => call(rejectApplication, { body: { id, version, reason } })}
      onDone={() => onDone(t('rejectedToast', { name: schName }))}
      onRefused={onRefused}
      onClose={onClose}
    />
  )
}
