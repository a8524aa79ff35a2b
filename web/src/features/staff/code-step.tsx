import { officeConfirm } from '@podium/contract/staff/calls'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type Answer, CallError, call } from '#shell/call.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'
import { refusalWithTime, words } from './words.ts'

interface ConfirmHandlers {
  onDone: (answer: Answer<typeof officeConfirm>) => void
  /** Called when the step has expired or its five tries are used up. */
  onExpired: (sentence: string) => void
}

/** Sends the second factor; `problem` is to be shown under the field. */
export function useConfirm({ onDone, onExpired }: ConfirmHandlers) {
  const t = words.use()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const confirm = async (code: string) => {
    if (busy) return
    setProblem(undefined)
    setBusy(true)
    try {
      onDone(await call(officeConfirm, { body: { code } }))
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      if (cause.code === 'office.step_over') onExpired(cause.message)
      else setProblem(translateSentence(refusalWithTime(cause, t).message))
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, setProblem, confirm }
}

interface CodeFieldProps {
  label: string
  hint?: string
  error?: string
  value: string
  onChange: (code: string) => void
}

/**
 * Six digits from an authenticator app. There is no `maxLength`, which would cut a pasted “123 456” before spaces and
 * dashes are removed. A refusal selects the text, ready to be replaced.
 */
export function CodeField({ label, hint, error, value, onChange }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current?.focus()
  }, [])
  useEffect(() => {
    if (!error) return
    input.current?.focus()
    input.current?.select()
  }, [error])
  return (
    <TextField
      ref={input}
      label={label}
      hint={hint}
      error={error}
      className="code-field"
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\D/g, '').slice(0, 6))}
    />
  )
}

export interface SecondStepProps {
  onDone: (answer: Answer<typeof officeConfirm>) => void
  onExpired: (sentence: string) => void
  onStartOver: () => void
}

/** Second step: a code from the authenticator app, or a recovery code. */
export function CodeStep({ onDone, onExpired, onStartOver }: SecondStepProps) {
  const t = words.use()
  const [recovery, setRecovery] = useState(false)
  const [code, setCode] = useState('')
  const { busy, problem, setProblem, confirm } = useConfirm({ onDone, onExpired })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!recovery && code.length < 6) setProblem(t('codeSix'))
    else void confirm(code)
  }
  const change = (typed: string) => {
    setCode(typed)
    setProblem(undefined)
  }
  const switchKind = () => {
    setRecovery(!recovery)
    change('')
  }
  return (
    <>
      <p className="dots">{t('stepOf', { n: 2, total: 2 })}</p>
      <h1>{t(recovery ? 'recoveryTitle' : 'codeTitle')}</h1>
      <p className="lede">{t(recovery ? 'recoveryIntro' : 'codeIntro')}</p>
      <form onSubmit={submit} noValidate aria-busy={busy || undefined}>
        {recovery ? (
          <RecoveryField value={code} error={problem} onChange={change} />
        ) : (
          <CodeField label={t('code')} hint={t('codeHint')} error={problem} value={code} onChange={change} />
        )}
        <Button type="submit" kind="primary" big wide busy={busy}>
          {t('signInNow')}
        </Button>
      </form>
      <div className="gate-else">
        <button type="button" className="lk" onClick={switchKind}>
          {t(recovery ? 'useAuthenticator' : 'useRecovery')}
        </button>
        <button type="button" className="lk" onClick={onStartOver}>
          {t('startOver')}
        </button>
      </div>
      {recovery && <p className="hint">{t('noCodes')}</p>}
    </>
  )
}

interface RecoveryFieldProps {
  value: string
  error?: string
  onChange: (code: string) => void
}

function RecoveryField({ value, error, onChange }: RecoveryFieldProps) {
  const t = words.use()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  useEffect(() => {
    if (error) input.current?.select()
  }, [error])
  return (
    <TextField
      ref={input}
      label={t('recovery')}
      hint={t('recoveryHint')}
      error={error}
      className="recovery-field"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
