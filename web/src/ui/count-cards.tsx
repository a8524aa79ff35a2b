import './count-cards.css'
import { Icon } from './icon.tsx'
import { Panel } from './panel.tsx'

export interface CountLine {
  key: string
  label: string
  /** A second word: the kind of book. */
  kind?: string
  count: string
  /** For speech, after the figure: what is counted and what a press does. */
  says: string
  onOpen: () => void
}

export interface CountCard {
  key: string
  title: string
  total: string
  lines: readonly CountLine[]
}

interface CountCardsProps {
  cards: readonly CountCard[]
  /** The heads of the lines' columns: label, kind where there is one, figure. */
  heads: readonly string[]
}

/** A card per subject with its total, and its figures as lines; pressing one opens what is behind it. */
export function CountCards({ cards, heads }: CountCardsProps) {
  return (
    <div className={heads.length > 2 ? 'count-cards of-kinds' : 'count-cards'}>
      {cards.map((card) => (
        <Panel key={card.key} title={card.title} aside={<b>{card.total}</b>} padded={false}>
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
                  <b>{line.count}</b>
                  <span className="sr">{line.says}</span>
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
