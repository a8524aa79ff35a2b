/** Gives the cursor to the first field of a form that was refused, once it is drawn so. A choice has no state of its own: its group has. */
export function focusFirstError(form: HTMLElement | null): void {
  requestAnimationFrame(() =>
    form?.querySelector<HTMLElement>('[aria-invalid="true"], fieldset.err input')?.focus(),
  )
}

let pressed = false
addEventListener('pointerdown', () => (pressed = true), true)
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => (pressed = false), true)

/**
 * Does something once a press under way has become a click. A message that appears or goes when a field is left moves
 * what stands below it; done at once, it would move the button away from the finger that is pressing it.
 */
export function afterPress(then: () => void): void {
  const soon = () => setTimeout(then)
  if (!pressed) return void soon()
  addEventListener('pointerup', soon, { capture: true, once: true })
}
