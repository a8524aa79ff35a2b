/** Controls that open, select or decide a row. */
const controls = 'a[href], button:not(:disabled), input[type="checkbox"]:not(:disabled)'
const list = 'main :is(.dt tbody, ul.q)'

/** The control in a row's title, or else its first control that is no checkbox. */
const mainControl = (row: Element): HTMLElement | null =>
  row.querySelector<HTMLElement>(':is(th a, th button)') ??
  row.querySelector<HTMLElement>(':is(a[href], button:not(:disabled))') ??
  row.querySelector<HTMLElement>(controls)

/** Focuses the first row of the page's list; returns whether there is one. */
export function focusFirstRow(): boolean {
  for (const row of document.querySelectorAll(`${list} > *`)) {
    const first = mainControl(row)
    if (!first) continue
    first.focus()
    return true
  }
  return false
}

/** Focuses the open row unless something has the focus: it then moves on with J and K, and a screen reader hears the row. */
export function focusOpenRow(): void {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>('main ul.q [aria-current]')?.focus()
}

const isShown = ({ offsetParent }: HTMLElement) => offsetParent !== null

const accessibleName = (element: Element) => element.ariaLabel ?? element.textContent

/** Returns the only other control with the same name, e.g. the button for an empty list, which has moved above it. */
function findSameNamed(gone: Element): Element | undefined {
  const name = accessibleName(gone)
  const alike = [...document.querySelectorAll('main :is(a, button)')].filter(
    (element) => accessibleName(element) === name,
  )
  return name && alike.length === 1 ? alike[0] : undefined
}

/**
 * Returns a function that returns the focus to where it is now, unless something else has it. If that element is gone,
 * it goes to another control in its row or dialog or with the same name; from the bar of selected rows to their list;
 * otherwise to the page's title.
 */
export function focusReturn(from = document.activeElement): () => void {
  const focused = from === document.body ? null : from
  const row = focused?.closest('tbody > tr, .dt > ul > li, [role="dialog"]')
  const list = focused?.closest('.selbar')?.parentElement
  return () => {
    const held = document.activeElement
    if (held && held !== document.body) return
    const beside = row?.isConnected ? mainControl(row) : null
    const target =
      beside ??
      (focused && findSameNamed(focused)) ??
      [...(list?.querySelectorAll<HTMLElement>('[type="checkbox"]:not(:disabled)') ?? [])].find(isShown) ??
      document.querySelector('main h1')
    const destination = focused?.isConnected ? focused : target
    if (destination instanceof HTMLElement) destination.focus({ preventScroll: destination.tagName === 'H1' })
  }
}

interface RowKeyEvent {
  key: string
  target: EventTarget | null
  defaultPrevented: boolean
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  preventDefault: () => void
}

const stepOf = ({ key, ctrlKey, metaKey, altKey, shiftKey }: RowKeyEvent) =>
  ctrlKey || metaKey || altKey || shiftKey ? 0 : key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0

/** ↓ and ↑ go from row to row of a table, to the same cell if it can be focused; above the first row is the search. */
export function moveBetweenRows(event: RowKeyEvent): void {
  const step = stepOf(event)
  const { target } = event
  if (step === 0 || !(target instanceof HTMLElement) || event.defaultPrevented) return
  const cell = target.closest<HTMLTableCellElement>('td, th')
  const row = cell?.closest('tr')
  const body = row?.closest('tbody')
  if (!cell || !row || !body || !target.matches(controls)) return
  for (let index = row.sectionRowIndex + step; index >= 0 && index < body.rows.length; index += step) {
    const nextRow = body.rows[index]
    const next =
      nextRow?.cells[cell.cellIndex]?.querySelector<HTMLElement>(controls) ??
      (nextRow && mainControl(nextRow))
    if (!next) continue
    event.preventDefault()
    next.focus()
    return
  }
  const search = step < 0 ? document.querySelector<HTMLElement>('main [data-search]') : null
  if (!search) return
  event.preventDefault()
  search.focus()
}

/** ↓ in a list's search goes to the first row. */
export function focusListFromSearch(event: KeyboardEvent): void {
  const inSearch = event.target instanceof HTMLElement && event.target.matches('main [data-search]')
  if (inSearch && !event.isComposing && stepOf(event) > 0 && focusFirstRow()) event.preventDefault()
}
