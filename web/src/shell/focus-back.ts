import { useEffect, useRef } from 'react'
import { focusReturn } from '#ui/list-arrows.ts'

/** Remembers the focus when a dialog opens and returns it, or moves it nearby (`focusReturn`), when the dialog closes. */
export function useFocusBack() {
  const restore = useRef<() => void>(undefined)
  return {
    remember: () => {
      restore.current = focusReturn()
    },
    // After the dialog has left the page and released the focus.
    goBack: () => void setTimeout(() => (restore.current ?? focusReturn())()),
  }
}

/** Long enough for whatever moved the focus to set it elsewhere. */
const focusDelay = 50

/** Keeps the focus on the page: if the focused element goes and nothing takes the focus, `focusReturn` moves it. */
export function useFocusOnRemoval(): void {
  useEffect(() => {
    let focused: Element | undefined
    let goBack = focusReturn()
    let timer: ReturnType<typeof setTimeout> | undefined
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      // Should this element go at once as well, the focus must not move to what is near the one before.
      clearTimeout(timer)
      focused = target
      // Computed while the element is still in its row or dialog.
      goBack = focusReturn(target)
    }
    const changed = new MutationObserver(() => {
      if (!focused || focused.isConnected) return
      focused = undefined
      timer = setTimeout(goBack, focusDelay)
    })
    document.addEventListener('focusin', note)
    changed.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', note)
      changed.disconnect()
    }
  }, [])
}
