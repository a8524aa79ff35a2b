import type { OfficeStudent } from '@podium/contract/students/calls-record'
import { renewOfficeFamilyLink, revokeFamilyLink } from '@podium/contract/students/calls-write'
import { call } from '#shell/call.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { shownOfStudents } from './use-record.ts'
import { words } from './words-record.ts'

export type LinkAct = 'renew' | 'revoke'

interface LinkProps {
  act: LinkAct
  student: OfficeStudent
  onClose: () => void
}

/** Replaces the family's link and code, or takes them back. */
export function LinkDialog({ act, student, onClose }: LinkProps) {
  const t = words.use()
  const { id } = student
  const invalidates = act === 'renew'
  return (
    <ReasonDialog
      title={t(invalidates ? 'renewTitle' : 'revokeTitle')}
      says={t(invalidates ? 'renewSays' : 'revokeSays')}
      action={t(invalidates ? 'renew' : 'revoke')}
      danger={!invalidates}
      done={t(invalidates ? 'renewDone' : 'revokeDone')}
      draftKey={`family.${act}.${id}`}
      act={(reason) => call(invalidates ? renewOfficeFamilyLink : revokeFamilyLink, { body: { id, reason } })}
      invalidates={shownOfStudents}
      onClose={onClose}
    />
  )
}
