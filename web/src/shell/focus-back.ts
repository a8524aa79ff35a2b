import { useRef } from 'react'

/**
 * Where the cursor was when a dialog opened, and the way back there when it closes; to the page's title where that
 * button is gone (the row was deleted).
 */
export function useFocusBack() {
  const from = useRef<Element>(null)
  return {
    remember: () => {
      from.current = document.activeElement
    },
    goBack: () =>
      // After the dialog has left the page and let go of the cursor.
      setTimeout(() => {
        const held = document.activeElement
        if (held && held !== document.body) return
        const there = from.current?.isConnected && from.current !== document.body ? from.current : undefined
        const back = there ?? document.querySelector('main h1')
        if (back instanceof HTMLElement) back.focus({ preventScroll: back.tagName === 'H1' })
      }),
  }
}
