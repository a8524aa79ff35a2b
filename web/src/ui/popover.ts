import './menu-button.css'
import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Places an element of the top layer below its anchor, or above it if there is no room. */
function place(shown: HTMLElement, anchor: Element, atEnd = false): void {
  const box = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = shown
  const start = atEnd ? box.right - width : box.left
  const above = box.bottom + height + 4 > innerHeight && box.top - height - 4 > 0
  const top = above ? box.top - height - 4 : Math.min(box.bottom + 4, innerHeight - height - 4)
  shown.style.left = `${Math.max(4, Math.min(start, document.documentElement.clientWidth - width - 4))}px`
  shown.style.top = `${Math.max(4, top)}px`
}

/** Shows an element (`popover="auto"`) beside its anchor until the returned function is called or the user presses elsewhere. */
function showBeside(shown: HTMLElement, anchor: Element, onFocusOut: () => void, atEnd?: boolean) {
  const follow = () => place(shown, anchor, atEnd)
  const toggled = () => {
    if (!shown.matches(':popover-open')) onFocusOut()
  }
  shown.showPopover()
  follow()
  shown.addEventListener('toggle', toggled)
  addEventListener('scroll', follow, true)
  addEventListener('resize', follow)
  return () => {
    shown.removeEventListener('toggle', toggled)
    removeEventListener('scroll', follow, true)
    removeEventListener('resize', follow)
  }
}

/**
 * Shows an element (`popover="auto"`) in the browser's top layer, so that no dialog or table cuts it off: below its
 * parent, or above it if there is no room. Calls `onFocusOut` when the user presses elsewhere.
 */
export function usePopover(box: RefObject<HTMLElement | null>, onFocusOut: () => void, atEnd = false): void {
  const leave = useRef(onFocusOut)
  leave.current = onFocusOut
  useLayoutEffect(() => {
    const shown = box.current
    const anchor = shown?.parentElement
    if (!shown || !anchor) return
    return showBeside(shown, anchor, () => leave.current(), atEnd)
  }, [box, atEnd])
}

/** Shows a text beside a button until the user presses elsewhere or leaves the button. */
function showReason(button: HTMLElement, reason: string): void {
  const shown = document.createElement('span')
  shown.className = 'disabled-reason'
  shown.popover = 'auto'
  shown.ariaHidden = 'true'
  shown.textContent = reason
  document.body.append(shown)
  const hide = () => {
    end()
    shown.remove()
  }
  const end = showBeside(shown, button, hide)
  button.addEventListener('blur', hide, { once: true })
}

/**
 * Shows why a disabled button or link can't be used, which is its title, when it is pressed, also by a finger, or reached
 * by Tab. Screen readers read it with its name. Returns a function that ends this.
 */
export function explainDisabled(): () => void {
  const explain = ({ type, target }: Event) => {
    const button =
      target instanceof Element &&
      target.closest<HTMLElement>('[aria-disabled="true"][title]:not([aria-busy="true"])')
    if (button && (type === 'click' || button.matches(':focus-visible'))) showReason(button, button.title)
  }
  addEventListener('click', explain, true)
  addEventListener('focusin', explain)
  return () => {
    removeEventListener('click', explain, true)
    removeEventListener('focusin', explain)
  }
}
