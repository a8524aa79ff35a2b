/** Gives the cursor to the first field of a form that was refused, once it is drawn so. A choice has no state of its own: its group has. */
export function focusFirstError(form: HTMLElement | null): void {
  requestAnimationFrame(() =>
    form?.querySelector<HTMLElement>('[aria-invalid="true"], fieldset.err input')?.focus(),
  )
}
