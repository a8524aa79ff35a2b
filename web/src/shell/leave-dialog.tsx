import { ConfirmDialog } from '#ui/dialog.tsx'
import { words } from './words.ts'

interface LeaveDialogProps {
  /** A draft is kept, so nothing would be lost. */
  kept: boolean
  onLeave: () => void
  onStay: () => void
}

/** The question before a form with unsaved work is left. */
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
