import { istTime } from '@podium/contract/season'
import { endVisit } from '@podium/contract/staff/calls-act-as-school'
import { useEffect, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { call } from './call.ts'
import { dropOwnDrafts } from './own-draft.ts'
import { endSession, type SignedIn } from './session.ts'
import { words } from './words.ts'

interface Props {
  user: SignedIn
  visit: NonNullable<SignedIn['visit']>
}

/** This tab leaves the school, with whatever the officer had begun there. */
function leaveFor(back: string) {
  dropOwnDrafts()
  endSession()
  location.assign(back)
}

/** Over every page while an officer acts for the school: whose name counts, until when, and the way out. */
export function VisitBanner({ user, visit }: Props) {
  const t = words.use()
  const [busy, setBusy] = useState(false)
  const back = `/office/schools/${user.schId ?? ''}`
  useEffect(() => {
    const left = Date.parse(visit.until) - Date.now()
    const timer = setTimeout(() => leaveFor(back), Math.max(0, left))
    return () => clearTimeout(timer)
  }, [visit.until, back])
  const end = async () => {
    setBusy(true)
    // Whatever the server answers, this tab leaves the school; an open visit ends by its time.
    await call(endVisit).catch(() => undefined)
    leaveFor(back)
  }
  return (
    <section className="visit-banner head-bar row between one-line gap-4" aria-label={t('visitTitle')}>
      <p>
        <b>{t('visitFor', { school: user.schName ?? '', name: user.userName })}</b>{' '}
        <span>{t('visitSays', { officer: visit.officer, time: istTime(new Date(visit.until)) })}</span>
      </p>
      <Button busy={busy} onClick={() => void end()}>
        {t('visitEnd')}
      </Button>
    </section>
  )
}
