import { type Provider, socialStart } from '@podium/contract/accounts/calls'
import { emailVerify, otpVerify, provenEmail } from '@podium/contract/accounts/calls-registration'
import { useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { GateLayout } from '#shell/layout-gate.tsx'
import { paths } from '#shell/paths.ts'
import { Button } from '#ui/button.tsx'
import { pageTitle } from '#ui/portal.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { GateBanner, SchoolsOnly } from '../gate-banner.tsx'
import { GateFormFrame, sayRefusal, useCountdown, useGateForm } from '../gate-form.tsx'
import { LinkGate, refuseIncompleteCode, useAnswer, useLinkedSchool } from '../link-gate.tsx'
import { navigate, useGateLocation } from '../location.ts'
import { words } from '../words.ts'
import { forgetRegistration, savedRegistration, saveRegistration } from './register-draft.ts'
import { RegisteredLink, RegisterForm } from './register-form.tsx'
import '../accounts.css'

const otpDigits = 6
const secondsBetweenCodes = 45
const names = { google: 'Google', facebook: 'Facebook' }

interface OtpStepProps {
  place: { n: number; total: number }
  email: string
  resendIn: number
  /** Set if the user of a provider verifies an address that the provider has not confirmed */
  provider: Provider | undefined
  /** Called after another e-mail, with the seconds until the next */
  onSent: (resendIn: number) => void
  onBack: () => void
  onDone: (email: string) => void
}

/** The six digits from the e-mail, with the tries left, and a way to send another e-mail after a while. */
function OtpStep({ place, email, resendIn, provider, onSent, onBack, onDone }: OtpStepProps) {
  const t = words.use()
  const { id } = useGateLocation().search
  const [triesLeft, setTriesLeft] = useState<number>()
  const f = useGateForm({
    schema: otpVerify.body,
    initialValues: { EmailId: email, otp: '' },
    focus: 'otp',
    save: async (body) => {
      refuseIncompleteCode(body.otp, otpDigits, 'otp', t('otpShort'))
      try {
        const { next, message } = await call(otpVerify, { body })
        toast.success(translateSentence(message))
        if (next === 'register') onDone(email)
        else navigate(paths.login, { id, provider })
      } catch (cause) {
        if (!(cause instanceof CallError) || cause.code !== 'account.wrong_otp') throw cause
        setTriesLeft(cause.triesLeft)
        throw new CallError(cause.message, 200, cause.code, [{ path: 'otp', message: cause.message }])
      }
    },
  })
  const hint = triesLeft === 0 ? t('otpUsedUp') : triesLeft && t('triesLeft', { n: triesLeft })
  const fresh = (wait: number) => {
    onSent(wait)
    setTriesLeft(undefined)
    f.set('otp', '')
    f.clear()
    f.focus('otp')
  }
  return (
    <>
      <p className="dots">{t('stepOf', place)}</p>
      <h1>{t('otpTitle')}</h1>
      <p className="lede">
        {provider ? t('confirmIntro', { provider: names[provider], email }) : t('otpIntro', { email })}{' '}
        {t('checkSpam')}
      </p>
      <GateFormFrame of={f}>
        <TextField
          label={t('otp')}
          className="code-field"
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

function ResendButton(props: { email: string; resendIn: number; onSent: (resendIn: number) => void }) {
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
      props.onSent(resendIn)
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

type Step =
  | { at: 'email'; email?: string }
  | { at: 'otp'; email: string; resendIn: number }
  | { at: 'form'; email: string; name: string }

/** Returns the step that this tab reached in the registration by this link. */
function savedStep(id: string | undefined): Step | undefined {
  const saved = savedRegistration(id)
  if (saved?.at === 'form') return { at: 'form', email: saved.email, name: saved.name }
  const resendIn = Math.max(0, Math.ceil(((saved?.resendAt ?? 0) - Date.now()) / 1000))
  return saved && { at: 'otp', email: saved.email, resendIn }
}

function saveStep(id: string | undefined, step: Exclude<Step, { at: 'email' }>): void {
  const before = savedRegistration(id)
  if (step.at === 'form') saveRegistration({ ...before, id, ...step })
  else saveRegistration({ id, ...step, name: '', resendAt: Date.now() + step.resendIn * 1000 })
}

/** Registration in steps: access code of a link, e-mail, one-time password, form (specification, sections 2.4, 4). */
export function RegisterPage() {
  const t = words.use()
  const { id, provider } = useGateLocation().search
  const linked = useLinkedSchool(id)
  const [chosen, setChosen] = useState<Step | undefined>(() =>
    provider === undefined ? savedStep(id) : undefined,
  )
  const proved = useAnswer(provenEmail, {}, provider !== undefined && !chosen)
  const from = proved.data
  const step: Step | undefined =
    chosen ??
    (provider === undefined || proved.error || from?.emailId === ''
      ? { at: 'email' }
      : from &&
        (from.confirm
          ? { at: 'otp', email: from.emailId, resendIn: 0 }
          : { at: 'form', email: from.emailId, name: from.userName }))
  const setStep = (next: Step) => {
    if (next.at === 'email') forgetRegistration()
    else saveStep(id, next)
    setChosen(next)
  }
  const before = id === undefined ? 0 : 1
  const total = 3 + before
  const place = { n: before, total }
  return (
    <GateLayout banner={<GateBanner school={linked.school} />}>
      <title>{pageTitle(t('registerTitle'))}</title>
      <LinkGate id={id} linked={linked} steps={total} to={paths.register}>
        {({ school, reopen }) => (
          <>
            {!step && <Skeleton shape="form" rows={2} />}
            {step?.at === 'email' && (
              <RegisterEmailStep
                place={{ ...place, n: place.n + 1 }}
                email={step.email}
                onDone={(email, resendIn) => setStep({ at: 'otp', email, resendIn })}
              />
            )}
            {step?.at === 'otp' && (
              <OtpStep
                place={{ ...place, n: place.n + 2 }}
                email={step.email}
                resendIn={step.resendIn}
                provider={from?.confirm ? provider : undefined}
                onSent={(resendIn) => saveStep(id, { ...step, resendIn })}
                onBack={() => setStep({ at: 'email', email: step.email })}
                onDone={(email) => setStep({ at: 'form', email, name: from?.userName ?? '' })}
              />
            )}
            {step?.at === 'form' && (
              <RegisterForm
                place={{ ...place, n: total }}
                email={step.email}
                name={step.name}
                school={school}
                onSchoolProofLost={reopen}
                onOtherEmail={() => setStep({ at: 'email' })}
                onEmailProofLost={() => setChosen({ at: 'email', email: step.email })}
              />
            )}
          </>
        )}
      </LinkGate>
      <SchoolsOnly />
    </GateLayout>
  )
}

interface RegisterEmailStepProps {
  place: { n: number; total: number }
  /** Typed earlier */
  email: string | undefined
  onDone: (email: string, resendIn: number) => void
}

/** Asks for the address of the new account; a one-time password is e-mailed to it. */
function RegisterEmailStep({ place, email, onDone }: RegisterEmailStepProps) {
  const t = words.use()
  const language = useWrittenLanguage()
  const f = useGateForm({
    schema: emailVerify.body,
    initialValues: { EmailId: email ?? '' },
    focus: 'EmailId',
    save: async ({ EmailId }) => {
      try {
        onDone(EmailId, (await call(emailVerify, { body: { EmailId, language } })).resendIn)
      } catch (cause) {
        if (!(cause instanceof CallError) || cause.status !== 429) throw cause
        // A code is on its way already: the previous answer was lost, or the address was typed again.
        if (cause.retryAfter === undefined || cause.retryAfter > secondsBetweenCodes) throw cause
        onDone(EmailId, cause.retryAfter)
      }
    },
  })
  return (
    <>
      <p className="dots">{t('stepOf', place)}</p>
      <h1>{t('registerTitle')}</h1>
      <p className="lede">{t('registerEmailIntro')}</p>
      <GateFormFrame of={f}>
        <TextField
          label={t('email')}
          hint={t('registerEmailHint')}
          type="email"
          autoComplete="email"
          {...f.field('EmailId')}
        />
        <Button type="submit" kind="primary" big wide busy={f.saving}>
          {t('sendOtp')}
        </Button>
      </GateFormFrame>
      <RegisteredLink />
    </>
  )
}
