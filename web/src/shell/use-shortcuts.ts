import { useEffect } from 'react'
import { leaveSearch } from '#ui/list-arrows.ts'

const key = 'shortcuts'

export function shortcutsOn(): boolean {
  try {
    return localStorage.getItem(key) !== 'off'
  } catch {
    return true
  }
}

export function switchShortcuts(on: boolean): void {
  try {
    if (on) localStorage.removeItem(key)
    else localStorage.setItem(key, 'off')
  } catch {
    // Without storage they stay on.
  }
}

/** Whether a key pressed here is meant for a field. */
function typing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

let early: string | undefined

/** From now on what is typed is for the field of the palette, which may still be downloading. */
export function keepTyped(): void {
  early = ''
}

/** What was typed for the palette's field before it was there; from here on the field takes the keys itself. */
export function takeTyped(): string {
  const typed = early ?? ''
  early = undefined
  return typed
}

/** Keeps a key for the palette's field; says whether it did. */
function keeps(event: KeyboardEvent): boolean {
  if (early === undefined || event.ctrlKey || event.metaKey || event.altKey) return false
  if (event.key === 'Escape') early = undefined
  else if (event.key === 'Backspace') early = early.slice(0, -1)
  else if (event.key.length === 1) early += event.key
  else return false
  event.preventDefault()
  return true
}

/** `/` goes to the search of the page, `?` to the list of shortcuts, Ctrl+K (or ⌘K) to the palette. */
export function useShortcuts(open: { list: () => void; palette: () => void }): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (keeps(event)) return
      const dialogOpen = document.querySelector('[role="dialog"][aria-modal="true"]') !== null
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
        event.preventDefault()
        if (!dialogOpen) open.palette()
        return
      }
      const withKey = event.ctrlKey || event.metaKey || event.altKey
      if (!dialogOpen) leaveSearch(event)
      if (withKey || typing(event.target) || dialogOpen || !shortcutsOn()) return
      if (event.key === '?') open.list()
      const search = event.key === '/' ? document.querySelector<HTMLElement>('[data-search]') : null
      if (search) {
        event.preventDefault()
        search.focus()
      }
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [open])
}

/** So long after `g` a letter leads to a page. */
const jumpMs = 1500

/** When `g` was pressed last; a page that is drawn again meanwhile does not forget it. */
let jumpSince = Number.NEGATIVE_INFINITY

/**
 * `g` and the letter of a page lead there. The letter is heard before the keys of the page that is open, where it may
 * mean something else. Not while typing, in a dialog or with a key held down, not when single keys are switched off.
 */
export function useJumps(go: (letter: string) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const second = event.timeStamp - jumpSince < jumpMs
      jumpSince = Number.NEGATIVE_INFINITY
      const withKey = event.ctrlKey || event.metaKey || event.altKey
      const dialogOpen = document.querySelector('[role="dialog"][aria-modal="true"]') !== null
      if (withKey || dialogOpen || early !== undefined || typing(event.target) || !shortcutsOn()) return
      const letter = event.key.toLowerCase()
      if (!second) {
        if (letter === 'g' && !event.repeat) jumpSince = event.timeStamp
        return
      }
      if (!/^[a-z]$/.test(letter)) return
      event.preventDefault()
      event.stopImmediatePropagation()
      go(letter)
    }
    window.addEventListener('keydown', press, true)
    return () => window.removeEventListener('keydown', press, true)
  }, [go])
}

/**
 * A key of a page (`V` to verify). Not while typing or in a dialog, not when single keys are switched off.
 * `use` may be undefined while the action is not possible.
 */
export function useKey(letter: string, use: (() => void) | undefined): void {
  useEffect(() => {
    if (!use) return
    const press = (event: KeyboardEvent) => {
      const withKey = event.ctrlKey || event.metaKey || event.altKey
      const dialogOpen = document.querySelector('[role="dialog"][aria-modal="true"]') !== null
      if (event.key.toLowerCase() !== letter.toLowerCase() || withKey || typing(event.target)) return
      if (dialogOpen || !shortcutsOn()) return
      event.preventDefault()
      use()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [letter, use])
}
