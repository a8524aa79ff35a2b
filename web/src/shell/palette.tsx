import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import '#ui/dialog.css'
import '#ui/field.css'
import '#ui/multi-select.css'
import { useHeldPage } from '#ui/held-page.ts'
import { Icon } from '#ui/icon.tsx'
import type { MenuGroup } from './frame-types.ts'
import { words } from './words.ts'

const [store, palette] = createSpotlight()

interface PaletteProps {
  groups: MenuGroup[]
  onClose: () => void
}

/** Ctrl+K: goes to any page of the menu by a part of its name. */
export function Palette({ groups, onClose }: PaletteProps) {
  const t = words.use()
  useHeldPage(true)
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  // After going to a page the cursor belongs to its title, not to where it was before.
  const [went, setWent] = useState(false)
  const go = (to: string) => {
    setWent(true)
    void navigate({ to })
  }
  useEffect(() => palette.open(), [])
  const wanted = query.trim().toLowerCase()
  const found = groups
    .flatMap((group) => group.entries.map((entry) => ({ ...entry, group: group.label })))
    .filter(
      (entry) => !entry.disabled && `${entry.group ?? ''} ${entry.label}`.toLowerCase().includes(wanted),
    )
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      shortcut={null}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      overlayProps={{ className: 'scrim', transitionProps: { duration: 0 } }}
      classNames={{ inner: 'dlg-inner palette', content: 'dlg small', body: 'palette-body' }}
      attributes={{ content: { 'aria-label': t('paletteSearch') } }}
      returnFocus={!went}
    >
      <div className="palette-search">
        <Icon name="search" />
        <Spotlight.Search placeholder={t('paletteSearch')} aria-label={t('paletteSearch')} />
      </div>
      <Spotlight.ActionsList className="palette-list">
        {found.map((entry) => (
          <Spotlight.Action key={entry.to} className="palette-entry" onClick={() => go(entry.to)}>
            {entry.label}
            {entry.group && <small>{entry.group}</small>}
          </Spotlight.Action>
        ))}
        {found.length === 0 && <Spotlight.Empty className="none">{t('paletteNothing')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
