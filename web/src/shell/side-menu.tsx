import { formatNumber } from '@podium/contract/figures'
import { Link, useRouterState } from '@tanstack/react-router'
import { startTransition, useEffect, useRef, useState } from 'react'
import { Icon, type IconName } from '#ui/icon.tsx'
import { storageKey } from './session.ts'
import { words } from './words.ts'

export interface MenuEntry {
  to: string
  label: string
  icon?: IconName
  /** Also current on these pages and below them; without it, only on its own page. */
  covers?: readonly string[]
  /** Shown but disabled, with this reason. */
  disabled?: string
  /** The letter that opens it after `g`. */
  jump?: string
  /** A number at the end: items to do. */
  count?: number
}

export interface MenuGroup {
  key: string
  /** Without a label the entries have no group, and their own icons. */
  label?: string
  icon?: IconName
  entries: MenuEntry[]
}

interface SideMenuProps {
  groups: MenuGroup[]
  /** The drawer of a narrow screen is open, or the menu of a wide one collapsed. */
  toggled: boolean
  /** The groups fold, and stay folded on this device. */
  folds?: boolean
  /** The support line; hidden if unknown. */
  phone?: string
  /** Why most entries can't be used yet; always visible, because touch screens have no hover. */
  note?: string
  onNavigate: () => void
}

const foldedKey = storageKey('menu-folded')

function storedFolds(): string[] {
  try {
    return (localStorage.getItem(foldedKey) ?? '').split(' ').filter(Boolean)
  } catch {
    return []
  }
}

/** The keys of folded groups, stored on this device, and a function to fold or unfold one. */
function useFolds(): [string[], (key: string) => void] {
  const [folded, setFolded] = useState(storedFolds)
  const toggle = (key: string) => {
    const next = folded.includes(key) ? folded.filter((groupKey) => groupKey !== key) : [...folded, key]
    setFolded(next)
    try {
      localStorage.setItem(foldedKey, next.join(' '))
    } catch {
      // Without storage they stay folded as long as the page.
    }
  }
  return [folded, toggle]
}

/** A drawer's links are a quarter of what a narrow screen renders first, and invisible: they wait for the page. */
function useDelayedLinks(): boolean {
  const [linksReady, setLinksReady] = useState(() => window.innerWidth > 1100)
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setLinksReady(true)), 1500)
    return () => clearTimeout(timer)
  }, [])
  return linksReady
}

/** The menu: in place above 1100 px, in a drawer below. */
export function SideMenu({ groups, toggled, folds, note, phone, onNavigate }: SideMenuProps) {
  const t = words.use()
  const linksReady = useDelayedLinks()
  const [folded, toggle] = useFolds()
  const menu = useRef<HTMLElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // Scrolls the current page's entry into view if the menu is longer than the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is visible changes with these
  useEffect(() => {
    const open = menu.current?.querySelector('[aria-current]')
    // A drawer without its links is not measured: that would force an early layout.
    if (!menu.current || !open) return
    const [box, entry] = [menu.current.getBoundingClientRect(), open.getBoundingClientRect()]
    if (entry.top >= box.top && entry.bottom <= box.bottom) return
    menu.current?.scrollBy(0, entry.top - box.top - box.height / 2)
  }, [path, toggled, linksReady])
  return (
    <nav ref={menu} className="nav" aria-label={t('mainMenu')} id="main-menu" tabIndex={-1}>
      {note && <p className="why">{note}</p>}
      {(linksReady || toggled ? groups : []).map((group) => {
        const closed = folds === true && group.label !== undefined && folded.includes(group.key)
        return (
          <div key={group.key}>
            {group.label && (
              <p className="group" id={`menu-${group.key}`}>
                {folds ? (
                  <Fold
                    group={group}
                    label={group.label}
                    closed={closed}
                    onToggle={() => toggle(group.key)}
                  />
                ) : (
                  <>
                    {group.icon && <Icon name={group.icon} />}
                    {group.label}
                  </>
                )}
              </p>
            )}
            <ul
              id={`menu-of-${group.key}`}
              aria-labelledby={group.label ? `menu-${group.key}` : undefined}
              hidden={closed}>
              {group.entries.map((entry) => (
                <li key={entry.to}>
                  <Entry entry={entry} lead={!group.label} onNavigate={onNavigate} />
                </li>
              ))}
            </ul>
          </div>
        )
      })}
      {phone && (
        <div className="help">
          <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{t('help', { phone })}</a>
          {t('helpHours')}
        </div>
      )}
    </nav>
  )
}

interface FoldProps {
  group: MenuGroup
  label: string
  closed: boolean
  onToggle: () => void
}

/** The heading of a group that folds; when folded, it shows the number of items to do in it. */
function Fold({ group, label, closed, onToggle }: FoldProps) {
  const waiting = group.entries.reduce((sum, { count = 0 }) => sum + count, 0)
  return (
    <button
      type="button"
      className="fold"
      aria-expanded={!closed}
      aria-controls={`menu-of-${group.key}`}
      onClick={onToggle}>
      {group.icon && <Icon name={group.icon} />}
      {label}
      {closed && waiting > 0 && <span className="n">{formatNumber(waiting)}</span>}
      <Icon name="down" small />
    </button>
  )
}

function Entry({ entry, lead, onNavigate }: { entry: MenuEntry; lead: boolean; onNavigate: () => void }) {
  const shape = lead ? 'lead' : undefined
  const covered = useRouterState({
    select: ({ location }) => {
      const path = location.pathname.toLowerCase()
      return entry.covers?.some(
        (page) => path === page.toLowerCase() || path.startsWith(`${page.toLowerCase()}/`),
      )
    },
  })
  const inside = (
    <>
      {entry.icon && <Icon name={entry.icon} />}
      {entry.label}
      {entry.count ? <span className="n">{formatNumber(entry.count)}</span> : null}
    </>
  )
  if (entry.disabled) {
    return (
      // biome-ignore lint/a11y/useValidAnchor: a link that cannot be followed yet, and says why
      <a role="link" tabIndex={0} aria-disabled="true" className={shape} title={entry.disabled}>
        {inside}
        <span className="sr">. {entry.disabled}</span>
      </a>
    )
  }
  return (
    <Link
      to={entry.to}
      className={shape}
      activeOptions={{ exact: true, includeSearch: false }}
      activeProps={{ 'aria-current': 'page' }}
      aria-current={covered ? 'page' : undefined}
      onClick={onNavigate}>
      {inside}
    </Link>
  )
}
