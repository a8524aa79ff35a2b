import { useRef } from 'react'
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
