import { ConfirmDialog } from '#ui/dialog.tsx'
import { words } from './words.ts'

interface LeaveDialogProps {
  /** A draft is stored, so nothing would be lost. */
  kept: boolean
  onLeave: () => void
  onStay: () => void
}

/** Asks before the user leaves a form with unsaved input. */
export function LeaveDialog({ kept, onLeave, onStay }: LeaveDialogProps) {
  const t = words.use()
  return (
    <ConfirmDialog
      opened
      danger={!kept}
      title={t('leaveTitle')}
      action={t('leave')}
      cancel={t('keepEditing')}
      onConfirm={onLeave}
      onCancel={onStay}
    >
      {kept ? t('leaveText') : t('leaveTextLost')}
    </ConfirmDialog>
  )
}
