import type { LinkedSchool } from '@podium/contract/accounts/calls-registration'
import { type ReactNode, useState } from 'react'
import { useSentences } from '#shell/language/sentences.ts'
import { buttonClass } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Note } from '#ui/note.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { isProved, rememberProof, type useLinkedSchool } from './link.ts'
import { linkTo } from './place.ts'
import { AccessCodeStep } from './registration/access-code-step.tsx'
import { words } from './words.ts'

interface LinkGateProps {
  id: string | undefined
  linked: ReturnType<typeof useLinkedSchool>
  /** How many steps there are, the access code included */
  steps: number
  /** The same page without the link, for a link that leads nowhere */
  to: string
  children: (linked: { school: LinkedSchool | undefined; proved: boolean; reopen: () => void }) => ReactNode
}

/** Lets through what follows once the access code of the address's link is proved; at once where there is no link. */
export function LinkGate({ id, linked, steps, to, children }: LinkGateProps) {
  const t = words.use()
  const say = useSentences()
  const [proved, setProved] = useState(id !== undefined && isProved(id))
  if (id === undefined) return children({ school: undefined, proved: false, reopen: () => undefined })
  const { school, asked } = linked
  if (asked.error?.code === 'account.bad_link') {
    return (
      <>
        <h1>{t('codeTitle')}</h1>
        <div className="gate-say apart">
          <Note kind="bad">{say(asked.error.message)}</Note>
        </div>
        <a {...linkTo(to)} className={buttonClass('secondary', 'wide big')}>
          {t('withoutLink')}
        </a>
      </>
    )
  }
  if (asked.error) return <ErrorState retry={asked.again}>{say(asked.error.message)}</ErrorState>
  if (!school) return <Skeleton shape="form" rows={1} />
  if (proved) return children({ school, proved, reopen: () => setProved(false) })
  const done = () => {
    rememberProof(id)
    setProved(true)
  }
  return <AccessCodeStep id={id} steps={steps} onDone={done} />
}
