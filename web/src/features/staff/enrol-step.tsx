import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { AccountNumber, CopyButton } from '#ui/copyable.tsx'
import { Qr } from '#ui/qr.tsx'
import { toast } from '#ui/toast.tsx'
import { CodeField, type SecondStepProps, useConfirm } from './code-step.tsx'
import { words } from './words.ts'

interface EnrolStepProps extends SecondStepProps {
  secret: string
  uri: string
}

/** The first sign-in: the secret is added to an authenticator app, whose first code confirms it. */
export function EnrolStep({ secret, uri, onDone, onExpired, onStartOver }: EnrolStepProps) {
  const t = words.use()
  const [code, setCode] = useState('')
  const { busy, problem, setProblem, confirm } = useConfirm({ onDone, onExpired })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.length < 6) setProblem(t('codeSix'))
    else void confirm(code)
  }
  return (
    <div className="roomy">
      <p className="dots">{t('stepOf', { n: 2, total: 3 })}</p>
      <h1>{t('enrolTitle')}</h1>
      <p className="lede">{t('enrolIntro')}</p>
      <div className="enrol">
        <Qr value={uri} label={t('qr')} size={176} />
        <div>
          <p>{t('enrolScan')}</p>
          <p className="k">{t('enrolType')}</p>
          <p className="secret">
            <span className="code">
              <AccountNumber value={secret} />
            </span>
            <CopyButton name={t('secret')} value={secret} />
          </p>
          <p className="enrol-here">
            <a href={uri}>{t('enrolHere')}</a>
          </p>
        </div>
      </div>
      <form onSubmit={submit} noValidate aria-busy={busy || undefined}>
        <CodeField
          label={t('enrolCode')}
          hint={t('codeHint')}
          error={problem}
          value={code}
          onChange={(typed) => {
            setCode(typed)
            setProblem(undefined)
          }}
        />
        <Button type="submit" kind="primary" big wide busy={busy}>
          {t('next')}
        </Button>
      </form>
      <div className="gate-else">
        <button type="button" className="lk" onClick={onStartOver}>
          {t('startOver')}
        </button>
      </div>
    </div>
  )
}

interface RecoveryCodesProps {
  codes: readonly string[]
  email: string
  onSaved: () => void
}

/** The recovery codes, shown only once: continuing requires confirming that they are saved. */
export function RecoveryCodes({ codes, email, onSaved }: RecoveryCodesProps) {
  const t = words.use()
  const [isSaved, setSaved] = useState(false)
  const [wasAsked, setWasAsked] = useState(false)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    title.current?.focus()
    // They can't be shown again, so the browser asks before the page is left.
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [])
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => toast.success(t('copied')),
      () => toast.error(t('notCopied')),
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isSaved) onSaved()
    else setWasAsked(true)
  }
  return (
    <div className="recovery">
      <p className="dots no-print">{t('stepOf', { n: 3, total: 3 })}</p>
      <h1 ref={title} tabIndex={-1}>
        {t('codesTitle')}
      </h1>
      <p className="lede">{t('codesIntro')}</p>
      <p className="print-only">{t('codesOf', { email })}</p>
      <ol className="recovery-codes code" aria-label={t('codesName')}>
        {codes.map((code) => (
          <li key={code}>
            {code.slice(0, 5)} {code.slice(5)}
          </li>
        ))}
      </ol>
      <div className="acts">
        <Button icon="copy" onClick={() => void copy()}>
          {t('copyAll')}
        </Button>
        <Button icon="print" onClick={() => window.print()}>
          {t('print')}
        </Button>
      </div>
      <form className="no-print" onSubmit={submit} noValidate>
        <CheckField
          label={t('codesSaved')}
          checked={isSaved}
          error={wasAsked && !isSaved ? t('saveCodesFirst') : undefined}
          onChange={(event) => setSaved(event.currentTarget.checked)}
        />
        <Button type="submit" kind="primary" big wide>
          {t('open')}
        </Button>
      </form>
    </div>
  )
}
