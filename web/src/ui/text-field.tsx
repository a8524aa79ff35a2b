import { type InputHTMLAttributes, type Ref, type TextareaHTMLAttributes, useState } from 'react'
import { IconButton } from './button.tsx'
import { FieldFrame, type FieldProps, useFieldIds } from './field.tsx'
import { Icon } from './icon.tsx'
import { useKitWords } from './kit-words.ts'

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, keyof FieldProps> & {
  ref?: Ref<HTMLInputElement>
}
export type TextFieldProps = FieldProps & InputProps

function split<P extends FieldProps>(all: P) {
  const { label, labelHidden, hint, error, optional, className, aside, formKey, ...input } = all
  return { field: { label, labelHidden, hint, error, optional, className, aside }, formKey, input }
}

/** One line of text; `type` may be email, tel, url, number. Takes @mantine/form's props. */
export function TextField(all: TextFieldProps) {
  const { field, formKey, input } = split(all)
  const { id, describedBy } = useFieldIds(field.error, field.hint, input.id)
  return (
    <FieldFrame id={id} props={field}>
      <input
        key={formKey}
        type="text"
        className="in"
        {...input}
        id={id}
        aria-invalid={field.error ? true : undefined}
        aria-describedby={describedBy}
      />
    </FieldFrame>
  )
}

/** The search of a list. `/` focuses it. */
export function SearchField(all: TextFieldProps) {
  const { field, formKey, input } = split(all)
  const { id, describedBy } = useFieldIds(field.error, field.hint, input.id)
  return (
    <FieldFrame id={id} props={{ ...field, className: field.className ?? 'grow' }}>
      <span className="seek">
        <Icon name="search" />
        <input
          key={formKey}
          type="search"
          className="in"
          data-search
          {...input}
          id={id}
          aria-describedby={describedBy}
          enterKeyHint="search"
        />
      </span>
    </FieldFrame>
  )
}

/** A name or a word followed by a few digits: the first guess of anyone who knows the person. */
const guessable = /^\p{L}{2,10}[\s._@#-]?\d{1,6}[!.@#]?$/u

interface PasswordProps extends Omit<TextFieldProps, 'type'> {
  /** The e-mail address under which password managers store it, in a form that does not show it */
  account?: string
}

/** A password that can be shown. A new one (with a hint) gets a warning if easily guessed; it is still accepted. */
export function PasswordField({ account, ...all }: PasswordProps) {
  const words = useKitWords()
  const [shown, setShown] = useState(false)
  const [weak, setWeak] = useState(false)
  const { field: given, formKey, input } = split(all)
  const isNew = input.autoComplete === 'new-password' && given.hint !== undefined
  const field = isNew && weak ? { ...given, hint: words.guessable } : given
  const { id, describedBy } = useFieldIds(field.error, field.hint, input.id)
  return (
    <FieldFrame id={id} props={field}>
      {account !== undefined && (
        <input
          type="email"
          className="sr"
          autoComplete="username"
          value={account}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
      )}
      <span className="pass">
        <input
          key={formKey}
          className="in"
          autoComplete="current-password"
          autoCapitalize="none"
          spellCheck={false}
          {...input}
          onInput={(event) => isNew && setWeak(guessable.test(event.currentTarget.value))}
          type={shown ? 'text' : 'password'}
          id={id}
          aria-invalid={field.error ? true : undefined}
          aria-describedby={describedBy}
        />
        <IconButton
          icon={shown ? 'eye-off' : 'eye'}
          label={shown ? words.hidePassword : words.showPassword}
          aria-pressed={shown}
          aria-controls={id}
          onClick={() => setShown(!shown)}
        />
      </span>
    </FieldFrame>
  )
}

type AreaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, keyof FieldProps>

export function TextArea(all: FieldProps & AreaProps) {
  const { field, formKey, input } = split(all)
  const { id, describedBy } = useFieldIds(field.error, field.hint, input.id)
  return (
    <FieldFrame id={id} props={field}>
      <textarea
        key={formKey}
        rows={3}
        className="in"
        {...input}
        id={id}
        aria-invalid={field.error ? true : undefined}
        aria-describedby={describedBy}
      />
    </FieldFrame>
  )
}
