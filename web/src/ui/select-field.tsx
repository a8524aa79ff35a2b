import type { Ref, SelectHTMLAttributes } from 'react'
import { FieldFrame, type FieldProps, useFieldIds } from './field.tsx'
import { Icon } from './icon.tsx'

export interface Choice {
  value: string
  label: string
  disabled?: boolean
}

type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, keyof FieldProps>

interface SelectFieldProps extends FieldProps, SelectProps {
  choices: readonly Choice[]
  /** The first option, with an empty value: «Choose a class», «All». */
  empty?: string
  ref?: Ref<HTMLSelectElement>
}

/** A choice by the device's own picker, which is best on a phone and with a keyboard. Values are strings. */
export function SelectField(all: SelectFieldProps) {
  const { label, labelHidden, hint, error, optional, className, aside, formKey, choices, empty, ...select } =
    all
  const { id, describedBy } = useFieldIds(error, hint, select.id)
  // A native select forgets a value that it does not offer yet.
  const key = formKey && `${formKey} ${choices.map(({ value }) => value)}`
  return (
    <FieldFrame id={id} props={{ label, labelHidden, hint, error, optional, className, aside }}>
      <span className="sel">
        <select
          key={key}
          className="in"
          {...select}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}>
          {empty !== undefined && <option value="">{empty}</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value} disabled={choice.disabled}>
              {choice.label}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </span>
    </FieldFrame>
  )
}
