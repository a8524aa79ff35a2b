import './field.css'
import { type ComponentType, type ReactNode, useId } from 'react'
import { Icon } from './icon.tsx'
import { useKitWords } from './kit-words.ts'

/** Props of every field, beside the attributes of its element. */
export interface FieldProps {
  label: ReactNode
  /** The label is only for screen readers (the name is visible elsewhere). */
  labelHidden?: boolean
  hint?: ReactNode
  /** The error under the field; null or undefined if there is none. */
  error?: ReactNode
  /** Adds «(optional)» to the label; required fields have no mark. */
  optional?: boolean
  /** Class of the whole field, for its place in a grid: `c3`, `grow`. */
  className?: string
  /** A link or button at the end of the label's line. */
  aside?: ReactNode
  /** Changes when the form sets the value itself; the control then starts anew with its `defaultValue`. */
  formKey?: string
}

/** A field with state of its own, which starts anew with its control. */
export const resetsWithControl =
  <Props extends { formKey?: string }>(Field: ComponentType<Props>) =>
  ({ formKey, ...props }: Props) => <Field key={formKey} {...(props as unknown as Props)} />

/** Returns ids that link a field's control to its error and hint. */
export function useFieldIds(error: ReactNode, hint: ReactNode, givenId?: string) {
  const ownId = useId()
  const id = givenId ?? ownId
  const describedBy = [error ? `${id}-e` : '', hint ? `${id}-h` : ''].filter(Boolean).join(' ')
  return { id, describedBy: describedBy || undefined }
}

/** A field's frame: label, control, then the error or the hint. */
export function FieldFrame({ id, props, children }: { id: string; props: FieldProps; children: ReactNode }) {
  const words = useKitWords()
  const { label, labelHidden, hint, error, optional, className, aside } = props
  const text = (
    <>
      {label}
      {optional && <span className="opt"> ({words.optional})</span>}
    </>
  )
  return (
    <div className={['f', error && 'err', className].filter(Boolean).join(' ')}>
      {aside ? (
        <div className="labrow">
          <label className="lab" htmlFor={id}>
            {text}
          </label>
          {aside}
        </div>
      ) : (
        <label htmlFor={id} className={labelHidden ? 'sr' : undefined}>
          {text}
        </label>
      )}
      {children}
      <FieldMessage id={id} error={error} hint={hint} />
    </div>
  )
}

export function FieldMessage({ id, error, hint }: { id: string; error?: ReactNode; hint?: ReactNode }) {
  return (
    <>
      {error && (
        <p className="msg" id={`${id}-e`}>
          <Icon name="warning" />
          <span>{error}</span>
        </p>
      )}
      {hint && (
        <p className="hint" id={`${id}-h`}>
          {hint}
        </p>
      )}
    </>
  )
}
