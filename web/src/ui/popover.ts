import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Shows an element (`popover="auto"`) in the browser's top layer, so that no dialog or table cuts it off: below the element
 * it is in, above it where there is no room. `onLeft` is called when something else was pressed.
 */
export function usePopover(box: RefObject<HTMLElement | null>, onLeft: () => void, atEnd = false): void {
  const left = useRef(onLeft)
  left.current = onLeft
  useLayoutEffect(() => {
    const shown = box.current
    const anchor = shown?.parentElement
    if (!shown || !anchor) return
    const place = () => {
      const at = anchor.getBoundingClientRect()
      const { offsetWidth: width, offsetHeight: height } = shown
      const start = atEnd ? at.right - width : at.left
      const above = at.bottom + height + 4 > innerHeight && at.top - height - 4 > 0
      const top = above ? at.top - height - 4 : Math.min(at.bottom + 4, innerHeight - height - 4)
      shown.style.left = `${Math.max(4, Math.min(start, document.documentElement.clientWidth - width - 4))}px`
      shown.style.top = `${Math.max(4, top)}px`
    }
    shown.showPopover()
    place()
    const toggled = () => {
      if (!shown.matches(':popover-open')) left.current()
    }
    shown.addEventListener('toggle', toggled)
    addEventListener('scroll', place, true)
    addEventListener('resize', place)
    return () => {
      shown.removeEventListener('toggle', toggled)
      removeEventListener('scroll', place, true)
      removeEventListener('resize', place)
    }
  }, [box, atEnd])
}
