import { useLayoutEffect, useState } from 'react'

let holding = 0

/**
 * Holds the page still while a dialog is open. Done here, by an attribute, because the strict policy forbids the style
 * tag that libraries make for it; the place of the scrollbar stays where there was one, so that nothing jumps.
 */
export function useHeldPage(opened: boolean): void {
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
 * Whether a dialog is the topmost of those that are open. Each hears Escape by itself; one that has just closed counts
 * until the press is over, so that it does not close the one beneath as well.
 */
export function useTopmost(opened: boolean): () => boolean {
  const [own] = useState(() => Symbol())
  useLayoutEffect(() => {
    if (!opened) return
    openDialogs.push(own)
    return () => void setTimeout(() => openDialogs.splice(openDialogs.indexOf(own), 1))
  }, [opened, own])
  return () => openDialogs.at(-1) === own
}
