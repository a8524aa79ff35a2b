import { designations } from '@podium/contract/accounts/calls-registration'
import type { Schema } from '@podium/contract/endpoint'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { CallError } from '#shell/call.ts'
import { afterPress, focusFirstError } from '#shell/field-focus.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { CheckField } from '#ui/check-field.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { PasswordField, TextField } from '#ui/text-field.tsx'
import { words } from './words.ts'

/** Returns a refusal's message; for “too many tries” with the time until the next try. */
export function sayRefusal(t: ReturnType<typeof words.use>, refused: CallError): string {
  const { status, retryAfter, message } = refused
  if (status !== 429 || retryAfter === undefined) return translateSentence(message)
  return retryAfter <= 90
    ? t('tooManySeconds', { n: retryAfter })
    : t('tooManyMinutes', { n: Math.ceil(retryAfter / 60) })
}

type FieldChange = string | { currentTarget: HTMLInputElement | HTMLSelectElement }

interface GateForm<S extends Schema, Values> {
  schema: S
  initialValues: Values
  /** The field focused when the form appears. */
  focus?: keyof Values & string
  save: (values: z.output<S>) => Promise<unknown>
}

function messagesOf(issues: readonly { path: PropertyKey[]; message: string }[]): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) errors[path.map(String).join('.')] ??= message
  return errors
}

/**
 * A form for the pages before sign-in: it behaves like the portal's forms (shell/form-frame.tsx), but without their
 * library. `field(name)` returns the props of a field. Errors show on blur or submit, and the first one gets the
 * focus. Render with `<GateFormFrame of={…}>`.
 */
export function useGateForm<S extends Schema, Values extends Record<string, string | boolean>>(
  options: GateForm<S, Values>,
) {
  const element = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(options.initialValues)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [saving, setSaving] = useState(false)
  const [problem, setProblem] = useState<CallError>()

  const focus = (name: string) =>
    element.current?.querySelector<HTMLElement>(`[data-path="${name}"]`)?.focus()
  const first = options.focus
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form appears
  useEffect(() => {
    if (first !== undefined) focus(first)
  }, [])

  const issues = () => {
    const read = options.schema.safeParse(values)
    return read.success ? {} : messagesOf(read.error.issues)
  }
  const set = (name: keyof Values & string, value: string | boolean) =>
    setValues((before) => ({ ...before, [name]: value }))

  /** Returns the props of a field. A radio field passes its value, not an event. */
  const field = (name: keyof Values & string) => ({
    'data-path': name,
    error: errors[name] === undefined ? undefined : translateSentence(errors[name]),
    onBlur: () =>
      afterPress(() =>
        setErrors(({ [name]: _, ...otherErrors }) => {
          const message = issues()[name]
          return message === undefined ? otherErrors : { ...otherErrors, [name]: message }
        }),
      ),
    onChange: (changed: FieldChange) => {
      const box = typeof changed === 'string' ? undefined : changed.currentTarget
      const value = typeof changed === 'string' ? changed : (box?.value ?? '')
      set(name, box instanceof HTMLInputElement && box.type === 'checkbox' ? box.checked : value)
    },
    ...(typeof values[name] === 'boolean' ? { checked: values[name] } : { value: values[name] as string }),
  })

  const refuse = (cause: unknown) => {
    if (!(cause instanceof CallError)) throw cause
    const refused = messagesOf(cause.issues.map(({ path, message }) => ({ path: [path], message })))
    setErrors(refused)
    const placed = Object.keys(refused).some((path) => path in values)
    setProblem(placed ? undefined : cause)
    focusFirstError(element.current)
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (saving) return
    setProblem(undefined)
    const read = options.schema.safeParse(values)
    setErrors(read.success ? {} : messagesOf(read.error.issues))
    if (!read.success) return focusFirstError(element.current)
    setSaving(true)
    try {
      await options.save(read.data)
    } catch (cause) {
      refuse(cause)
    } finally {
      setSaving(false)
    }
  }

  const clear = () => {
    setErrors({})
    setProblem(undefined)
  }
  return { element, values, saving, problem, set, field, focus, submit, clear }
}

type GateFormState = Pick<
  ReturnType<typeof useGateForm<Schema, Record<string, string>>>,
  'element' | 'saving' | 'problem' | 'submit'
>

/** The form element, with its problem above the fields. */
export function GateFormFrame({ of, children }: { of: GateFormState; children: ReactNode }) {
  const t = words.use()
  return (
    <form
      ref={of.element}
      noValidate
      onSubmit={(event) => void of.submit(event)}
      aria-busy={of.saving || undefined}>
      {of.problem && (
        <div className="form-notes">
          <Note kind="bad">{sayRefusal(t, of.problem)}</Note>
        </div>
      )}
      {children}
    </form>
  )
}

const TermsDialog = lazyDialog(() => import('./registration/terms-dialog.tsx'), 'TermsDialog')

interface AccountFieldsProps {
  email: string
  /** `field` of `useGateForm`, for a form with these fields */
  field: (name: 'mobile' | 'designation' | 'password' | 'rePassword' | 'disclaimer') => object
  /** Fields shown before the password */
  children?: ReactNode
}

/**
 * The fields of every new account: mobile, designation, the password twice, and the terms, which open in a dialog.
 */
export function AccountFields({ email, field, children }: AccountFieldsProps) {
  const t = words.use()
  const [terms, setTerms] = useState(false)
  return (
    <>
      <TextField label={t('mobile')} className="c6" type="tel" autoComplete="tel" {...field('mobile')} />
      <SelectField
        label={t('youAreA')}
        className="c6"
        empty={t('chooseOne')}
        choices={designations.map((value) => ({ value, label: t(value) }))}
        {...field('designation')}
      />
      {children}
      <PasswordField
        account={email}
        label={t('password')}
        className="c6"
        hint={t('passwordHint')}
        autoComplete="new-password"
        {...field('password')}
      />
      <PasswordField
        label={t('rePassword')}
        className="c6"
        autoComplete="new-password"
        {...field('rePassword')}
      />
      <CheckField
        className="c12"
        label={
          <>
            {t('accept')}{' '}
            <button type="button" className="lk" onClick={() => setTerms(true)}>
              {t('terms')}
            </button>
          </>
        }
        {...field('disclaimer')}
      />
      {terms && <TermsDialog onClose={() => setTerms(false)} />}
    </>
  )
}

const endOf = (seconds: number) => Date.now() + seconds * 1000

/** Counts whole seconds down to 0 by the clock, so that it is right after a phone was busy with another app. */
export function useCountdown(first = 0) {
  const [end, setEnd] = useState(() => endOf(first))
  const [now, setNow] = useState(() => Date.now())
  const secondsLeft = Math.max(0, Math.ceil((end - now) / 1000))
  const running = secondsLeft > 0
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [running])
  const start = (seconds: number) => {
    setNow(Date.now())
    setEnd(endOf(seconds))
  }
  return { left: secondsLeft, start }
}
