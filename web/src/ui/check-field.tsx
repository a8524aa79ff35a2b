import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
import { FieldMessage, useFieldIds } from './field.tsx'
import type { Choice } from './select-field.tsx'
import './check.css'
import './field.css'

interface CheckProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  label: ReactNode
  error?: ReactNode
  hint?: ReactNode
  /** Some of the items it stands for are checked. */
  mixed?: boolean
  formKey?: string
  ref?: Ref<HTMLInputElement>
}

/** A checkbox with its label behind it. With @mantine/form: `field(path, { type: 'checkbox' })`. */
export function CheckField({ label, error, hint, mixed, formKey, className, ...input }: CheckProps) {
  const { id, describedBy } = useFieldIds(error, hint, input.id)
  return (
    <div className={['f', error && 'err', className].filter(Boolean).join(' ')}>
      <div className="ck">
        <input
          key={formKey}
          {...input}
          type="checkbox"
          id={id}
          ref={(box) => {
            if (box) box.indeterminate = Boolean(mixed)
          }}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
        />
        <label htmlFor={id}>{label}</label>
      </div>
      <FieldMessage id={id} error={error} hint={hint} />
    </div>
  )
}

/** A switch that takes effect at once, without saving. */
export function Switch({ label, ...input }: Omit<CheckProps, 'error' | 'hint' | 'mixed' | 'formKey'>) {
  const id = useId()
  return (
    <div className="ck">
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox reports its own state */}
      <input {...input} type="checkbox" role="switch" id={input.id ?? id} />
      <label htmlFor={input.id ?? id}>{label}</label>
    </div>
  )
}

interface RadioProps {
  label: ReactNode
  name: string
  choices: readonly Choice[]
  value?: string
  defaultValue?: string
  onChange?: (value: string) => void
  error?: ReactNode
  hint?: ReactNode
  className?: string
  formKey?: string
  'data-path'?: string
}

/** A choice of two or three, all visible. Takes @mantine/form's props (values are strings). */
export function RadioField(props: RadioProps) {
  const { label, name, choices, value, defaultValue, onChange, error, hint, className } = props
  const id = useId()
  return (
    <fieldset className={['f', error && 'err', className].filter(Boolean).join(' ')}>
      <legend>{label}</legend>
      <div className="choices" key={props.formKey}>
        {choices.map((choice) => (
          <label className="ck" key={choice.value}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              disabled={choice.disabled}
              data-path={props['data-path']}
              checked={value === undefined ? undefined : value === choice.value}
              defaultChecked={defaultValue === undefined ? undefined : defaultValue === choice.value}
              onChange={() => onChange?.(choice.value)}
              aria-describedby={error ? `${id}-e` : undefined}
            />
            {choice.label}
          </label>
        ))}
      </div>
      <FieldMessage id={id} error={error} hint={hint} />
    </fieldset>
  )
}
