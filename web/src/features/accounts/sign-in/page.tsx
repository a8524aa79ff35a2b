import {
  login,
  type Provider,
  type SocialProblem,
  signInOptions,
  socialStart,
} from '@podium/contract/accounts/calls'
import { forgotPassword } from '@podium/contract/accounts/calls-registration'
import { signInForm } from '@podium/contract/accounts/schemas'
import { messages } from '@podium/contract/messages'
import { useEffect, useRef, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { GateLayout } from '#shell/layout-gate.tsx'
import { paths } from '#shell/paths.ts'
import { readDraft, signedIn } from '#shell/session.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { Note } from '#ui/note.tsx'
import { pageTitle, portalName } from '#ui/portal.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { PasswordField, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { openPortal } from '../enter.ts'
import { GateBanner, SchoolsOnly } from '../gate-banner.tsx'
import { GateFormFrame, useGateForm } from '../gate-form.tsx'
import { LinkGate, useAnswer, useLinkedSchool } from '../link-gate.tsx'
import { linkTo, navigate, useGateLocation } from '../location.ts'
import { words } from '../words.ts'
import '../accounts.css'

/** Sign-in: the access code of a scanned link, then a provider or e-mail (specification, section 2.3). */
export function LoginPage() {
  const t = words.use()
  const { id, provider } = useGateLocation().search
  const linked = useLinkedSchool(id)
  const [byEmail, setByEmail] = useState(false)
  const options = useAnswer(signInOptions, {}, provider === undefined)
  const choices = options.data && (options.data.google || options.data.facebook)
  const inside = signedIn() !== undefined && provider === undefined
  useEffect(() => {
    if (inside) navigate(paths.dashboard, {}, true)
  }, [inside])
  if (inside) return null
  return (
    <GateLayout banner={<GateBanner school={linked.school} />}>
      <title>{pageTitle(t('signIn'))}</title>
      {provider ? (
        <ProviderReturn provider={provider} id={id} />
      ) : (
        <LinkGate id={id} linked={linked} steps={2} to={paths.login}>
          {({ proved }) =>
            options.data === undefined && options.error === undefined ? (
              <>
                <h1>{t('signIn')}</h1>
                <Skeleton shape="form" rows={2} />
              </>
            ) : byEmail || !choices ? (
              <EmailStep id={id} proved={proved} onBack={choices ? () => setByEmail(false) : undefined} />
            ) : (
              <ChoicesStep id={id} proved={proved} on={options.data} onEmail={() => setByEmail(true)} />
            )
          }
        </LinkGate>
      )}
      <SchoolsOnly />
    </GateLayout>
  )
}

/** Sign-in by e-mail and password. */
function EmailStep({
  id,
  proved,
  onBack,
}: {
  id: string | undefined
  proved: boolean
  /** Returns to the choices; undefined if e-mail is the only one */
  onBack: (() => void) | undefined
}) {
  const t = words.use()
  const { search } = useGateLocation()
  const [stay, setStay] = useState(false)
  const savedEmail = readDraft('email')
  const f = useGateForm({
    schema: signInForm,
    initialValues: { emailId: typeof savedEmail === 'string' ? savedEmail : '', password: '' },
    focus: 'emailId',
    save: async (body) => {
      try {
        openPortal(
          await call(login, { body: { ...body, staySignedIn: stay, ...(id ? { id } : {}) } }),
          stay,
          search,
        )
      } catch (cause) {
        if (cause instanceof CallError && cause.code === 'account.wrong_sign_in')
          requestAnimationFrame(() => f.focus('password'))
        throw cause
      }
    },
  })
  const forgot = useForgot(
    () => f.values.emailId.trim(),
    () => f.focus('emailId'),
  )
  const forgotButton = (
    <button type="button" className="lk" onClick={() => void forgot.send()}>
      {t('forgot')}
    </button>
  )
  return (
    <>
      <SignInHead title={t(onBack ? 'byEmail' : 'signIn')} proved={proved} />
      {forgot.sent && (
        <div className="gate-note" role="status">
          <Note kind="ok">
            {t('sent', { email: forgot.sent })} {t('checkSpam')}
          </Note>
        </div>
      )}
      <GateFormFrame of={f}>
        <TextField label={t('email')} type="email" autoComplete="username" {...f.field('emailId')} />
        <PasswordField label={t('password')} aside={forgotButton} {...f.field('password')} />
        <CheckField
          label={t('stay')}
          hint={t('stayHint')}
          checked={stay}
          onChange={(event) => setStay(event.currentTarget.checked)}
        />
        <Button type="submit" kind="primary" big wide busy={f.saving}>
          {t('signInNow')}
        </Button>
        {onBack && (
          <Button wide big onClick={onBack}>
            {t('back')}
          </Button>
        )}
      </GateFormFrame>
      <p className="gate-new">
        {t('newHere', { portal: portalName() })}{' '}
        <a {...linkTo(paths.register, { id, returnurl: search.returnurl })} className="lk">
          {t('createAccount')}
        </a>
      </p>
    </>
  )
}

/** Forgot Password beside the field uses the address typed there (specification, section 5). */
function useForgot(address: () => string, focus: () => void) {
  const language = useWrittenLanguage()
  const [sent, setSent] = useState<string>()
  const send = async () => {
    const emailId = address()
    if (emailId === '') {
      focus()
      return toast.error(translateSentence(messages.enterEmail))
    }
    toast.withdraw(translateSentence(messages.enterEmail))
    try {
      await call(forgotPassword, { body: { emailId, language } })
      setSent(emailId)
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(translateSentence(cause.issues[0]?.message ?? cause.message))
    }
  }
  return { sent, send }
}

interface ChoicesStepProps {
  id: string | undefined
  proved: boolean
  /** The providers set up in this installation */
  on: { google: boolean; facebook: boolean } | undefined
  onEmail: () => void
}

/** The messages of the specification's sign-in library (section 8); what to do about them is shown below. */
const problemSentences = {
  cancelled: messages.socialCancelled,
  failed: messages.socialNotLoggedIn,
  unavailable: messages.socialNotReady,
  'not-found': messages.socialNotFound,
  'no-email': messages.socialNotLoggedIn,
} as const satisfies Record<SocialProblem, string>

/** The notes above the sign-in: the code was right, why the user is back here, why a provider's sign-in failed. */
function SignInHead({ title, proved }: { title: string; proved: boolean }) {
  const t = words.use()
  const translate = useSentences()
  const { problem, ended } = useGateLocation().search
  return (
    <>
      {proved && <p className="dots">{t('stepOf', { n: 2, total: 2 })}</p>}
      <h1>{title}</h1>
      <div className="gate-done">
        {proved && <Badge kind="verified">{translate(messages.statusCodeVerified)}</Badge>}
      </div>
      {ended && (
        <Note className="gate-note" kind={ended === 'reused' ? 'bad' : 'info'}>
          {t(ended === 'reused' ? 'endedReused' : 'ended')} {ended === 'kept' && t('endedDraftSaved')}
        </Note>
      )}
      {problem && (
        <Note className="gate-note" kind="bad">
          <strong>{translate(problemSentences[problem])}</strong>
          <br />
          {t(`problem_${problem}`)}
        </Note>
      )}
    </>
  )
}

/** The sign-in methods set up in this installation. */
function ChoicesStep({ id, proved, on, onEmail }: ChoicesStepProps) {
  const t = words.use()
  const { returnurl } = useGateLocation().search
  return (
    <>
      <SignInHead title={t('signIn')} proved={proved} />
      <div className="choice">
        {on?.google && (
          <ProviderChoice provider="google" id={id} letter="G">
            {t('withGoogle')}
          </ProviderChoice>
        )}
        {on?.facebook && (
          <ProviderChoice provider="facebook" id={id} letter="f">
            {t('withFacebook')}
          </ProviderChoice>
        )}
        <Button icon="mail" onClick={onEmail}>
          {t('withEmail')}
        </Button>
      </div>
      <p className="gate-new">
        {t('newHere', { portal: portalName() })}{' '}
        <a {...linkTo(paths.register, { id, returnurl })} className="lk">
          {t('createAccount')}
        </a>
      </p>
    </>
  )
}

interface ProviderChoiceProps {
  provider: Provider
  id: string | undefined
  letter: string
  children: string
}

function ProviderChoice({ provider, id, letter, children }: ProviderChoiceProps) {
  return (
    <a className={buttonClass()} href={socialStart(provider, { id })}>
      <svg className="prov" viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="9" fill="none" stroke="currentColor" strokeWidth="1.6" />
        <text x="10" y="14" textAnchor="middle" fontSize="11.5" fontWeight="700" fill="currentColor">
          {letter}
        </text>
      </svg>
      {children}
    </a>
  )
}

/** Handles the return from a provider: signs in with the one-time ticket, once. */
function ProviderReturn({ provider, id }: { provider: Provider; id: string | undefined }) {
  const t = words.use()
  const sent = useRef(false)
  useEffect(() => {
    if (sent.current) return
    sent.current = true
    call(login, { body: { socialMediaDetails: { socialMedia: provider }, ...(id ? { id } : {}) } }).then(
      (answer) => openPortal(answer, false, { id }),
      (cause) => {
        toast.error(translateSentence(cause instanceof CallError ? cause.message : String(cause)))
        navigate(paths.login, { id }, true)
      },
    )
  }, [provider, id])
  return (
    <>
      <h1>{t('signIn')}</h1>
      <p className="lede" role="status">
        {t('signingIn')}
      </p>
      <Skeleton shape="form" rows={1} />
    </>
  )
}
