import { createContext, useContext, useLayoutEffect, useState } from 'react'

let holding = 0

/**
 * Prevents the page from scrolling while a dialog is open, by an attribute, because the strict policy forbids the style
 * tag that libraries use. Keeps the space of a scrollbar, so that nothing jumps.
 */
export function useScrollLock(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return
    const root = document.documentElement
    if (holding === 0) root.dataset.held = window.innerWidth > root.clientWidth ? 'gutter' : 'plain'
    holding += 1
    return () => {
      holding -= 1
      if (holding === 0) delete root.dataset.held
    }
  }, [opened])
}

const openDialogs: symbol[] = []
/** The press of Escape that was last used. */
let used: Event | undefined

/**
 * Returns what Escape asks: whether a dialog is the topmost open one. Each one hears the press; when the topmost has closed
 * by it, the one beneath must not close as well.
 */
export function useIsTopmost(opened: boolean): () => boolean {
  const [id] = useState(() => Symbol())
  useLayoutEffect(() => {
    if (!opened) return
    openDialogs.push(id)
    return () => void openDialogs.splice(openDialogs.indexOf(id), 1)
  }, [opened, id])
  return () => {
    const { event } = window
    if (openDialogs.at(-1) !== id || (event && event === used)) return false
    used = event
    return true
  }
}

const Closing = createContext((close: () => void) => close())
export const ClosingProvider = Closing.Provider

/** Returns what every button that closes its dialog calls with how: while a call of the dialog runs, it asks first. */
export const useClosingDialog = () => useContext(Closing)
