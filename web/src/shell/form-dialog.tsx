import type { ComponentProps, ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { FormFrame, type PortalFormState } from './form-frame.tsx'

interface FormDialogProps extends Omit<ComponentProps<typeof Dialog>, 'opened'> {
  /** What usePortalForm gave. */
  of: PortalFormState
  /** The word on the button that sends it */
  save: ReactNode
  /** Something is lost by it */
  danger?: boolean
  /** Why it can't be sent yet */
  disabled?: ComponentProps<typeof Button>['disabled']
  asksBeforeLeaving?: boolean
}

/** A dialog that is one form: its fields below each other, Cancel, and the button that sends it. */
export function FormDialog(props: FormDialogProps) {
  const { of, save, danger, disabled, asksBeforeLeaving = false, children, ...dialog } = props
  return (
    <Dialog opened {...dialog}>
      <FormFrame of={of} asksBeforeLeaving={asksBeforeLeaving}>
        <DialogBody>
          <div className="stack">{children}</div>
        </DialogBody>
        <DialogFoot onCancel={dialog.onClose}>
          <Button
            type="submit"
            kind={danger ? 'danger-filled' : 'primary'}
            busy={of.saving}
            disabled={disabled}
          >
            {save}
          </Button>
        </DialogFoot>
      </FormFrame>
    </Dialog>
  )
}
