import { useLayoutEffect } from 'react'

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
