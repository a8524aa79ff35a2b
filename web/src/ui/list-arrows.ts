/** What a row can be opened, chosen or decided by. */
const controls = 'a[href], button:not(:disabled), input[type="checkbox"]:not(:disabled)'
const list = 'main :is(.dt tbody, ul.q)'

/** Its title where that can be pressed, or else the first control that is no checkbox. */
const mainControl = (row: Element): HTMLElement | null =>
  row.querySelector<HTMLElement>(':is(th a, th button)') ??
  row.querySelector<HTMLElement>(':is(a[href], button:not(:disabled))') ??
  row.querySelector<HTMLElement>(controls)

/** Gives the cursor to the first row of the page's list; says whether there is one. */
export function focusFirstRow(): boolean {
  for (const row of document.querySelectorAll(`${list} > *`)) {
    const first = mainControl(row)
    if (!first) continue
    first.focus()
    return true
  }
  return false
}

const namedBy = (one: Element) => one.ariaLabel ?? one.textContent

/** The one other that does the same: the button of an empty list stands above the list that is empty no more. */
function twinOf(gone: Element): Element | undefined {
  const name = namedBy(gone)
  const alike = [...document.querySelectorAll('main :is(a, button)')].filter((one) => namedBy(one) === name)
  return name && alike.length === 1 ? alike[0] : undefined
}

/**
 * The way back of the cursor to where it is now, once nothing else has it; where that is gone, to what else can be pressed
 * in its row or dialog or does the same, and where all that is gone too to the page's title.
 */
export function wayBack(from = document.activeElement): () => void {
  const had = from === document.body ? null : from
  const row = had?.closest('tbody > tr, .dt > ul > li, [role="dialog"]')
  return () => {
    const held = document.activeElement
    if (held && held !== document.body) return
    const beside = row?.isConnected ? mainControl(row) : null
    const other = beside ?? (had && twinOf(had)) ?? document.querySelector('main h1')
    const back = had?.isConnected ? had : other
    if (back instanceof HTMLElement) back.focus({ preventScroll: back.tagName === 'H1' })
  }
}

interface Pressed {
  key: string
  target: EventTarget | null
  defaultPrevented: boolean
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  preventDefault: () => void
}

const stepOf = ({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed) =>
  ctrlKey || metaKey || altKey || shiftKey ? 0 : key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0

/** ↓ and ↑ go from row to row of a table, to the same cell where that can be pressed; above the first is the search. */
export function walkRows(event: Pressed): void {
  const step = stepOf(event)
  const { target } = event
  if (step === 0 || !(target instanceof HTMLElement) || event.defaultPrevented) return
  const cell = target.closest<HTMLTableCellElement>('td, th')
  const row = cell?.closest('tr')
  const body = row?.closest('tbody')
  if (!cell || !row || !body || !target.matches(controls)) return
  for (let at = row.sectionRowIndex + step; at >= 0 && at < body.rows.length; at += step) {
    const other = body.rows[at]
    const next =
      other?.cells[cell.cellIndex]?.querySelector<HTMLElement>(controls) ?? (other && mainControl(other))
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

/** ↓ in the search of a list goes to its first row. */
export function leaveSearch(event: KeyboardEvent): void {
  const inSearch = event.target instanceof HTMLElement && event.target.matches('main [data-search]')
  if (inSearch && !event.isComposing && stepOf(event) > 0 && focusFirstRow()) event.preventDefault()
}
