import { useEffect } from 'react'
import { focusListFromSearch } from '#ui/list-arrows.ts'

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

/** Whether a key press is meant for a field; checkboxes and radio buttons take no letters. */
function isTyping(target: EventTarget | null): boolean {
  const fields = 'textarea, select, input:not([type="checkbox"], [type="radio"])'
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(fields))
}

let early: string | undefined

/** Starts collecting key presses for the palette's field, which may still be downloading. */
export function startKeyBuffer(): void {
  early = ''
}

/** Returns what was typed before the palette's field was ready; from then on the field gets the keys itself. */
export function takeKeyBuffer(): string {
  const typed = early ?? ''
  early = undefined
  return typed
}

/** Collects a key for the palette's field; returns whether it did. */
function bufferKey(event: KeyboardEvent): boolean {
  if (early === undefined || event.ctrlKey || event.metaKey || event.altKey) return false
  if (event.key === 'Escape') early = undefined
  else if (event.key === 'Backspace') early = early.slice(0, -1)
  else if (event.key.length === 1) early += event.key
  else return false
  event.preventDefault()
  return true
}

/** `/` goes to the page's search, `?` to the list of shortcuts, Ctrl+K (or ⌘K) to the palette. */
export function useShortcuts(open: { list: () => void; palette: () => void }): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (bufferKey(event)) return
      const dialogOpen = document.querySelector('[role="dialog"][aria-modal="true"]') !== null
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
        event.preventDefault()
        if (!dialogOpen) open.palette()
        return
      }
      const withKey = event.ctrlKey || event.metaKey || event.altKey
      if (!dialogOpen) focusListFromSearch(event)
      if (withKey || isTyping(event.target) || dialogOpen || !shortcutsOn()) return
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

/** How long after `g` a letter opens a page, in ms. */
const jumpMs = 1500

/** When `g` was last pressed; kept when the page re-renders. */
let jumpSince = Number.NEGATIVE_INFINITY

/**
 * `g` and a page's letter open that page. The letter precedes the keys of the current page. Ignored while typing, in a
 * dialog, with a key held down, and when single-key shortcuts are off.
 */
export function useJumps(go: (letter: string) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const second = event.timeStamp - jumpSince < jumpMs
      jumpSince = Number.NEGATIVE_INFINITY
      const withKey = event.ctrlKey || event.metaKey || event.altKey
      const dialogOpen = document.querySelector('[role="dialog"][aria-modal="true"]') !== null
      if (withKey || dialogOpen || early !== undefined || isTyping(event.target) || !shortcutsOn()) return
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
 * A key of a page (`V` to verify). Ignored while typing, in a dialog, and when single-key shortcuts are off. `use` may
 * be undefined while the action is not possible.
 */
export function useKey(letter: string, use: (() => void) | undefined): void {
  useEffect(() => {
    if (!use) return
    const press = (event: KeyboardEvent) => {
      const withKey = event.ctrlKey || event.metaKey || event.altKey
      const dialogOpen = document.querySelector('[role="dialog"][aria-modal="true"]') !== null
      if (event.key.toLowerCase() !== letter.toLowerCase() || withKey || isTyping(event.target)) return
      if (dialogOpen || !shortcutsOn()) return
      event.preventDefault()
      use()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [letter, use])
}
