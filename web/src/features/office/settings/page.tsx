import './settings.css'
import { foundationSettings } from '@podium/contract/office/calls-settings'
import { useEffect, useRef } from 'react'
import type { Answer } from '#shell/call.ts'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { PageProblem } from '#shell/load-problem.tsx'
import { showLook } from '#shell/look.ts'
import { useEndpoint } from '#shell/query.ts'
import { Note } from '#ui/note.tsx'
import { PageHeader } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ColourSection } from './colour-section.tsx'
import { IdentitySection, SupportSection } from './identity-section.tsx'
import { LimitsSection } from './limits-section.tsx'
import { LogoSection } from './logo-section.tsx'
import { useMayNot } from './section-form.tsx'
import { words } from './words.ts'

type Settings = Answer<typeof foundationSettings>

/** What of the settings shows on every page: changed here, it shows at once. */
function useShownAtOnce(settings: Settings | undefined): void {
  const before = useRef<string>(undefined)
  useEffect(() => {
    if (!settings) return
    const { identity, logo, colour } = settings
    const now = JSON.stringify([identity.version, logo.version, colour.version])
    if (before.current !== undefined && before.current !== now)
      showLook({ name: identity.shortName || identity.name, logo })
    before.current = now
  }, [settings])
}

/** How the foundation is called, looks and is reached, and the limits that it may move. */
export function SettingsPage() {
  const t = words.use()
  const mayNot = useMayNot()
  const settings = useEndpoint(foundationSettings)
  useShownAtOnce(settings.data)
  if (settings.error && !settings.data)
    return <PageProblem title={t('settings')} error={settings.error} retry={settings.refetch} />
  return (
    <>
      <PageHeader title={t('settings')} fact={t('settingsFact')} />
      {settings.data ? (
        <div className="settings">
          <div className="set-sections">
            {mayNot && <Note>{mayNot}</Note>}
            <IdentitySection known={settings.data.identity} />
            <LogoSection known={settings.data.logo} colour={settings.data.colour.colour} />
            <ColourSection known={settings.data.colour} />
            <SupportSection known={settings.data.support} />
            <LimitsSection known={settings.data.limits} />
          </div>
          <RecordHistory kind="foundation" id={1} />
        </div>
      ) : (
        <Skeleton shape="form" />
      )}
    </>
  )
}
