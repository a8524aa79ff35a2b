import { pageTitle } from '#ui/portal.ts'
import '../accounts.css'
import { signInOptions } from '@podium/contract/accounts/calls'
import { useEffect, useState } from 'react'
import { GateLayout } from '#shell/layout-gate.tsx'
import { paths } from '#shell/paths.ts'
import { signedIn } from '#shell/session.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { GateBanner, SchoolsOnly } from '../gate-banner.tsx'
import { useLinkedSchool } from '../link.ts'
import { LinkGate } from '../link-gate.tsx'
import { go, usePlace } from '../place.ts'
import { ProviderReturn } from '../provider-return.tsx'
import { ChoicesStep } from '../registration/choices-step.tsx'
import { EmailStep } from '../registration/email-step.tsx'
import { useAnswer } from '../use-answer.ts'
import { words } from '../words.ts'

/** Sign-in: the access code of a scanned link, then a provider or e-mail (specification, section 2.3). */
export function LoginPage() {
  const t = words.use()
  const { id, provider } = usePlace().search
  const linked = useLinkedSchool(id)
  const [byEmail, setByEmail] = useState(false)
  const options = useAnswer(signInOptions, {}, provider === undefined)
  const choices = options.data && (options.data.google || options.data.facebook)
  const inside = signedIn() !== undefined && provider === undefined
  useEffect(() => {
    if (inside) go(paths.dashboard, {}, true)
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
