import { ConfirmDialog } from '#ui/dialog.tsx'
import { words } from './words.ts'

interface LeaveDialogProps {
  /** A draft is stored, so nothing would be lost. */
  draftSaved: boolean
  onLeave: () => void
  onStay: () => void
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
      onCancel={onStay}
    >
      {draftSaved ? t('leaveText') : t('leaveTextLost')}
    </ConfirmDialog>
  )
}
