import { type FormEvent, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { AccountNumber, CopyButton } from '#ui/copyable.tsx'
import { Qr } from '#ui/qr.tsx'
import { CodeField } from './code-field.tsx'
import type { SecondStepProps } from './code-step.tsx'
import { useConfirm } from './use-confirm.ts'
import { words } from './words.ts'

interface EnrolStepProps extends SecondStepProps {
  secret: string
  uri: string
}

/** The first sign-in: the secret goes into an authenticator, whose first code proves it. */
export function EnrolStep({ secret, uri, onDone, onOver, onStartOver }: EnrolStepProps) {
  const t = words.use()
  const [code, setCode] = useState('')
  const { busy, problem, setProblem, confirm } = useConfirm({ onDone, onOver })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.length < 6) setProblem(t('codeSix'))
    else void confirm(code)
  }
  return (
    <div className="roomy">
      <p className="dots">{t('stepOf', { n: 2, total: 3 })}</p>
      <h1>{t('enrolTitle')}</h1>
      <p className="lede">{t('enrolLede')}</p>
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
