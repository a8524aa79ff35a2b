import { ConfirmDialog } from '#ui/dialog.tsx'
import { words } from './words.ts'

interface LeaveDialogProps {
  /** A draft is stored, so nothing would be lost. */
  draftSaved: boolean
  onLeave: () => void
  onStay: () => void
}

interface SignOutDialogProps {
  /** How many rows in the grid would be deleted */
  rows: number
  onSignOut: () => void
  onStay: () => void
}

/** Asks before a sign-out deletes the rows that were typed into the grid and are not entered yet. */
export function SignOutDialog({ rows, onSignOut, onStay }: SignOutDialogProps) {
  const t = words.use()
  return (
    <ConfirmDialog
      opened
      danger
      title={t('signOutTitle', { n: rows })}
      action={t('signOutAnyway')}
      cancel={t('staySignedIn')}
      onConfirm={onSignOut}
      onCancel={onStay}>
      {t('signOutText')}
    </ConfirmDialog>
  )
}

/** Asks before the user leaves a form with unsaved input. */
export function LeaveDialog({ draftSaved, onLeave, onStay }: LeaveDialogProps) {
  const t = words.use()
  return (
    <ConfirmDialog
      opened
      danger={!draftSaved}
      title={t('leaveTitle')}
      action={t('leave')}
      cancel={t('keepEditing')}
      onConfirm={onLeave}
      onCancel={onStay}>
      {draftSaved ? t('leaveText') : t('leaveTextLost')}
    </ConfirmDialog>
  )
}
