import { useEffect, useRef } from 'react'
import { wayBack } from '#ui/list-arrows.ts'

/** Remembers the focus when a dialog opens and returns it, or moves it nearby (`wayBack`), when the dialog closes. */
export function useFocusBack() {
  const back = useRef<() => void>(undefined)
  return {
    remember: () => {
      back.current = wayBack()
    },
    // After the dialog has left the page and released the focus.
    goBack: () => void setTimeout(() => (back.current ?? wayBack())()),
  }
}

/** Long enough for whatever moved the focus to set it elsewhere. */
const keptAfter = 50

/** Keeps the focus on the page: if the focused element goes and nothing takes the focus, `wayBack` moves it. */
export function useCursorKept(): void {
  useEffect(() => {
    let had: Element | undefined
    let goBack = wayBack()
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      had = target
      // Computed while the element is still in its row or dialog.
      goBack = wayBack(target)
    }
    const changed = new MutationObserver(() => {
      if (!had || had.isConnected) return
      had = undefined
      setTimeout(goBack, keptAfter)
    })
    document.addEventListener('focusin', note)
    changed.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', note)
      changed.disconnect()
    }
  }, [])
}
