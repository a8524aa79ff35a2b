import './filters.css'
import { Children, type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { fill, useKitWords } from './kit-words.ts'

/** A set filter as text, which can be removed on its own. */
export interface FilterChip {
  key: string
  text: string
  onRemove: () => void
}

interface FilterRowProps {
  /** The field that stays visible on a phone, usually a SearchField. */
  search?: ReactNode
  /** The other filters (SelectField …), behind «Filters, 1 set» on a phone. */
  children?: ReactNode
  /** How many of `children` are set. */
  set: number
  /** The set filters, below the row. */
  chips?: readonly FilterChip[]
  /** Resets everything; shown while anything is set, search included. */
  onClear?: () => void
  /** On the right: the view switch. */
  view?: ReactNode
}

/** How many filters are visible on a wide screen, or one more if that is all. */
export const maxVisibleFilters = 3

/** Labels on top, search first, three filters, “4 more filters”; the view switch on the right, set filters below. */
export function FilterRow({ search, children, set, chips = [], onClear, view }: FilterRowProps) {
  const words = useKitWords()
  const [shown, setShown] = useState(false)
  const [all, setAll] = useState(false)
  const fields = Children.toArray(children)
  const few = fields.length <= maxVisibleFilters + 1
  const clear = onClear && (
    <Button kind="text" onClick={onClear}>
      {words.clear}
    </Button>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is not known to every browser of our schools
    <div className="filters" role="search">
      {search}
      {fields.length > 0 && (
        <Button className="sm" icon="filter" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {set > 0 ? fill(words.filtersSet, { n: set }) : words.filters}
        </Button>
      )}
      <div className={shown || fields.length === 0 ? 'more shown' : 'more'}>
        {few ? fields : fields.slice(0, maxVisibleFilters)}
        {!few && <div className={all ? 'rest shown' : 'rest'}>{fields.slice(maxVisibleFilters)}</div>}
        {!few && (
          <Button kind="text" className="rest-button" aria-expanded={all} onClick={() => setAll(!all)}>
            {fill(words.moreFilters, { n: fields.length - maxVisibleFilters })}
            <Icon name={all ? 'up' : 'down'} small />
          </Button>
        )}
        {chips.length === 0 && clear}
      </div>
      {view && <div className="push">{view}</div>}
      {chips.length > 0 && (
        <div className="filter-chips">
          {chips.map(({ key, text, onRemove }) => (
            <span className="chip" key={key}>
              {text}
              <button type="button" aria-label={fill(words.remove, { name: text })} onClick={onRemove}>
                <Icon name="close" />
              </button>
            </span>
          ))}
          {clear}
        </div>
      )}
    </div>
  )
}
