import './panel.css'
import { type KeyboardEvent, type ReactNode, useId } from 'react'

/** Scrolls the current tab into view if there is no room for all. */
const scrollCurrentIntoView = (tabs: HTMLElement | null) =>
  tabs?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })

/** Tabs with addresses: put router links inside; the active one has aria-current. */
export function LinkTabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav ref={scrollCurrentIntoView} className="tabs" aria-label={label}>
      {children}
    </nav>
  )
}

interface TabsProps<Key extends string> {
  label: string
  tabs: readonly { key: Key; label: ReactNode }[]
  active: Key
  onChange: (key: Key) => void
  children: ReactNode
}

/** Tabs within a page: arrow keys switch tab and panel. */
export function Tabs<Key extends string>({ label, tabs, active, onChange, children }: TabsProps<Key>) {
  const id = useId()
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = tabs[(tabs.findIndex((tab) => tab.key === active) + step + tabs.length) % tabs.length]
    if (step === 0 || !next) return
    event.preventDefault()
    onChange(next.key)
    document.getElementById(`${id}-${next.key}`)?.focus()
  }
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            aria-selected={tab.key === active}
            aria-controls={`${id}-panel`}
            tabIndex={tab.key === active ? 0 : -1}
            onClick={() => tab.key !== active && onChange(tab.key)}>
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${active}`}>
        {children}
      </div>
    </>
  )
}
