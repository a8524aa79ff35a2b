import { istTime } from '@podium/contract/season'
import { endVisit } from '@podium/contract/staff/calls-act-as-school'
import { useEffect, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { call } from './call.ts'
import { deleteOwnDrafts } from './own-draft.ts'
import { endSession, type SignedIn } from './session.ts'
import { words } from './words.ts'

interface Props {
  user: SignedIn
  visit: NonNullable<SignedIn['visit']>
}

/** Leaves the school in this tab and drops the officer's drafts. */
function leaveTo(address: string) {
  deleteOwnDrafts()
  endSession()
  location.assign(address)
}

/** Shown on every page while an officer is signed in as the school: the officer's name, the end time, and a way out. */
export function VisitBanner({ user, visit }: Props) {
  const t = words.use()
  const [busy, setBusy] = useState(false)
  const schoolPage = `/office/schools/${user.schId ?? ''}`
  useEffect(() => {
    const remaining = Date.parse(visit.until) - Date.now()
    const timer = setTimeout(() => leaveTo(schoolPage), Math.max(0, remaining))
    return () => clearTimeout(timer)
  }, [visit.until, schoolPage])
  const end = async () => {
    setBusy(true)
    // This tab leaves the school whatever the server answers; a session that stays open there expires.
    await call(endVisit).catch(() => undefined)
    leaveTo(schoolPage)
  }
  return (
    <section className="visit-banner head-bar row between one-line gap-4" aria-label={t('visitTitle')}>
      <p>
        <b>{t('visitFor', { school: user.schName ?? '', name: user.userName })}</b>{' '}
        <span>{t('visitHint', { officer: visit.officer, time: istTime(new Date(visit.until)) })}</span>
      </p>
      <Button busy={busy} onClick={() => void end()}>
        {t('visitEnd')}
      </Button>
    </section>
  )
}
