import {
  type Provider,
  type SocialProblem,
  signInOptions,
  socialStart,
} from '@podium/contract/accounts/calls'
import { messages } from '@podium/contract/messages'
import { useSentences } from '#shell/language/sentences.ts'
import { paths } from '#shell/paths.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { portalName } from '#ui/portal.ts'
import { SchoolsOnly } from '../gate-banner.tsx'
import { linkTo, usePlace } from '../place.ts'
import { useAnswer } from '../use-answer.ts'
import { words } from '../words.ts'

interface ChoicesStepProps {
  id: string | undefined
  proved: boolean
  onEmail: () => void
}

/** What the specification's sign-in library says (section 8); what can be done about it stands below. */
const problemSentences = {
  cancelled: messages.socialCancelled,
  failed: messages.socialNotLoggedIn,
  unavailable: messages.socialNotReady,
  'not-found': messages.socialNotFound,
  'no-email': messages.socialNotLoggedIn,
} as const satisfies Record<SocialProblem, string>

/** The three ways of signing in. */
export function ChoicesStep({ id, proved, onEmail }: ChoicesStepProps) {
  const t = words.use()
  const say = useSentences()
  const { problem, returnurl, ended } = usePlace().search
  const options = useAnswer(signInOptions, {})
  const off = options.data
    ? [options.data.google ? '' : 'Google', options.data.facebook ? '' : 'Facebook'].filter(Boolean)
    : []
  return (
    <>
      {proved && <p className="dots">{t('stepOf', { n: 2, total: 2 })}</p>}
      <h1>{t('signIn')}</h1>
      <div className="gate-done">
        {proved && <Badge kind="verified">{say(messages.statusCodeVerified)}</Badge>}
      </div>
      {ended && (
        <div className="gate-say">
          <Note kind={ended === 'reused' ? 'bad' : 'info'}>
            {t(ended === 'reused' ? 'endedReused' : 'ended')} {ended === 'kept' && t('endedKept')}
          </Note>
        </div>
      )}
      {problem && (
        <div className="gate-say">
          <Note kind="bad">
            <strong>{say(problemSentences[problem])}</strong>
            <br />
            {t(`problem_${problem}`)}
          </Note>
        </div>
      )}
      <div className="choice">
        <ProviderChoice provider="google" id={id} on={options.data?.google} letter="G">
          {t('withGoogle')}
        </ProviderChoice>
        <ProviderChoice provider="facebook" id={id} on={options.data?.facebook} letter="f">
          {t('withFacebook')}
        </ProviderChoice>
        <Button icon="mail" onClick={onEmail}>
          {t('withEmail')}
        </Button>
        {off.length > 0 && <p className="choice-hint">{t('providersOff', { names: off.join(', ') })}</p>}
      </div>
      <p className="gate-new">
        {t('newHere', { portal: portalName() })}{' '}
        <a {...linkTo(paths.register, { id, returnurl })} className="lk">
          {t('createAccount')}
        </a>
      </p>
      <SchoolsOnly />
    </>
  )
}

interface ProviderChoiceProps {
  provider: Provider
  id: string | undefined
  /** Whether the provider is set up; undefined as long as it is not known */
  on: boolean | undefined
  letter: string
  children: string
}

function ProviderChoice({ provider, id, on, letter, children }: ProviderChoiceProps) {
  const t = words.use()
  const sign = (
    <svg className="prov" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="9" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <text x="10" y="14" textAnchor="middle" fontSize="11.5" fontWeight="700" fill="currentColor">
        {letter}
      </text>
    </svg>
  )
  if (!on) {
    return (
      <Button disabled={on === false ? t('providerOff') : true}>
        {sign}
        {children}
      </Button>
    )
  }
  return (
    <a className={buttonClass()} href={socialStart(provider, { id })}>
      {sign}
      {children}
    </a>
  )
}
