import type { BounceMark } from '@podium/contract/office/calls-bounces'
import { addressWorks } from '@podium/contract/schools/calls-write'
import { type ReactNode, useRef } from 'react'
import { Bounced } from '#shell/bounced.tsx'
import { call } from '#shell/call.ts'
import { useAct } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { shownOfSchools } from './use-record.ts'
import { words } from './words-record.ts'

interface ReturnedProps {
  schoolId: number
  email: string
  mark: BounceMark
  mayNot: string | undefined
  /** The address as it is shown */
  children: ReactNode
}

/** An address; below it since when e-mails come back from it, why, and the button by which the office takes the mark off. */
export function Returned({ schoolId, email, mark, mayNot, children }: ReturnedProps) {
  const address = useRef<HTMLSpanElement>(null)
  // Where the cursor goes on from once the button is gone.
  const goOn = () => address.current?.focus({ preventScroll: true })
  return (
    <>
      <span ref={address} tabIndex={-1} className="block">
        {children}
      </span>
      {mark && (
        <>
          <Bounced mark={mark} />
          <Works schoolId={schoolId} email={email} at={mark.at} mayNot={mayNot} onDone={goOn} />
        </>
      )}
    </>
  )
}

interface WorksProps extends Omit<ReturnedProps, 'mark' | 'children'> {
  at: string
  onDone: () => void
}

function Works({ schoolId: id, email, at, mayNot, onDone }: WorksProps) {
  const t = words.use()
  const { busy, act } = useAct(shownOfSchools)
  const works = () =>
    act(() => call(addressWorks, { body: { id, email, at } }), t('addressWorksDone', { email }))
  return (
    <Button
      kind="text"
      className="sm record-works"
      busy={busy}
      disabled={mayNot}
      aria-label={t('addressWorksOf', { email })}
      onClick={() => void works().then((done) => done && onDone())}
    >
      {t('addressWorks')}
    </Button>
  )
}
