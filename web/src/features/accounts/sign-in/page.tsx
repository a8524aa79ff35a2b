import { pageTitle } from '#ui/portal.ts'
import '../accounts.css'
import { useEffect, useState } from 'react'
import { GateLayout } from '#shell/layout-gate.tsx'
import { paths } from '#shell/paths.ts'
import { signedIn } from '#shell/session.ts'
import { GateBanner } from '../gate-banner.tsx'
import { useLinkedSchool } from '../link.ts'
import { LinkGate } from '../link-gate.tsx'
import { go, usePlace } from '../place.ts'
import { ProviderReturn } from '../provider-return.tsx'
import { ChoicesStep } from '../registration/choices-step.tsx'
import { EmailStep } from '../registration/email-step.tsx'
import { words } from '../words.ts'

/** Sign-in: the access code of a scanned link, then a provider or e-mail (specification, section 2.3). */
export function LoginPage() {
  const t = words.use()
  const { id, provider } = usePlace().search
  const linked = useLinkedSchool(id)
  const [byEmail, setByEmail] = useState(false)
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
            byEmail ? (
              <EmailStep id={id} onBack={() => setByEmail(false)} />
            ) : (
              <ChoicesStep id={id} proved={proved} onEmail={() => setByEmail(true)} />
            )
          }
        </LinkGate>
      )}
    </GateLayout>
  )
}
