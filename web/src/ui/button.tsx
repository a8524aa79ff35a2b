import './button.css'
import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

type ButtonKind = 'primary' | 'secondary' | 'text' | 'danger' | 'danger-filled'

const classes: Record<ButtonKind, string> = {
  primary: 'b p',
  secondary: 'b',
  text: 'b t',
  danger: 'b d',
  'danger-filled': 'b dp',
}

/** The class of a link that looks like a button: `<Link className={buttonClass('primary')}>`. */
export function buttonClass(kind: ButtonKind = 'secondary', more = ''): string {
  return more ? `${classes[kind]} ${more}` : classes[kind]
}

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  kind?: ButtonKind
  icon?: IconName
  big?: boolean
  wide?: boolean
  /** Shows a spinner, ignores clicks and announces that it is busy; its colours stay. */
  busy?: boolean
  /**
   * Why it can't be used now. The button stays focusable and announces it, and `explainDisabled` shows it; `true` if the
   * reason is visible nearby.
   */
  disabled?: boolean | string
  /** The key that does the same, shown on the button. */
  shortcut?: string
}

/** A button. `type` defaults to `button`. One primary button in a view. */
export function Button(props: ButtonProps) {
  const { kind, icon, big, wide, busy, disabled, shortcut, className, children, onClick, type, ...rest } =
    props
  const off = Boolean(disabled) || busy
  const size = [big && 'big', wide && 'wide', className].filter(Boolean).join(' ')
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (off) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={buttonClass(kind, size)}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      title={typeof disabled === 'string' ? disabled : rest.title}
      onClick={press}>
      {busy ? <span className="spin" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children}
      {shortcut && !disabled && <kbd>{shortcut}</kbd>}
      {typeof disabled === 'string' && <span className="sr">. {disabled}</span>}
    </button>
  )
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  icon: IconName
  /** Its name, as a tooltip and for screen readers. */
  label: string
  bad?: boolean
  disabled?: boolean | string
}

/** A button with only a well-known icon (copy, edit, delete, close). */
export function IconButton({ icon, label, bad, disabled, onClick, className, ...rest }: IconButtonProps) {
  const name = typeof disabled === 'string' ? `${label}. ${disabled}` : label
  return (
    <button
      type="button"
      {...rest}
      className={['ib', bad && 'bad', className].filter(Boolean).join(' ')}
      aria-label={name}
      title={name}
      aria-disabled={disabled ? true : undefined}
      onClick={disabled ? undefined : onClick}>
      <Icon name={icon} />
    </button>
  )
}

interface SegmentedProps<Value extends string> {
  label: string
  value: Value
  choices: readonly { value: Value; label: string; icon?: IconName }[]
  onChange: (value: Value) => void
}

/** Switches between two or three views of the same data (List | Table). */
export function Segmented<Value extends string>({ label, value, choices, onChange }: SegmentedProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as one row of buttons everywhere
    <div className="seg" role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}>
          {choice.icon && <Icon name={choice.icon} small />}
          {choice.label}
        </button>
      ))}
    </div>
  )
}

export function Actions({ children }: { children: ReactNode }) {
  return <div className="acts">{children}</div>
}
