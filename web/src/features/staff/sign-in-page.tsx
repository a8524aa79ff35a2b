import { type officeConfirm, officeSignIn } from '@podium/contract/staff/calls'
import { useRouter, useSearch } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { type Answer, CallError, call } from '#shell/call.ts'
import { FormFrame, usePortalForm } from '#shell/form-frame.tsx'
import { safeReturnUrl } from '#shell/guard.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { GateLayout } from '#shell/layout-gate.tsx'
import { officePaths } from '#shell/paths.ts'
import { queryClient } from '#shell/query.ts'
import { startSession } from '#shell/session.ts'
import { Button } from '#ui/button.tsx'
import { lazyPart } from '#ui/lazy-part.ts'
import { Note } from '#ui/note.tsx'
import { pageTitle } from '#ui/portal.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { PasswordField, TextField } from '#ui/text-field.tsx'
import { CodeStep } from './code-step.tsx'
import { refusalWithTime, words } from './words.ts'
import '#shell/layout-office.css'
import './sign-in.css'

const EnrolStep = lazyPart(() => import('./enrol-step.tsx'), 'EnrolStep')
const RecoveryCodes = lazyPart(() => import('./enrol-step.tsx'), 'RecoveryCodes')

type Confirmed = Answer<typeof officeConfirm>
type Step =
  | { at: 'password'; notice?: PasswordStepProps['notice'] }
  | { at: 'code' }
  | { at: 'enrol'; secret: string; uri: string }
  | { at: 'codes'; codes: string[]; confirmed: Confirmed }

/** The office's sign-in: password, second factor and, the first time, its enrolment. */
export function SignInPage() {
  const t = words.use()
  const search: { ended?: boolean; ready?: boolean } = useSearch({ strict: false })
  const enter = useEnter()
  const [email, setEmail] = useState('')
  const [step, setStep] = useState<Step>(() => ({
    at: 'password',
    notice: search.ended
      ? { kind: 'info', text: t('ended') }
      : search.ready
        ? { kind: 'ok', text: t('ready') }
        : undefined,
  }))
  const passed = (typed: string, { next, secret, uri }: Answer<typeof officeSignIn>) => {
    setEmail(typed)
    setStep(next === 'enrol' && secret && uri ? { at: 'enrol', secret, uri } : { at: 'code' })
  }
  const second = {
    onDone: (confirmed: Confirmed) => {
      if (confirmed.recoveryCodes) setStep({ at: 'codes', codes: confirmed.recoveryCodes, confirmed })
      else enter(confirmed)
    },
    onExpired: (sentence: string) =>
      setStep({ at: 'password', notice: { kind: 'due', text: translateSentence(sentence) } }),
    onStartOver: () => {
      setEmail('')
      setStep({ at: 'password' })
    },
  }
  return (
    <GateLayout start={officePaths.login} banner={<Banner />}>
      <title>{pageTitle(t('signIn'))}</title>
      {step.at === 'password' && <PasswordStep email={email} notice={step.notice} onDone={passed} />}
      {step.at === 'code' && <CodeStep {...second} />}
      <Suspense fallback={<Skeleton shape="form" rows={2} />}>
        {step.at === 'enrol' && <EnrolStep secret={step.secret} uri={step.uri} {...second} />}
        {step.at === 'codes' && (
          <RecoveryCodes codes={step.codes} email={email} onSaved={() => enter(step.confirmed)} />
        )}
      </Suspense>
    </GateLayout>
  )
}

function Banner() {
  const t = words.use()
  return (
    <>
      <span className="k">{t('bannerKind')}</span>
      <h2>{t('bannerTitle')}</h2>
      <p>{t('bannerText')}</p>
    </>
  )
}

/** Stores the session under the office's own keys and opens the requested page. */
function useEnter() {
  const router = useRouter()
  const { returnurl }: { returnurl?: string } = useSearch({ strict: false })
  return ({ token, officer }: Confirmed) => {
    queryClient.clear()
    const { staffId: userId, name: userName, role, permissions } = officer
    startSession(token, { userId, userName, role, permissions })
    router.history.replace(safeReturnUrl(router, returnurl) ?? officePaths.overview)
  }
}

interface PasswordStepProps {
  /** Typed earlier, if the second step has expired. */
  email: string
  /** Why the user is here (again). */
  notice?: { kind: 'info' | 'ok' | 'due'; text: string }
  onDone: (email: string, answer: Answer<typeof officeSignIn>) => void
}

/** First step: e-mail and password. */
function PasswordStep({ email, notice, onDone }: PasswordStepProps) {
  const t = words.use()
  const f = usePortalForm({
    schema: officeSignIn.body,
    initialValues: { emailId: email, password: '' },
    save: async (body) => {
      try {
        onDone(body.emailId, await call(officeSignIn, { body }))
      } catch (cause) {
        if (!(cause instanceof CallError)) throw cause
        if (cause.code === 'office.wrong_sign_in')
          requestAnimationFrame(() => f.form.getInputNode('password')?.focus())
        throw refusalWithTime(cause, t)
      }
    },
  })
  const { form } = f
  const placed = useRef(false)
  useEffect(() => {
    if (placed.current) return
    placed.current = true
    form.getInputNode(email ? 'password' : 'emailId')?.focus()
  })
  return (
    <>
      <h1>{t('signIn')}</h1>
      <p className="lede">{t('signInIntro')}</p>
      {notice && (
        <Note className="office-notice" kind={notice.kind}>
          {notice.text}
        </Note>
      )}
      <FormFrame of={f} asksBeforeLeaving={false}>
        <TextField label={t('email')} type="email" autoComplete="username" {...form.field('emailId')} />
        <PasswordField label={t('password')} {...form.field('password')} />
        <Button type="submit" kind="primary" big wide busy={f.saving}>
          {t('next')}
        </Button>
      </FormFrame>
      <p className="gate-else">
        {t('forSchools')} <a href="/login">{t('forSchoolsLink')}</a>
      </p>
    </>
  )
}
