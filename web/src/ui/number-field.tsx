import { type FocusEvent, type Ref, useState } from 'react'
import { FieldFrame, type FieldProps, resetsWithControl, useFieldIds } from './field.tsx'
import { parseTypedNumber, type TypedNumber } from './numbers.ts'

interface NumberFieldProps extends FieldProps {
  id?: string
  name?: string
  ref?: Ref<HTMLInputElement>
  value?: TypedNumber
  defaultValue?: TypedNumber
  /** The number; '' if empty, and the text if it is no number, which the form's schema refuses. */
  onChange?: (value: TypedNumber) => void
  onFocus?: () => void
  onBlur?: (event: FocusEvent<HTMLInputElement>) => void
  min?: number
  max?: number
  /** Decimal places; default 0. */
  decimals?: number
  disabled?: boolean
  placeholder?: string
  'data-path'?: string
}

/** A number as text with a numeric keypad: no wheel that changes it by accident. Takes @mantine/form's props. */
export const NumberField = resetsWithControl(function NumberField(all: NumberFieldProps) {
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
  const [typed, setTyped] = useState('')
  // «1,000» and «5.» stay as typed while they equal the form's value.
  const shown = input.value !== undefined && parseTypedNumber(typed) === input.value ? { value: typed } : {}
  return (
    <FieldFrame id={id} props={field}>
      <input
        type="text"
        inputMode={decimals > 0 ? 'decimal' : 'numeric'}
        autoComplete="off"
        className="in"
        {...input}
        {...shown}
        id={id}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          onChange?.(parseTypedNumber(event.currentTarget.value))
        }}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy}
      />
    </FieldFrame>
  )
})
