import { Link, Outlet } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useOfficeMe } from '#features/staff/use-office-me.ts'
import { Confirming } from '#shell/confirm/confirming.tsx'
import { OfficeLayout } from '#shell/layout-office.tsx'
import { officePaths } from '#shell/paths.ts'
import { useOfficeMenu, useOfficePages, useRoleName, useSettingsTabs } from './menu.ts'
import { words } from './words.ts'

const useKnownSeasons = () => useOfficeMe().data?.seasons

export function Layout() {
  const t = words.use()
  return (
    <>
      <OfficeLayout
        useMenu={useOfficeMenu}
        usePages={useOfficePages}
        useSeasons={useKnownSeasons}
        useRole={useRoleName}
        account={{ to: officePaths.account, label: t('account') }}
      />
      <Confirming />
    </>
  )
}

/** The pages of «Settings» with their side tabs; each keeps its own address. */
export function SettingsLayout() {
  const t = words.use()
  const tabs = useSettingsTabs()
  const nav = useRef<HTMLElement>(null)
  // In the row of a narrow screen the current one may be out of sight.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div className="with-side">
      <nav className="side-tabs" ref={nav} aria-label={t('settings')}>
        {tabs.map(({ to, label, count }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: to === officePaths.settings, includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}
          >
            {label}
            {count ? <span className="n">{count.toLocaleString('en-IN')}</span> : null}
          </Link>
        ))}
      </nav>
      <div className="beside">
        <Outlet />
      </div>
    </div>
  )
}
