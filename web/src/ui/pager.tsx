import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { fill } from './fill.ts'
import { useKitWords } from './kit-words.ts'

interface PagerProps {
  total: number
  page: number
  size?: number
  shown: number
  onPage: (page: number) => void
  /** Instead of «1 to 50 of 312». */
  says?: ReactNode
}

/** «1 to 50 of 312», Previous and Next. */
export function Pager({ total, page, size = 50, shown, onPage, says }: PagerProps) {
  const words = useKitWords()
  const from = (page - 1) * size + 1
  const range = { from: words.number(from), to: words.number(from + shown - 1), total: words.number(total) }
  const last = Math.max(1, Math.ceil(total / size))
  // What is not there yet would not be read when it comes, so the place for it is.
  const none = shown === 0 && (page === 1 || total === 0)
  return (
    <div className={none ? 'sr' : 'pager'}>
      <span aria-live="polite">{!none && (says ?? fill(words.range, range))}</span>
      {last > 1 && (
        <div className="push">
          <Button icon="left" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            {words.previous}
          </Button>
          <Button icon="right" disabled={page >= last} onClick={() => onPage(page + 1)}>
            {words.next}
          </Button>
        </div>
      )}
    </div>
  )
}
