import { useLayoutEffect, useState } from 'react'

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

/**
 * Returns whether a dialog is the topmost open one. Each one hears Escape; one that has just closed counts until the
 * press is over, so that the one beneath does not close as well.
 */
export function useIsTopmost(opened: boolean): () => boolean {
  const [id] = useState(() => Symbol())
  useLayoutEffect(() => {
    if (!opened) return
    openDialogs.push(id)
    return () => void setTimeout(() => openDialogs.splice(openDialogs.indexOf(id), 1))
  }, [opened, id])
  return () => openDialogs.at(-1) === id
}
