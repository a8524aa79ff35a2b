import { officeRemovePerson } from '@podium/contract/accounts/calls-invitations-office'
import type { SchoolPerson, SchoolRecord } from '@podium/contract/schools/calls-record'
import { makeCoordinator, setSchoolAccount, setSchoolStatus } from '@podium/contract/schools/calls-write'
import { call } from '#shell/call.ts'
import { ReasonDialog } from '#shell/reason-dialog.tsx'
import { shownOfSchools } from './use-record.ts'
import { words } from './words-record.ts'

/** Switches a school off, or on again. */
export function StatusDialog({ school, onClose }: { school: SchoolRecord; onClose: () => void }) {
  const t = words.use()
  const { id, version, active, schName: name } = school
  return (
    <ReasonDialog
      title={t(active ? 'offTitle' : 'onTitle', { name })}
      says={t(active ? 'offSays' : 'onSays')}
      action={t(active ? 'switchOff' : 'switchOn')}
      danger={active}
      done={t(active ? 'offDone' : 'onDone', { name })}
      draftKey={`standing.${id}`}
      act={(reason) => call(setSchoolStatus, { body: { id, version, active: !active, reason } })}
      invalidates={shownOfSchools}
      onClose={onClose}
    />
  )
}

interface AccountProps {
  schoolId: number
  person: SchoolPerson
  onClose: () => void
}

/** Disables somebody's account, or enables it again. */
export function AccountDialog({ schoolId, person, onClose }: AccountProps) {
  const t = words.use()
  const { id: userId, version, disabled: enabled, name } = person
  return (
    <ReasonDialog
      title={t(enabled ? 'enableTitle' : 'disableTitle', { name })}
      says={t(enabled ? 'enableSays' : 'disableSays', { name })}
      action={t(enabled ? 'enable' : 'disable')}
      danger={!enabled}
      done={t(enabled ? 'enableDone' : 'disableDone', { name })}
      draftKey={`account.${userId}`}
      act={(reason) => call(setSchoolAccount, { body: { id: schoolId, userId, version, enabled, reason } })}
      invalidates={shownOfSchools}
      onClose={onClose}
    />
  )
}

/** Makes somebody the coordinator in the place of who was it before. */
export function CoordinateDialog({ schoolId, person, before, onClose }: AccountProps & { before: string }) {
  const t = words.use()
  const { id: userId, name } = person
  return (
    <ReasonDialog
      title={t('coordinateTitle', { name })}
      says={before === '' ? t('coordinateFirst') : t('coordinateSays', { before })}
      action={t('coordinate')}
      done={t('coordinateDone', { name })}
      draftKey={`coordinate.${userId}`}
      act={(reason) => call(makeCoordinator, { body: { id: schoolId, userId, reason } })}
      invalidates={shownOfSchools}
      onClose={onClose}
    />
  )
}

/** Removes somebody from the school. */
export function RemoveDialog({ schoolId, person, onClose }: AccountProps) {
  const t = words.use()
  const { id: userId, version, name } = person
  return (
    <ReasonDialog
      title={t('removeTitle', { name })}
      says={t('removeSays', { name })}
      action={t('remove')}
      danger
      done={t('removeDone', { name })}
      draftKey={`remove.${userId}`}
      act={(reason) => call(officeRemovePerson, { body: { id: schoolId, userId, version, reason } })}
      invalidates={shownOfSchools}
      onClose={onClose}
    />
  )
}
