import './table.css'
import './count-cards.css'
import { useId } from 'react'
import { Icon } from './icon.tsx'
import { Panel } from './panel.tsx'

interface CountLine {
  key: string
  /** Position of its row in the table, ascending. */
  place: number
  label: string
  /** A second label: the kind of book. */
  kind?: string
  count: number
  /** For speech, after the figure: what is counted and what a click does. */
  hint: string
  onOpen: () => void
}

export interface CountCard {
  key: string
  title: string
  total: number
  lines: readonly CountLine[]
}

interface CountCardsProps {
  cards: readonly CountCard[]
  /** Headings of the lines' columns: label, kind if there is one, figure. */
  heads: readonly string[]
  /** Formats a figure. */
  written: (n: number) => string
}

/** A card per subject with its total, and its figures as lines; clicking one opens the records behind it. */
export function CountCards({ cards, heads, written }: CountCardsProps) {
  return (
    <div className={heads.length > 2 ? 'count-cards of-kinds' : 'count-cards'}>
      {cards.map((card) => (
        <Panel key={card.key} title={card.title} aside={<b>{written(card.total)}</b>} padded={false}>
          <div className="count-head" aria-hidden="true">
            {heads.map((head) => (
              <span key={head}>{head}</span>
            ))}
          </div>
          <ul>
            {card.lines.map((line) => (
              <li key={line.key}>
                <button type="button" className="count-line" onClick={line.onOpen}>
                  <span className="sr">{card.title},</span>
                  <span>{line.label}</span>
                  {line.kind !== undefined && <span>{line.kind}</span>}
                  <b>{written(line.count)}</b>
                  <span className="sr">{line.hint}</span>
                  <Icon name="right" small />
                </button>
              </li>
            ))}
          </ul>
        </Panel>
      ))}
    </div>
  )
}

interface CountTableProps extends CountCardsProps {
  caption: string
  total: string
}

const sumOf = (lines: readonly CountLine[]) => lines.reduce((sum, { count }) => sum + count, 0)

/** The same figures as a table: a row per class (and kind), a column per subject, and the totals of both. */
export function CountTable({ cards, heads, written, caption, total }: CountTableProps) {
  const captionId = useId()
  const lines = cards.flatMap((card) => card.lines.map((line) => ({ ...line, of: card.key, in: card.title })))
  const rows = [...Map.groupBy(lines, ({ key }) => key).values()].sort(
    ([a], [b]) => (a?.place ?? 0) - (b?.place ?? 0),
  )
  return (
    <Panel padded={false}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className="tw counts" aria-labelledby={captionId} tabIndex={0}>
        <table className="compact">
          <caption className="sr" id={captionId}>
            {caption}
          </caption>
          <thead>
            <tr>
              <th scope="col">{heads.slice(0, -1).join(', ')}</th>
              {cards.map(({ key, title }) => (
                <th key={key} scope="col" className="num">
                  {title}
                </th>
              ))}
              <th scope="col" className="num">
                {total}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row[0]?.key}>
                <th scope="row">
                  <span className="nowrap">{row[0]?.label}</span>
                  {row[0]?.kind !== undefined && <span className="under">{row[0].kind}</span>}
                </th>
                {cards.map(({ key }) => {
                  const line = row.find((cell) => cell.of === key)
                  return (
                    <td key={key} className="num">
                      {line ? <Cell line={line} subject={line.in} written={written} /> : <i>–</i>}
                    </td>
                  )
                })}
                <td className="num strong">{written(sumOf(row))}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td>{total}</td>
              {cards.map((card) => (
                <td key={card.key} className="num">
                  {written(card.total)}
                </td>
              ))}
              <td className="num">{written(sumOf(lines))}</td>
            </tr>
          </tfoot>
        </table>
      </section>
    </Panel>
  )
}

interface CellProps {
  line: CountLine
  subject: string
  written: CountCardsProps['written']
}

function Cell({ line, subject, written }: CellProps) {
  return (
    <button type="button" onClick={line.onOpen}>
      <span className="sr">
        {subject}, {line.label} {line.kind}
      </span>
      <b>{written(line.count)}</b>
      <span className="sr">{line.hint}</span>
    </button>
  )
}
