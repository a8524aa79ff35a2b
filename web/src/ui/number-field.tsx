import type { FocusEvent, Ref } from 'react'
import { FieldFrame, type FieldProps, useFieldIds } from './field.tsx'

interface NumberFieldProps extends FieldProps {
  id?: string
  name?: string
  ref?: Ref<HTMLInputElement>
  value?: number | ''
  defaultValue?: number | ''
  /** The number, or '' while nothing readable stands there. */
  onChange?: (value: number | '') => void
  onFocus?: () => void
  onBlur?: (event: FocusEvent<HTMLInputElement>) => void
  min?: number
  max?: number
  /** Digits after the point; 0 unless said. */
  decimals?: number
  disabled?: boolean
  placeholder?: string
  'data-path'?: string
}

/** A number as text with a number pad: no wheel that changes it by accident. Takes @mantine/form's props. */
export function NumberField(all: NumberFieldProps) {
  const {
    label,
    labelHidden,
    hint,
    error,
    optional,
    className,
    aside,
    decimals = 0,
    onChange,
    ...input
  } = all
  const field = { label, labelHidden, hint, error, optional, className, aside }
  const { id, describedBy } = useFieldIds(error, hint, input.id)
  const read = (typed: string): number | '' => {
    const plain = typed.replaceAll(/[,\s₹]/g, '')
    return plain === '' || !Number.isFinite(Number(plain)) ? '' : Number(plain)
  }
  return (
    <FieldFrame id={id} props={field}>
      <input
        type="text"
        inputMode={decimals > 0 ? 'decimal' : 'numeric'}
        autoComplete="off"
        className="in"
        {...input}
        id={id}
        onChange={(event) => onChange?.(read(event.currentTarget.value))}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy}
      />
    </FieldFrame>
  )
}
