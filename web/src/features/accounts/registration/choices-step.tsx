import { type Provider, type SocialProblem, socialStart } from '@podium/contract/accounts/calls'
import { messages } from '@podium/contract/messages'
import { useSentences } from '#shell/language/sentences.ts'
import { paths } from '#shell/paths.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { portalName } from '#ui/portal.ts'
import { linkTo, usePlace } from '../place.ts'
import { words } from '../words.ts'

interface ChoicesStepProps {
  id: string | undefined
  proved: boolean
  /** The providers that this installation has set up */
  on: { google: boolean; facebook: boolean } | undefined
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

/** What comes before the sign-in: that the code was right, why one is here again, why a provider did not help. */
export function SignInHead({ title, proved }: { title: string; proved: boolean }) {
  const t = words.use()
  const say = useSentences()
  const { problem, ended } = usePlace().search
  return (
    <>
      {proved && <p className="dots">{t('stepOf', { n: 2, total: 2 })}</p>}
      <h1>{title}</h1>
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
    </>
  )
}

/** The ways of signing in that this installation has set up. */
export function ChoicesStep({ id, proved, on, onEmail }: ChoicesStepProps) {
  const t = words.use()
  const { returnurl } = usePlace().search
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
