import './panel.css'
import { cloneElement, type ReactElement, type ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { pageTitle } from './portal.ts'

interface PageHeaderProps {
  title: ReactNode
  /** A line of facts: how many, which season, until when. Its line is reserved while unknown; null means none. */
  fact?: ReactNode
  /** Buttons, the primary one last. */
  children?: ReactNode
}

const hyphened = /(\b\d{4}-\d\d\b(?!-)|\b\d\d-[A-Z][a-z]{2}-\d{4}\b|\S*-\d(?=\s|$))/

/** Keeps seasons, dates and «Level-2» from breaking at their hyphens. */
export function keepHyphensTogether(words: ReactNode): ReactNode {
  if (typeof words !== 'string' || !hyphened.test(words)) return words
  return words.split(hyphened).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence keep their places
      <span key={index} className="nowrap">
        {part}
      </span>
    ),
  )
}

/** Title, one line of facts, actions; a plain-text title is also the browser tab's title. */
export function PageHeader(props: PageHeaderProps) {
  const { title, fact, children } = props
  return (
    <div className="ph">
      {typeof title === 'string' && <title>{pageTitle(title)}</title>}
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {'fact' in props && fact !== null && <p>{keepHyphensTogether(fact) || '\u00a0'}</p>}
      </div>
      {children && <div className="acts">{children}</div>}
    </div>
  )
}

interface PanelProps {
  title?: ReactNode
  /** A link, button or badge at the end of the title's line. */
  aside?: ReactNode
  /** Padding; off for tables and lists, which extend to the edge. */
  padded?: boolean
  /** A last line below a hairline. */
  foot?: ReactNode
  className?: string
  children?: ReactNode
}

/** White, with a hairline and no shadow; never a panel in a panel. */
export function Panel({ title, aside, padded = true, foot, className, children }: PanelProps) {
  return (
    <section className={className ? `panel ${className}` : 'panel'}>
      {(title || aside) && (
        <header>
          {title && <h2>{title}</h2>}
          {aside}
        </header>
      )}
      {padded ? <div className="pad">{children}</div> : children}
      {foot && <div className="foot">{foot}</div>}
    </section>
  )
}

interface TileProps {
  label: ReactNode
  value: ReactNode
  /** A sentence that explains the figure. */
  meaning?: ReactNode
  /** The link around the tile: `link={<Link to=… />}` */
  link?: ReactElement<{ className?: string }> | undefined
}

/** A figure between hairlines, outside of panels; put tiles into `<Tiles>`. */
export function Tile({ label, value, meaning, link }: TileProps) {
  const inside = (
    <>
      <span className="k">
        {label}
        {link && <Icon name="right" />}
      </span>
      <b>{value}</b>
      {meaning && <small>{meaning}</small>}
    </>
  )
  return link ? cloneElement(link, { className: 'tile' }, inside) : <div className="tile">{inside}</div>
}

export function Tiles({ children }: { children: ReactNode }) {
  return <div className="tiles">{children}</div>
}
