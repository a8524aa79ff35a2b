import { pageTitle } from '#ui/portal.ts'
import '../accounts.css'
import { provenEmail } from '@podium/contract/accounts/calls-registration'
import { useState } from 'react'
import { GateLayout } from '#shell/layout-gate.tsx'
import { paths } from '#shell/paths.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { GateBanner, SchoolsOnly } from '../gate-banner.tsx'
import { useLinkedSchool } from '../link.ts'
import { LinkGate } from '../link-gate.tsx'
import { usePlace } from '../place.ts'
import { useAnswer } from '../use-answer.ts'
import { words } from '../words.ts'
import { OtpStep } from './otp-step.tsx'
import { forgetRegistration, keepRegistration, keptRegistration } from './register-draft.ts'
import { RegisterEmailStep } from './register-email-step.tsx'
import { RegisterForm } from './register-form.tsx'

type Step =
  | { at: 'email'; email?: string }
  | { at: 'otp'; email: string; resendIn: number }
  | { at: 'form'; email: string; name: string }

/** Where this tab has been in the registration by this link. */
function keptStep(id: string | undefined): Step | undefined {
  const kept = keptRegistration(id)
  if (kept?.at === 'form') return { at: 'form', email: kept.email, name: kept.name }
  const resendIn = Math.max(0, Math.ceil(((kept?.resendAt ?? 0) - Date.now()) / 1000))
  return kept && { at: 'otp', email: kept.email, resendIn }
}

function keepStep(id: string | undefined, step: Exclude<Step, { at: 'email' }>): void {
  const before = keptRegistration(id)
  if (step.at === 'form') keepRegistration({ ...before, id, ...step })
  else keepRegistration({ id, ...step, name: '', resendAt: Date.now() + step.resendIn * 1000 })
}

/** Registration in steps: access code of a link, e-mail, one-time password, form (specification, sections 2.4, 4). */
export function RegisterPage() {
  const t = words.use()
  const { id, provider } = usePlace().search
  const linked = useLinkedSchool(id)
  const [chosen, setChosen] = useState<Step | undefined>(() =>
    provider === undefined ? keptStep(id) : undefined,
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
    else keepStep(id, next)
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
