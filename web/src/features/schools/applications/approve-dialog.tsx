import { approveApplication, schoolCode } from '@podium/contract/schools/calls-applications'
import * as z from 'zod/mini'
import { CallError, call } from '#shell/call.ts'
import { usePortalForm } from '#shell/form.tsx'
import { FormDialog } from '#shell/form-dialog.tsx'
import { Note } from '#ui/note.tsx'
import { TextField } from '#ui/text-field.tsx'
import { sameNumber } from './comparison.ts'
import type { DecisionProps } from './decision.ts'
import { words } from './words.ts'

const schema = z.object({
  schCode: z.pipe(
    z.pipe(
      z.string(),
      z.transform((typed: string) => typed.trim().toUpperCase()),
    ),
    schoolCode,
  ),
})

/** Approves as a new school. The proposed code is left to the server, so that two officers never get one number. */
export function ApproveDialog({ detail, onDone, onRefused, onClose }: DecisionProps) {
  const t = words.use()
  const { application, likely, proposedCode } = detail
  const twin = sameNumber(likely)
  const f = usePortalForm({
    schema,
    initialValues: { schCode: proposedCode },
    save: async ({ schCode }) => {
      const chosen = schCode === proposedCode ? {} : { schCode }
      const { id, version } = application
      try {
        const made = await call(approveApplication, { body: { id, version, ...chosen } })
        onDone(t('approvedToast', { name: application.schName, code: made.schCode }), made)
      } catch (cause) {
        if (!(cause instanceof CallError)) throw cause
        if (onRefused(cause)) return
        if (cause.code !== 'application.code_taken') throw cause
        throw new CallError(cause.message, cause.status, cause.code, [
          { path: 'schCode', message: cause.message },
        ])
      }
    },
  })
  return (
    <FormDialog of={f} onClose={onClose} title={t('approveTitle')} size="small" save={t('approveSave')}>
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
          key={f.form.key('schCode')}
          {...f.form.getInputProps('schCode')}
        />
      </div>
    </FormDialog>
  )
}
