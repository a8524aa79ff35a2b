import './filters.css'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { fill } from './fill.ts'
import { useKitWords } from './kit-words.ts'

interface FilterRowProps {
  /** The field that stays in sight on a phone, usually a SearchField. */
  search?: ReactNode
  /** The other filters (SelectField …), behind «Filters, 1 set» on a phone. */
  children?: ReactNode
  /** How many of `children` are set. */
  set: number
  /** Puts all back; shown while anything is set, search included. */
  onClear?: () => void
  /** Right: the view toggle. */
  view?: ReactNode
}

/** Labels above, search first, then selects, then Clear, the view toggle right. */
export function FilterRow({ search, children, set, onClear, view }: FilterRowProps) {
  const words = useKitWords()
  const [shown, setShown] = useState(false)
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is not known to every browser of our schools
    <div className="filters" role="search">
      {search}
      {children && (
        <Button className="sm" icon="filter" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {set > 0 ? fill(words.filtersSet, { n: set }) : words.filters}
        </Button>
      )}
      <div className={shown || !children ? 'more shown' : 'more'}>
        {children}
        {onClear && (
          <Button kind="text" onClick={onClear}>
            {words.clear}
          </Button>
        )}
      </div>
      {view && <div className="push">{view}</div>}
    </div>
  )
}
