import {
  acceptInvitation,
  joinByInvitation,
  joinForm,
  passwordForm,
  readInvitation,
} from '@podium/contract/accounts/calls-invitations'
import { useEffect, useState } from 'react'
import { type Answer, CallError, call } from '#shell/call.ts'
import { dayText } from '#shell/format.tsx'
import { useWrittenLanguage } from '#shell/language/language.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { GateLayout } from '#shell/layout-gate.tsx'
import { paths } from '#shell/paths.ts'
import { endSession, writeDraft } from '#shell/session.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { pageTitle } from '#ui/portal.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { PasswordField, TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import { GateBanner } from '../gate-banner.tsx'
import { AccountFields, GateFormFrame, useGateForm } from '../gate-form.tsx'
import { linkTo, navigate, takeLinkToken } from '../location.ts'
import { words } from '../words.ts'
import '../accounts.css'

interface JoinProps {
  token: string
  email: string
  onProblem: (problem: CallError) => void
}

/** Opens the sign-in with the address filled in, after signing out whoever was signed in on this computer. */
function signInAs(email: string, message: string): void {
  endSession()
  writeDraft('email', email)
  toast.success(translateSentence(message))
  navigate(paths.login)
}

/** For a person without an account: name, mobile and a password. */
function JoinAsNewUser({
  token,
  email,
  name,
  onProblem,
  retry,
}: JoinProps & { name: string; retry: () => void }) {
  const t = words.use()
  const language = useWrittenLanguage()
  const f = useGateForm({
    schema: joinForm,
    initialValues: {
      userName: name,
      mobile: '',
      designation: '',
      disclaimer: false,
      password: '',
      rePassword: '',
    },
    save: async (form) => {
      try {
        const { message } = await call(acceptInvitation, { body: { ...form, token, language } })
        signInAs(email, message)
      } catch (cause) {
        if (!(cause instanceof CallError)) throw cause
        if (cause.code === 'colleagues.known') retry()
        else if (cause.code?.startsWith('colleagues.')) onProblem(cause)
        else throw cause
      }
    },
  })
  const { field } = f
  return (
    <>
      <p className="lede">{t('formIntro', { email })}</p>
      <GateFormFrame of={f}>
        <div className="grid">
          <TextField label={t('name')} className="c12" autoComplete="name" {...field('userName')} />
          <AccountFields email={email} field={field} />
        </div>
        <Button type="submit" kind="primary" big wide busy={f.saving}>
          {t('join')}
        </Button>
      </GateFormFrame>
    </>
  )
}

/** For a person whose account has no school yet: asks for its password. */
function JoinWithAccount({ token, email, onProblem }: JoinProps) {
  const t = words.use()
  const f = useGateForm({
    schema: passwordForm,
    initialValues: { password: '' },
    focus: 'password',
    save: async ({ password }) => {
      try {
        const { message } = await call(joinByInvitation, { body: { token, password } })
        signInAs(email, message)
      } catch (cause) {
        if (cause instanceof CallError && cause.code?.startsWith('colleagues.')) onProblem(cause)
        else throw cause
      }
    },
  })
  return (
    <>
      <p className="lede">{t('invitationKnown', { email })}</p>
      <GateFormFrame of={f}>
        <PasswordField
          account={email}
          label={t('password')}
          autoComplete="current-password"
          {...f.field('password')}
        />
        <Button type="submit" kind="primary" big wide busy={f.saving}>
          {t('join')}
        </Button>
      </GateFormFrame>
      <div className="gate-links">
        <a {...linkTo(paths.forgot)} className="lk">
          {t('forgot')}
        </a>
      </div>
      <p className="gate-new">{t('invitationForgot')}</p>
    </>
  )
}

type Invitation = Answer<typeof readInvitation>

/** Opened from an e-mailed invitation, whose token is after the #. */
export function InvitationPage() {
  const t = words.use()
  const [token] = useState(takeLinkToken)
  const [problem, setProblem] = useState<CallError>()
  const [invitation, setInvitation] = useState<Invitation>()
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew by the number of tries
  useEffect(() => {
    if (token.length < 40) return
    const leaving = new AbortController()
    call(readInvitation, { body: { token }, signal: leaving.signal }).then(setInvitation, (cause) => {
      if (leaving.signal.aborted) return
      if (!(cause instanceof CallError)) throw cause
      setProblem(cause)
    })
    return () => leaving.abort()
  }, [token, tries])
  const retry = () => {
    setProblem(undefined)
    setInvitation(undefined)
    setTries(tries + 1)
  }
  const isOver = token.length < 40 || problem?.code === 'colleagues.invitation_over'
  return (
    <GateLayout banner={<Banner invitation={isOver ? undefined : invitation} />}>
      <title>{pageTitle(t('invitationTitle'))}</title>
      <h1>{t('invitationTitle')}</h1>
      {isOver && <ExpiredInvitation />}
      {!isOver && problem && (
        <div className="gate-note apart">
          <Note kind="bad">{translateSentence(problem.message)}</Note>
          <Button wide onClick={retry}>
            {t('tryAgain')}
          </Button>
        </div>
      )}
      {!isOver && !problem && !invitation && <Skeleton shape="form" rows={3} />}
      {!isOver && !problem && invitation && (
        <OpenInvitation token={token} invitation={invitation} onProblem={setProblem} retry={retry} />
      )}
    </GateLayout>
  )
}

function Banner({ invitation }: { invitation: Invitation | undefined }) {
  const t = words.use()
  if (!invitation) return <GateBanner />
  return (
    <>
      <span className="k">{t('invitedTo')}</span>
      <h2>{invitation.schName}</h2>
      <p>{invitation.cityName}</p>
      <p className="low">{t('invitedBy', { name: invitation.invitedBy, day: dayText(invitation.until) })}</p>
    </>
  )
}

function ExpiredInvitation() {
  const t = words.use()
  return (
    <>
      <Note className="gate-note apart" kind="bad">
        {t('invitationExpired')}
      </Note>
      <a {...linkTo(paths.login)} className={buttonClass('primary', 'wide big')}>
        {t('toSignIn')}
      </a>
    </>
  )
}

interface OpenProps {
  token: string
  invitation: Invitation
  onProblem: (problem: CallError) => void
  retry: () => void
}

/** What the holder of the link can do: create an account, use the existing one, or read why neither is possible. */
function OpenInvitation({ token, invitation, onProblem, retry }: OpenProps) {
  const t = words.use()
  const { account, emailId, name } = invitation
  if (account === 'new')
    return <JoinAsNewUser token={token} email={emailId} name={name} onProblem={onProblem} retry={retry} />
  if (account === 'known') return <JoinWithAccount token={token} email={emailId} onProblem={onProblem} />
  return (
    <>
      <Note className="gate-note apart" kind={account === 'member' ? 'ok' : 'due'}>
        {t(`invitation_${account}`, { email: emailId })}
      </Note>
      <a {...linkTo(paths.login)} className={buttonClass('primary', 'wide big')}>
        {t('toSignIn')}
      </a>
    </>
  )
}
