import { useEffect } from 'react'
import { shortcutsOn } from '#shell/use-shortcuts.ts'

/** Enter says yes where it means nothing else: on the page, or on the row of the open line. */
export function useEnter(act: (() => void) | undefined): void {
  useEffect(() => {
    if (!act) return
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
      const dialogOpen = document.querySelector('[role="dialog"][aria-modal="true"]') !== null
      const target = event.target instanceof HTMLElement ? event.target : document.body
      const own = target.closest('a, button, input, select, textarea, summary, [tabindex="0"]')
      if (dialogOpen || !shortcutsOn() || (own && !own.matches('[data-line][aria-current]'))) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [act])
}
