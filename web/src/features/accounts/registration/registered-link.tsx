import type { ReactNode } from 'react'
import { paths } from '#shell/paths.ts'
import { linkTo, usePlace } from '../place.ts'
import { words } from '../words.ts'

/** «I'm already registered», with the link that one came by; other links of a step stand before it. */
export function RegisteredLink({ children }: { children?: ReactNode }) {
  const t = words.use()
  const { id, returnurl } = usePlace().search
  return (
    <div className="gate-links">
      {children}
      <a {...linkTo(paths.login, { id, returnurl })} className="lk">
        {t('alreadyRegistered')}
      </a>
    </div>
  )
}
