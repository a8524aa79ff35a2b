import { approveApplication, type LikelySchool } from '@podium/contract/schools/calls-applications'
import { useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { differingFields } from './comparison.ts'
import type { DecisionProps } from './decision.ts'
import { words } from './words.ts'

/** Joins the applicant to a known school, after naming both. */
export function JoinDialog(props: DecisionProps & { school: LikelySchool }) {
  const { detail, school, onDone, onRefused, onClose } = props
  const t = words.use()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { id, version, schName, applicantName: applicant } = detail.application
  const differing = differingFields(detail.application, school)
  const join = async () => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      const joined = await call(approveApplication, { body: { id, version, schId: school.schId } })
      onDone(t('joinedToast', { applicant, code: joined.schCode }), joined)
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      if (!onRefused(cause)) setProblem(translateSentence(cause.message))
    } finally {
      setBusy(false)
    }
  }
  const names = { applicant, applied: schName, known: school.schName, code: school.schCode }
  return (
    <ConfirmDialog
      opened
      title={t('joinTitle')}
      action={t('joinSave', { code: school.schCode })}
      busy={busy}
      onConfirm={join}
      onCancel={onClose}
    >
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
