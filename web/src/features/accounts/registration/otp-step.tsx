import { type Provider, socialStart } from '@podium/contract/accounts/calls'
import { emailVerify, otpVerify } from '@podium/contract/accounts/calls-registration'
import { useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { paths } from '#shell/paths.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { GateFormFrame, useGateForm } from '../gate-form.tsx'
import { go, usePlace } from '../place.ts'
import { sayRefusal } from '../say-refusal.ts'
import { useCountdown } from '../use-countdown.ts'
import { words } from '../words.ts'
import { RegisteredLink } from './registered-link.tsx'

const triesOfCode = 5
const names = { google: 'Google', facebook: 'Facebook' }

interface OtpStepProps {
  place: { n: number; total: number }
  email: string
  resendIn: number
  /** Set where a provider's person proves an address that the provider has not confirmed */
  provider: Provider | undefined
  onBack: () => void
  onDone: (email: string) => void
}

/** The six digits of the mail, with what is left of their tries and another mail after a while. */
export function OtpStep({ place, email, resendIn, provider, onBack, onDone }: OtpStepProps) {
  const t = words.use()
  const { id } = usePlace().search
  const [wrong, setWrong] = useState(0)
  const f = useGateForm({
    schema: otpVerify.body,
    initialValues: { EmailId: email, otp: '' },
    focus: 'otp',
    save: async (body) => {
      try {
        const { next, message } = await call(otpVerify, { body })
        toast.success(translateSentence(message))
        if (next === 'register') onDone(email)
        else go(paths.login, { id, provider })
      } catch (cause) {
        if (!(cause instanceof CallError) || cause.code !== 'account.wrong_otp') throw cause
        setWrong(wrong + 1)
        throw new CallError(cause.message, 200, cause.code, [{ path: 'otp', message: cause.message }])
      }
    },
  })
  const left = Math.max(0, triesOfCode - wrong)
  const hint = wrong === 0 ? undefined : left === 0 ? t('otpUsedUp') : t('triesLeft', { n: left })
  const fresh = () => {
    setWrong(0)
    f.set('otp', '')
    f.clear()
    f.focus('otp')
  }
  return (
    <>
      <p className="dots">{t('stepOf', place)}</p>
      <h1>{t('otpTitle')}</h1>
      <p className="lede">
        {provider ? t('confirmLede', { provider: names[provider], email }) : t('otpLede', { email })}{' '}
        {t('checkSpam')}
      </p>
      <GateFormFrame of={f}>
        <TextField
          label={t('otp')}
          className="gate-code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          hint={hint}
          {...f.field('otp')}
        />
        <Button type="submit" kind="primary" big wide busy={f.saving}>
          {t('verify')}
        </Button>
        {provider ? (
          <a className="b wide big" href={socialStart(provider, { id })}>
            {t('startAgain', { provider: names[provider] })}
          </a>
        ) : (
          <ResendButton email={email} resendIn={resendIn} onSent={fresh} />
        )}
      </GateFormFrame>
      <RegisteredLink>
        <button type="button" className="lk" onClick={onBack}>
          {t('changeEmail')}
        </button>
      </RegisteredLink>
    </>
  )
}

function ResendButton(props: { email: string; resendIn: number; onSent: () => void }) {
  const t = words.use()
  const language = useWrittenLanguage()
  const wait = useCountdown(props.resendIn)
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      const { resendIn } = await call(emailVerify, { body: { EmailId: props.email, language } })
      wait.start(resendIn)
      toast.success(t('resent'))
      props.onSent()
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      if (cause.retryAfter !== undefined && cause.retryAfter < 120) wait.start(cause.retryAfter)
      toast.error(sayRefusal(t, cause))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button wide big busy={busy} disabled={wait.left > 0} onClick={() => void send()}>
      {wait.left > 0 ? t('resendIn', { n: wait.left }) : t('resendOtp')}
    </Button>
  )
}
