import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { fill, useKitWords } from './kit-words.ts'

/** The number of matching rows, the current page (from 1) and the rows per page (50). */
export interface Paging {
  total: number
  page: number
  size?: number
  onPage: (page: number) => void
  /** Instead of «1 to 50 of 312». */
  summary?: ReactNode
}

interface Pages {
  values: { page: number }
  change: (to: { page: number }) => unknown
}

/**
 * Returns the table's paging for a list, with the `page` filter of the address; nothing until the list is loaded, or if
 * it has no pages.
 */
export function pagingOf(
  list: { total?: number; pageSize?: number } | undefined,
  pages: Pages | undefined,
): { paging?: Paging } {
  if (!pages || list?.total === undefined) return {}
  const onPage = (page: number) => pages.change({ page })
  return { paging: { total: list.total, page: Math.max(1, pages.values.page), size: list.pageSize, onPage } }
}

/**
 * The list above a pager, which it turns. It gets the focus and its top comes into view: the new rows are read from
 * there, and Tab goes to the first.
 */
function goToList(pager: Element | null): void {
  const isList = ':is(ul, ol, .tw)'
  let list: Element | null | undefined
  for (let at = pager?.previousElementSibling; at && !list; at = at.previousElementSibling)
    list = at.matches(isList) ? at : at.querySelector(isList)
  if (!(list instanceof HTMLElement)) return
  list.scrollTop = 0
  if (!list.hasAttribute('tabindex')) list.tabIndex = -1
  list.focus({ preventScroll: true })
  // Below the header, if the top is not in view already.
  if (list.getBoundingClientRect().top < 0) list.scrollIntoView({ block: 'start' })
}

/** «1 to 50 of 312», Previous and Next. */
export function Pager({ total, page, size = 50, shown, onPage, summary }: Paging & { shown: number }) {
  const words = useKitWords()
  const from = (page - 1) * size + 1
  const range = { from: words.number(from), to: words.number(from + shown - 1), total: words.number(total) }
  const last = Math.max(1, Math.ceil(total / size))
  /** «51–100 of 312»: the rows of a page. */
  const rows = (page: number) => {
    const first = Math.max(0, (page - 1) * size)
    const to = Math.min(total, first + size)
    return fill(words.range, {
      ...range,
      from: words.number(Math.min(total, first + 1)),
      to: words.number(to),
    })
  }
  const bar = useRef<HTMLDivElement>(null)
  const turn = (to: number) => {
    onPage(to)
    goToList(bar.current)
  }
  // Rendered even if there is no paging: a live region that appears with its text is not announced.
  const isEmpty = shown === 0 && (page === 1 || total === 0)
  return (
    <div ref={bar} className={isEmpty ? 'sr' : 'pager'}>
      <span aria-live="polite">{!isEmpty && (summary ?? fill(words.range, range))}</span>
      {last > 1 && (
        <div className="push">
          <Button
            icon="left"
            aria-label={`${words.previous}: ${rows(page - 1)}`}
            disabled={page <= 1}
            onClick={() => turn(page - 1)}>
            {words.previous}
          </Button>
          <Button
            aria-label={`${words.next}: ${rows(page + 1)}`}
            disabled={page >= last}
            onClick={() => turn(page + 1)}>
            {words.next}
            <Icon name="right" />
          </Button>
        </div>
      )}
    </div>
  )
}

/** Whether the page is being printed, which shows all rows and not one page. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return printing
}
