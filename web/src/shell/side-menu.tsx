import { Link } from '@tanstack/react-router'
import { Icon } from '#ui/icon.tsx'
import type { MenuEntry, MenuGroup } from './frame-types.ts'
import { words } from './words.ts'

interface SideMenuProps {
  groups: MenuGroup[]
  /** The support line; none is shown when it is not known. */
  phone?: string
  /** Why most entries can't be used yet: in sight, where a hint on pointing is none. */
  note?: string
  onNavigate: () => void
}

/** The grouped menu: in place above 1100 px, in a drawer below. */
export function SideMenu({ groups, note, phone, onNavigate }: SideMenuProps) {
  const t = words.use()
  return (
    <nav className="nav" aria-label={t('mainMenu')} id="main-menu">
      {note && <p className="why">{note}</p>}
      {groups.map((group) => (
        <div key={group.key}>
          {group.label && (
            <h2 id={`menu-${group.key}`}>
              {group.icon && <Icon name={group.icon} />}
              {group.label}
            </h2>
          )}
          <ul aria-labelledby={group.label ? `menu-${group.key}` : undefined}>
            {group.entries.map((entry) => (
              <li key={entry.to}>
                <Entry entry={entry} lead={!group.label} onNavigate={onNavigate} />
              </li>
            ))}
          </ul>
        </div>
      ))}
      {phone && (
        <div className="help">
          <b>{t('help', { phone })}</b>
          {t('helpHours')}
        </div>
      )}
    </nav>
  )
}

function Entry({ entry, lead, onNavigate }: { entry: MenuEntry; lead: boolean; onNavigate: () => void }) {
  const shape = lead ? 'lead' : undefined
  const inside = (
    <>
      {entry.icon && <Icon name={entry.icon} />}
      {entry.label}
      {entry.count ? <span className="n">{entry.count.toLocaleString('en-IN')}</span> : null}
    </>
  )
  if (entry.disabled) {
    return (
      // biome-ignore lint/a11y/useValidAnchor: a link that cannot be followed yet, and says why
      <a role="link" aria-disabled="true" className={shape} title={entry.disabled}>
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
      onClick={onNavigate}
    >
      {inside}
    </Link>
  )
}
