import { useEffect, useRef } from 'react'
import { wayBack } from '#ui/list-arrows.ts'

/** Where the cursor was when a dialog opened, and the way back there when it closes, or near to it (`wayBack`). */
export function useFocusBack() {
  const back = useRef<() => void>(undefined)
  return {
    remember: () => {
      back.current = wayBack()
    },
    // After the dialog has left the page and let go of the cursor.
    goBack: () => void setTimeout(() => (back.current ?? wayBack())()),
  }
}

/** Long enough for whoever takes the cursor away to say where it goes. */
const keptAfter = 50

/** The cursor does not fall off the page: where what had it is gone and nothing else takes it, it goes back by `wayBack`. */
export function useCursorKept(): void {
  useEffect(() => {
    let had: Element | undefined
    let goBack = wayBack()
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      had = target
      // While it stands in its row or dialog.
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
