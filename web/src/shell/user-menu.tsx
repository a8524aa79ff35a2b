import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { lazyDialog } from '#ui/lazy-part.ts'
import '#ui/multi-select.css'
import { Icon } from '#ui/icon.tsx'
import { toast } from '#ui/toast.tsx'
import { chooseLanguage, languages, useLanguage } from './language/language.ts'
import { useSession } from './session.ts'
import { canEndEverywhere } from './sign-out.ts'
import { chooseTheme, type Theme, useTheme } from './theme.ts'
import { type UserButtonProps, UserFace } from './user-face.tsx'
import { words } from './words.ts'

const SessionsDialog = lazyDialog(() => import('./sessions/dialogs.tsx'), 'SessionsDialog')

const AccountDialog = lazyDialog(() => import('./sessions/dialogs.tsx'), 'AccountDialog')

/**
 * Language, theme, shortcuts, sessions, signing out everywhere; under the user's name. Opens when loaded by a click.
 */
export function UserMenu({ name, role, own, onSignOut, onShortcuts }: UserButtonProps) {
  const t = words.use()
  const button = useRef<HTMLButtonElement>(null)
  const [listed, setListed] = useState(false)
  const navigate = useNavigate()
  const [account, setAccount] = useState(false)
  /** An officer who signed in as a school has no account here. */
  const hasAccount = useSession()?.acting === undefined && canEndEverywhere()
  const language = useLanguage()
  const theme = useTheme()
  const themes: [Theme, string][] = [
    ['system', t('themeSystem')],
    ['light', t('themeLight')],
    ['dark', t('themeDark')],
  ]
  const change = (code: string) =>
    void chooseLanguage(code).catch((cause: Error) => toast.error(`Error: ${cause.message}`))
  const tick = (on: boolean) => (on ? <Icon name="check" small /> : <span className="i s" />)
  return (
    <>
      {listed && <SessionsDialog onClose={() => setListed(false)} />}
      {account && <AccountDialog onClose={() => setAccount(false)} />}

      <Menu
        defaultOpened
        // The download has replaced the button that was pressed: closing focuses the new one.
        onClose={() => requestAnimationFrame(() => button.current?.focus())}
        position="bottom-end"
        transitionProps={{ duration: 0 }}
        withinPortal={false}
        withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <button type="button" ref={button} className="user" title={t('account', { name })}>
            <UserFace name={name} role={role} />
          </button>
        </Menu.Target>
        {/* A dialog returns the focus to what has it when it opens: the menu's item is gone by then. */}
        <Menu.Dropdown className="drop user-menu" onClickCapture={() => button.current?.focus()}>
          {own && (
            <>
              <Menu.Item
                leftSection={<Icon name="settings" small />}
                onClick={() => void navigate({ to: own.to })}>
                {own.label}
              </Menu.Item>
              <hr />
            </>
          )}
          {/* biome-ignore lint/a11y/useSemanticElements: a menu holds groups, not fieldsets */}
          <div role="group" aria-label={t('language')}>
            {languages.map(({ code, name: ownName }) => (
              <Menu.Item key={code} leftSection={tick(code === language)} onClick={() => change(code)}>
                <span lang={code}>{ownName}</span>
                {code === language && <span className="sr"> ✓</span>}
              </Menu.Item>
            ))}
          </div>
          {/* biome-ignore lint/a11y/useSemanticElements: a menu holds groups, not fieldsets */}
          <div role="group" aria-label={t('theme')}>
            {themes.map(([key, label]) => (
              <Menu.Item key={key} leftSection={tick(key === theme)} onClick={() => chooseTheme(key)}>
                {label}
                {key === theme && <span className="sr"> ✓</span>}
              </Menu.Item>
            ))}
          </div>
          <hr />
          {hasAccount && (
            <>
              <Menu.Item leftSection={<Icon name="users" small />} onClick={() => setAccount(true)}>
                {t('yourAccount')}
              </Menu.Item>
              <Menu.Item leftSection={<Icon name="list" small />} onClick={() => setListed(true)}>
                {t('sessions')}
              </Menu.Item>
            </>
          )}
          <Menu.Item leftSection={<Icon name="help" small />} onClick={onShortcuts}>
            {t('shortcuts')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="logout" small />} onClick={() => onSignOut(false)}>
            {t('logout')}
          </Menu.Item>
          {hasAccount && (
            <Menu.Item leftSection={<Icon name="lock" small />} onClick={() => onSignOut(true)}>
              {t('logoutEverywhere')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
