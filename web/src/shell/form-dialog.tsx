import type { Schema } from '@podium/contract/endpoint'
import { type ComponentProps, type ReactNode, useState } from 'react'
import type * as z from 'zod/mini'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { useKitWords } from '#ui/kit-words.ts'
import { Note } from '#ui/note.tsx'
import { toast } from '#ui/toast.tsx'
import { CallError } from './call.ts'
import {
  FormFrame,
  type PortalForm,
  type PortalFormState,
  useCloseQuestion,
  useLeavePageQuestion,
  usePortalForm,
} from './form-frame.tsx'
import { useSentences } from './language/sentences.ts'
import { useInvalidate } from './query.ts'
import { type ActionOutcome, useClosing } from './use-action.ts'

interface FormDialogOptions<S extends Schema, Values, T>
  extends Omit<PortalForm<S, Values>, 'save'>,
    Omit<ActionOutcome<T>, 'done'> {
  /** Makes the call. If it is refused, the dialog stays open with the input and shows why. */
  save: (values: z.output<S>) => Promise<T>
  /** The success message. */
  done?: string | ((answer: T, values: z.output<S>) => string) | undefined
  /** Returns true if it has handled the refusal; the dialog then shows nothing. */
  onRefused?: ((cause: CallError) => boolean) | undefined
}

/**
 * A record as it was when its dialog opened: a version that a refetch brings does not belong to the values in the form,
 * and with it what another user has saved would be overwritten.
 */
export const useAsOpened = <T,>(record: T): T => useState(record)[0]

/**
 * `useCloseQuestion` for a dialog without a form of the shell, which asks before the user leaves the page too. Pass `leave`
 * to the dialog and render `question` in it.
 */
export function useLeaveQuestion(isLost: () => boolean, onClose: () => void) {
  const closing = useCloseQuestion(isLost, onClose)
  const leaving = useLeavePageQuestion(isLost)
  return { ...closing, question: leaving || closing.question }
}

/** The form of a dialog that closes once its call has succeeded: pass the result to `FormDialog`. */
export function useFormDialog<S extends Schema, Values extends Record<string, unknown>, T>(
  options: FormDialogOptions<S, Values, T>,
) {
  const { close, closeAfter } = useClosing(options.onClose)
  const { save, invalidates, done, onClose: _, onDone = closeAfter, onRefused, ...form } = options
  const invalidate = useInvalidate(invalidates)
  const f = usePortalForm<S, Values>({
    ...form,
    save: async (values) => {
      try {
        const answer = await save(values).finally(invalidate)
        if (done !== undefined) toast.success(typeof done === 'string' ? done : done(answer, values))
        await onDone(answer)
      } catch (cause) {
        if (!(cause instanceof CallError) || !onRefused?.(cause)) throw cause
      }
    },
  })
  return { ...f, onClose: close }
}

interface DialogFormProps {
  /** The result of useFormDialog. */
  of: PortalFormState & { onClose: () => void }
  /** Label of the submit button */
  save: ReactNode
  /** Label of the cancel button, if «Cancel» could be mistaken for the action */
  back?: string | undefined
  sums?: ReactNode
  /** Something would be lost */
  danger?: boolean | undefined
  /** Why it can't be submitted yet */
  disabled?: ComponentProps<typeof Button>['disabled']
  asksBeforeLeaving?: boolean | undefined
  children: ReactNode
}

/** The form of a dialog that is already open: fields below each other, Cancel, and the submit button. */
export function DialogForm(props: DialogFormProps) {
  const { of, save, back, sums, danger, disabled, asksBeforeLeaving = false, children } = props
  return (
    <FormFrame of={of} asksBeforeLeaving={asksBeforeLeaving}>
      <DialogBody>
        <div className="stack">{children}</div>
      </DialogBody>
      <DialogFoot sums={sums} onCancel={of.onClose} cancel={back}>
        <Button
          type="submit"
          kind={danger ? 'danger-filled' : 'primary'}
          busy={of.saving}
          disabled={disabled}>
          {save}
        </Button>
      </DialogFoot>
    </FormFrame>
  )
}

type FormDialogProps = DialogFormProps & Pick<ComponentProps<typeof Dialog>, 'title' | 'fact' | 'size'>

interface ListProblemProps {
  /**
   * Why the choices are missing; null while they are there. Whoever asks for them reads it, not this component: a query
   * redraws only who has read its error, and a dialog's frame may be loaded after the refusal.
   */
  error: Error | null
  retry: () => unknown
  /** Its width in a grid, as of a field */
  className?: string
}

/** Beside a field whose choices could not be loaded: why, and «Try again». */
export function ListProblem({ error, retry, className }: ListProblemProps) {
  const translate = useSentences()
  const kit = useKitWords()
  if (!error) return null
  return (
    <div className={className}>
      <Note kind="bad">
        <b>{kit.loadFailed}</b>
        <br />
        {translate(error.message)}{' '}
        <button type="button" className="lk" onClick={() => void retry()}>
          {kit.tryAgain}
        </button>
      </Note>
    </div>
  )
}

/** A dialog with a single form. */
export function FormDialog({ title, fact, size, ...form }: FormDialogProps) {
  const { of } = form
  const isLost = () => !of.keepsDraft && !of.saving && of.form.isDirty()
  const { leave, question } = useCloseQuestion(isLost, of.onClose)
  return (
    <Dialog opened onClose={leave} title={title} fact={fact} size={size}>
      <DialogForm {...form} />
      {question}
    </Dialog>
  )
}
