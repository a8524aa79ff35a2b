import type { ComponentProps, ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { FormFrame, type PortalFormState } from './form-frame.tsx'

interface FormDialogProps extends Omit<ComponentProps<typeof Dialog>, 'opened'> {
  /** The result of usePortalForm. */
  of: PortalFormState
  /** Label of the submit button */
  save: ReactNode
  /** Something would be lost */
  danger?: boolean
  /** Why it can't be submitted yet */
  disabled?: ComponentProps<typeof Button>['disabled']
  asksBeforeLeaving?: boolean
}

/** A dialog with a single form: fields below each other, Cancel, and the submit button. */
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
