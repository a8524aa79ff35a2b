import type { FamilyOfStudent, OfficeStudent } from '@podium/contract/students/calls-record'
import { renewOfficeFamilyLink, revokeFamilyLink } from '@podium/contract/students/calls-write'
import { useState } from 'react'
import { call } from '#shell/call.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { shownOfStudents } from './use-record.ts'
import { words } from './words-record.ts'

export type LinkAct = 'renew' | 'revoke'

interface LinkProps {
  act: LinkAct
  student: OfficeStudent
  family: FamilyOfStudent | null
  onClose: () => void
}

/** Replaces the family's link and code, or takes them back. */
export function LinkDialog({ act, student, family, onClose }: LinkProps) {
  const t = words.use()
  const { id } = student
  // As it was when the dialog was opened: what somebody else has renewed since is not renewed once more.
  const [createdAt] = useState(family?.createdAt)
  const invalidates = act === 'renew'
  return (
    <ReasonDialog
      title={t(invalidates ? 'renewTitle' : 'revokeTitle')}
      says={t(invalidates ? 'renewSays' : 'revokeSays')}
      action={t(invalidates ? 'renew' : 'revoke')}
      danger={!invalidates}
      done={t(invalidates ? 'renewDone' : 'revokeDone')}
      draftKey={`family.${act}.${id}`}
      act={async (reason) => {
        await (invalidates
          ? call(renewOfficeFamilyLink, { body: { id, createdAt, reason } })
          : call(revokeFamilyLink, { body: { id, reason } }))
      }}
      invalidates={shownOfStudents}
      onClose={onClose}
    />
  )
}
