import {
  approveApplication,
  askBackApplication,
  type LikelySchool,
  rejectApplication,
  schoolCode,
} from '@podium/contract/schools/calls-applications'
import * as z from 'zod/mini'
import { CallError, call } from '#shell/call.ts'
import { FormDialog, useFormDialog } from '#shell/form-dialog.tsx'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { useAttempt } from '#shell/use-action.ts'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { TextField } from '#ui/text-field.tsx'
import { type DecisionProps, differingFields, findSameNumber } from './comparison.ts'
import { words } from './use-queue.ts'

const schema = z.object({
  schCode: z.pipe(
    z.pipe(
      z.string(),
      z.transform((typed: string) => typed.trim().toUpperCase()),
    ),
    schoolCode,
  ),
})

/**
 * Approves the application as a new school. The server assigns the code, so that two officers never get the same one.
 */
export function ApproveDialog({ detail, onDone, onRefused, onClose }: DecisionProps) {
  const t = words.use()
  const { application, likely, proposedCode } = detail
  const twin = findSameNumber(likely)
  const f = useFormDialog({
    schema,
    initialValues: { schCode: proposedCode },
    save: ({ schCode }) => {
      const chosen = schCode === proposedCode ? {} : { schCode }
      const { id, version } = application
      return call(approveApplication, { body: { id, version, ...chosen } }).catch((cause) => {
        if (!(cause instanceof CallError) || cause.code !== 'application.code_taken') throw cause
        const { message, status, code } = cause
        throw new CallError(message, status, code, [{ path: 'schCode', message }])
      })
    },
    onDone: (approved) =>
      onDone(t('approvedToast', { name: application.schName, code: approved.schCode }), approved),
    onRefused,
    onClose,
  })
  return (
    <FormDialog of={f} title={t('approveTitle')} size="small" save={t('approveSave')}>
      <div className="stack gap-3">
        <p>
          <b>{application.schName}</b>, {application.city}
        </p>
        <p>{t('approveText', { applicant: application.applicantName })}</p>
        {twin ? (
          <Note kind="bad">{t('approveTwin', { code: twin.schCode, known: twin.schName })}</Note>
        ) : (
          likely.length > 0 && <Note kind="due">{t('approveLikely', { n: likely.length })}</Note>
        )}
        <TextField
          label={t('code')}
          hint={t('codeHint')}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...f.form.field('schCode')}
        />
      </div>
    </FormDialog>
  )
}

/** Links the applicant to a known school, after naming both. */
export function JoinDialog(props: DecisionProps & { school: LikelySchool }) {
  const { detail, school, onDone, onRefused, onClose } = props
  const t = words.use()
  const { busy, problem, attempt } = useAttempt()
  const { id, version, schName, applicantName: applicant } = detail.application
  const differing = differingFields(detail.application, school)
  const join = () =>
    attempt(async () => {
      try {
        const approved = await call(approveApplication, { body: { id, version, schId: school.schId } })
        onDone(t('joinedToast', { applicant, code: approved.schCode }), approved)
      } catch (cause) {
        if (!(cause instanceof CallError) || !onRefused(cause)) throw cause
      }
    })
  const names = { applicant, applied: schName, known: school.schName, code: school.schCode }
  return (
    <ConfirmDialog
      opened
      title={t('joinTitle')}
      action={t('joinSave', { code: school.schCode })}
      busy={busy}
      onConfirm={join}
      onCancel={onClose}>
      <div className="stack gap-3">
        {problem && <Note kind="bad">{problem}</Note>}
        <p>{t('joinText', names)}</p>
        {differing.length > 0 && (
          <Note kind="due">
            {t('joinDiffers', { fields: differing.map((field) => t(field)).join(', ') })}
          </Note>
        )}
      </div>
    </ConfirmDialog>
  )
}

/** Asks the applicant for missing details; what is typed is kept until it is sent. */
export function AskDialog({ detail, onDone, onRefused, onClose }: DecisionProps) {
  const t = words.use()
  const { id, version, schName, city, applicantName: applicant } = detail.application
  return (
    <ReasonDialog
      title={t('askTitle')}
      description={
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

/** Rejects with a reason that the school can read; what is typed is kept until it is sent. */
export function RejectDialog({ detail, onDone, onRefused, onClose }: DecisionProps) {
  const t = words.use()
  const { id, version, schName, city, applicantName: applicant } = detail.application
  return (
    <ReasonDialog
      title={t('rejectTitle')}
      description={
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
