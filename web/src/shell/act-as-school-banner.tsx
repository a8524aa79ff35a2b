import { istTime } from '@podium/contract/season'
import { endActing } from '@podium/contract/staff/calls-act-as-school'
import { useEffect, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { call } from './call.ts'
import { deleteOwnDrafts } from './own-draft.ts'
import { endSession, type SignedIn } from './session.ts'
import { words } from './words.ts'

interface Props {
  user: SignedIn
  acting: NonNullable<SignedIn['acting']>
}

/** Leaves the school in this tab and drops the officer's drafts. */
function leaveTo(address: string) {
  deleteOwnDrafts()
  endSession()
  location.assign(address)
}

/** Shown on every page while an officer is signed in as the school: the officer's name, the end time, and a way out. */
export function ActAsSchoolBanner({ user, acting }: Props) {
  const t = words.use()
  const [busy, setBusy] = useState(false)
  const schoolPage = `/office/schools/${user.schId ?? ''}`
  useEffect(() => {
    const remaining = Date.parse(acting.until) - Date.now()
    const timer = setTimeout(() => leaveTo(schoolPage), Math.max(0, remaining))
    return () => clearTimeout(timer)
  }, [acting.until, schoolPage])
  const end = async () => {
    setBusy(true)
    // This tab leaves the school whatever the server answers; a session that stays open there expires.
    await call(endActing).catch(() => undefined)
    leaveTo(schoolPage)
  }
  return (
    <section
      className="act-as-school-banner head-bar row between one-line gap-4"
      aria-label={t('actingTitle')}>
      <p>
        <b>{t('actingFor', { school: user.schName ?? '', name: user.userName })}</b>{' '}
        <span>{t('actingHint', { officer: acting.officer, time: istTime(new Date(acting.until)) })}</span>
      </p>
      <Button busy={busy} onClick={() => void end()}>
        {t('actingEnd')}
      </Button>
    </section>
  )
}
