import { parseSeason, type Season } from '@podium/contract/season'
import { Link, Outlet, useLocation, useNavigate, useRouterState } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { IconButton } from '#ui/button.tsx'
import { loadDialogs } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { KitProvider } from '#ui/kit-provider.tsx'
import { lazyDialog, lazyPart } from '#ui/lazy-part.ts'
import { focusFirstRow } from '#ui/list-arrows.ts'
import { explainDisabled } from '#ui/popover.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { useBranding } from './branding.ts'
import { OfflineNote, RequestBar } from './connection.tsx'
import { useFocusOnRemoval } from './focus-back.ts'
import { Brand } from './logo.tsx'
import { paths } from './paths.ts'
import { seasons, useChooseSeason, useSeason } from './season.ts'
import { type MenuGroup, SideMenu } from './side-menu.tsx'
import { startKeyBuffer, takeKeyBuffer, useJumps, useShortcuts } from './use-shortcuts.ts'
import { type UserButtonProps, UserFace } from './user-face.tsx'
import { words } from './words.ts'
import '#ui/layout.css'
import './frame.css'
import './overlays.css'
import './side-menu.css'

/** Pages with their own choice of season, which would conflict with the header's. */
const pagesWithOwnSeason: readonly string[] = [
  paths.examDate,
  paths.finalSummary,
  paths.viewResult,
  paths.medalList,
  paths.awards,
  paths.prizes,
]

const ownSeason = ({ FYear }: { FYear?: unknown }) => parseSeason(String(FYear ?? ''))

/** The season of everything on the page; in the header. */
function SeasonSelect({ prepared }: { prepared?: readonly string[] }) {
  const t = words.use()
  const season = useSeason()
  const choose = useChooseSeason()
  const choices = seasons(prepared)
  const currentPath = useLocation({ select: ({ pathname }) => pathname.toLowerCase() })
  const hasOwnSeason = pagesWithOwnSeason.some((path) => path.toLowerCase() === currentPath)
  const chosen = useLocation({ select: ({ search }) => ownSeason(search) })
  return (
    <div className="season-pick">
      <label htmlFor="season">{t('season')}</label>
      <select
        id="season"
        aria-label={t('season')}
        value={(hasOwnSeason && chosen) || season}
        disabled={hasOwnSeason}
        title={hasOwnSeason ? t('ownYear') : undefined}
        onChange={(event) => choose(event.currentTarget.value as Season)}>
        {(choices.includes(season) ? choices : [season, ...choices]).map((label) => (
          <option key={label}>{label}</option>
        ))}
      </select>
      <Icon name="down" small />
    </div>
  )
}

const UserMenu = lazyPart(() => import('./user-menu.tsx'), 'UserMenu')

/** The user menu's button; the menu is downloaded when the pointer or focus comes near. */
function UserButton(props: UserButtonProps) {
  const t = words.use()
  const [wanted, setWanted] = useState(false)
  const warm = () => void UserMenu.load()
  const closed = (
    <button
      type="button"
      className="user"
      title={t('account', { name: props.name })}
      aria-haspopup="menu"
      aria-expanded={false}
      aria-busy={wanted || undefined}
      onPointerEnter={warm}
      onFocus={warm}
      onClick={() => setWanted(true)}>
      <UserFace name={props.name} role={props.role} />
    </button>
  )
  if (!wanted) return closed
  return (
    <Suspense fallback={closed}>
      <UserMenu {...props} />
    </Suspense>
  )
}

const Palette = lazyDialog(() => import('./palette.tsx'), 'Palette')
const ShortcutsDialog = lazyDialog(() => import('./shortcuts.tsx'), 'ShortcutsDialog')

interface FrameProps {
  groups: MenuGroup[]
  /** What the palette finds, if more than the menu. */
  pages?: MenuGroup[]
  /** The office's: beside the logo is its name, and the header has a search field for records. */
  records?: boolean
  /** The palette also finds the school's students. */
  students?: boolean
  /** The menu's groups fold. */
  folds?: boolean
  /** Known seasons after the current one. */
  seasons?: readonly string[]
  /** The user's own account, in the user menu. */
  account?: { to: string; label: string }
  /** Where the logo links to. */
  start: string
  userName: string
  role?: string
  /** The school, at the right of the header and in a strip on narrow screens. */
  school?: { name: string; code: string }
  phone?: string
  /** Why most of the menu can't be used yet. */
  menuNote?: string
  /** Below the header of every page. */
  banner?: ReactNode
  /** Shown instead of the page. */
  instead?: ReactNode
  onSignOut: (everywhere: boolean) => void
}

/** Opens the menu as a drawer on a narrow screen, or collapses it on a wide one. */
function useMenu() {
  const [toggled, setToggled] = useState(false)
  // The page that is shown, not one that is still loading.
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? '' })
  useEffect(() => {
    if (!toggled) return
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && window.innerWidth <= 1100) setToggled(false)
    }
    window.addEventListener('keydown', close)
    return () => window.removeEventListener('keydown', close)
  }, [toggled])
  return { toggled, setToggled, pathname }
}

/** Focuses the title after a change of page, so that screen readers and the keyboard start there. */
function useFocusOnPage(pathname: string) {
  const last = useRef(pathname)
  useEffect(() => {
    const isFirstPage = last.current === ''
    if (last.current === pathname) return
    last.current = pathname
    if (isFirstPage) return
    const frame = requestAnimationFrame(() => {
      const title = document.querySelector<HTMLElement>('main h1[tabindex]')
      ;(title ?? document.querySelector<HTMLElement>('main'))?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [pathname])
}

/** The page, or a skeleton while it downloads: one element, so that a change of layout keeps it as it is. */
const pageOutlet = (
  <Suspense fallback={<Skeleton shape="table" />}>
    <Outlet />
  </Suspense>
)

/** The layout of the school's and the office's portal: header, menu and page. */
export function Frame(props: FrameProps) {
  const t = words.use()
  useEffect(explainDisabled, [])
  useBranding()
  const { toggled, setToggled, pathname } = useMenu()
  const [opened, setOpened] = useState<'palette' | 'list'>()
  const open = useMemo(() => {
    const palette = () => {
      startKeyBuffer()
      setOpened('palette')
    }
    return { list: () => setOpened('list'), palette }
  }, [])
  const close = () => {
    takeKeyBuffer()
    setOpened(undefined)
  }
  useShortcuts(open)
  const navigate = useNavigate()
  const jumps = props.groups.flatMap(({ entries }) => entries).filter(({ jump }) => jump)
  useJumps((letter) => {
    const to = jumps.find(({ jump }) => jump === letter)?.to
    if (to) void navigate({ to })
  })
  useFocusOnPage(pathname)
  useFocusOnRemoval()
  // After the page, so that the first dialog opens at once.
  useEffect(() => {
    const timer = setTimeout(() => void loadDialogs().catch(() => undefined), 1500)
    return () => clearTimeout(timer)
  }, [])
  const closeDrawer = () => {
    if (window.innerWidth <= 1100) setToggled(false)
  }
  return (
    <KitProvider>
      <div className={toggled ? 'shell nav-open' : 'shell'}>
        <a className="skip" href="#main">
          {t('skip')}
        </a>
        <button type="button" className="skip to-list" onClick={focusFirstRow}>
          {t('skipToList')}
        </button>
        <header className="top">
          <IconButton
            icon="menu"
            label={t('menu')}
            aria-expanded={toggled}
            aria-controls="main-menu"
            onClick={() => setToggled(!toggled)}
          />
          <Link className="logo" to={props.start}>
            <Brand />
            {props.records && <small>{t('office')}</small>}
          </Link>
          <SeasonSelect prepared={props.seasons} />
          {props.records ? (
            <button type="button" className="find-all" aria-keyshortcuts="Control+K" onClick={open.palette}>
              <Icon name="search" small />
              <span className="long">{t('searchAll')}</span>
              <span className="short">{t('searchShort')}</span>
              <kbd>{t('searchKeys')}</kbd>
            </button>
          ) : (
            <div className="push" />
          )}
          {props.school && (
            <div className="who-school">
              <b title={props.school.name}>{props.school.name}</b>
              <span>{t('schoolCode', { code: props.school.code })}</span>
            </div>
          )}
          <UserButton
            name={props.userName}
            role={props.role}
            own={props.account}
            onSignOut={props.onSignOut}
            onShortcuts={open.list}
          />
          {!props.records && (
            <>
              <button type="button" className="logout" onClick={() => props.onSignOut(false)}>
                {t('logout')}
              </button>
              <FullscreenButton label={t('fullscreen')} />
            </>
          )}
          <LoadingBar />
        </header>
        <OfflineNote />
        {props.banner}
        {props.school && (
          <section className="strip" aria-label={t('yourSchool')}>
            <b>{props.school.name}</b> · {props.school.code}
          </section>
        )}
        <div className="app">
          {/* biome-ignore lint/a11y/noStaticElementInteractions: pressing beside the drawer closes it; Escape does too */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it */}
          <div className="nav-scrim" onClick={() => setToggled(false)} />
          <SideMenu
            toggled={toggled}
            groups={props.groups}
            folds={props.folds}
            note={props.menuNote}
            phone={props.phone}
            onNavigate={closeDrawer}
          />
          <main className="main" id="main" tabIndex={-1}>
            {props.instead ?? pageOutlet}
          </main>
        </div>
      </div>
      {opened === 'list' && <ShortcutsDialog queues={props.records === true} jumps={jumps} onClose={close} />}
      {opened === 'palette' && (
        <Palette
          groups={props.pages ?? props.groups}
          records={props.records === true}
          students={props.students === true}
          onClose={close}
        />
      )}
    </KitProvider>
  )
}

function FullscreenButton({ label }: { label: string }) {
  if (!document.fullscreenEnabled) return null
  const toggle = () =>
    document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()
  return <IconButton className="full" icon="fullscreen" label={label} onClick={() => void toggle()} />
}

/** The line under the header while a request is pending or a page is loading. */
function LoadingBar() {
  const navigating = useRouterState({ select: (state) => state.status === 'pending' })
  return <RequestBar also={navigating} />
}
