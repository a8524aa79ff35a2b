import './person-cards.css'
import type { ReactNode } from 'react'

/** The list around `PersonCard`s. */
export function PersonCards({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className="person-cards" aria-label={label}>
      {children}
    </ul>
  )
}

interface PersonCardProps {
  name: string
  /** Colours the card; also say it in words. */
  tone?: 'primary' | 'danger'
  facts: ReadonlyArray<readonly [label: string, value: ReactNode]>
  /** A badge. */
  children?: ReactNode
}

export function PersonCard({ name, tone, facts, children }: PersonCardProps) {
  return (
    <li className={tone ? `person-card ${tone}` : 'person-card'}>
      <b>{name}</b>
      <dl>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {children && <div>{children}</div>}
    </li>
  )
}
