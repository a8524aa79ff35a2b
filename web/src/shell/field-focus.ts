/** Focuses the first invalid field once it is rendered. A radio button has no error state of its own; its group has. */
export function focusFirstError(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"], fieldset.err input')
    field?.focus()
    // The browser takes a field behind the header for visible.
    field?.scrollIntoView({ block: 'nearest' })
  })
}

let pressed = false
addEventListener('pointerdown', () => (pressed = true), true)
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => (pressed = false), true)

/**
 * Runs something after the current press has become a click. A message that appears or disappears on blur moves what is
 * below it; done at once, it would move the button away from the finger pressing it.
 */
export function afterPress(then: () => void): void {
  const soon = () => setTimeout(then)
  if (!pressed) return void soon()
  addEventListener('pointerup', soon, { capture: true, once: true })
}
