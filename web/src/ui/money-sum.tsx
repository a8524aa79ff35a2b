import './money-sum.css'
import type { ReactNode } from 'react'
import { useKitWords } from './kit-words.ts'

interface MoneySumProps {
  /** The three figures, formatted. */
  collected: ReactNode
  schoolShare: ReactNode
  payable: ReactNode
  /** Large in a row with signs, or lines below each other. */
  as?: 'equation' | 'lines'
  /** Other labels if someone else pays. */
  labels?: { collected: string; schoolShare: string; payable: string }
}

/** Always the same three figures: collected − the school’s share = payable, with payable largest. */
export function MoneySum({ collected, schoolShare, payable, as = 'equation', labels }: MoneySumProps) {
  const kit = useKitWords()
  const words = labels ?? kit
  if (as === 'lines') {
    return (
      <dl className="lines">
        <dt>{words.collected}</dt>
        <dd>{collected}</dd>
        <dt>{words.schoolShare}</dt>
        <dd>−{schoolShare}</dd>
        <dt className="tot">{words.payable}</dt>
        <dd className="tot">{payable}</dd>
      </dl>
    )
  }
  return (
    <div className="eq">
      <Figure label={words.collected}>{collected}</Figure>
      <span className="op">−</span>
      <Figure label={words.schoolShare}>{schoolShare}</Figure>
      <span className="op">=</span>
      <Figure label={words.payable} className="tot">
        {payable}
      </Figure>
    </div>
  )
}

interface FigureProps {
  label: ReactNode
  children: ReactNode
  className?: string
}

/** A figure with a small label above; several in a row: `<div className="sum">`. */
export function Figure({ label, children, className }: FigureProps) {
  return (
    <div className={className}>
      <span>{label}</span>
      <b>{children}</b>
    </div>
  )
}

/** The sums at the left of a dialog's footer. The last one may be `className="pay"`. */
export function Sums({ children }: { children: ReactNode }) {
  return (
    <div className="sum" aria-live="polite" aria-atomic="true">
      {children}
    </div>
  )
}
