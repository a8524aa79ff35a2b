import './season-track.css'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { useKitWords } from './kit-words.ts'
import { keepHyphensTogether } from './panel.tsx'

interface TrackStep {
  key: string
  state: 'done' | 'now' | 'later'
  label: ReactNode
  /** A date or a number below. */
  fact?: ReactNode
  /** Renders the step's link. */
  link?: (inside: ReactNode) => ReactNode
}

const stepIcons = { done: 'check', now: 'arrow', later: 'circle' } as const

/** The season as steps that rise towards the podium, with the next step below. Goes into an unpadded Panel. */
export function SeasonTrack({
  label,
  steps,
  children,
}: {
  label: string
  steps: TrackStep[]
  children?: ReactNode
}) {
  const words = useKitWords()
  const statusWords = { done: words.stepDone, now: words.stepNow, later: words.stepLater }
  return (
    <>
      <ol className="track" aria-label={label} style={{ '--steps': steps.length }}>
        {steps.map((step, n) => {
          const inside = (
            <>
              <Icon name={stepIcons[step.state]} small />
              <span>
                {step.label}
                <span className="sr">, {statusWords[step.state]}</span>
              </span>
            </>
          )
          return (
            <li
              key={step.key}
              className={step.state}
              style={{ '--n': n }}
              aria-current={step.state === 'now' ? 'step' : undefined}>
              <span className="bar" />
              {step.link ? step.link(inside) : <span className="tx">{inside}</span>}
              {step.fact && <small>{step.fact}</small>}
            </li>
          )
        })}
      </ol>
      {children}
    </>
  )
}

interface NextStepProps {
  /** `bad` if something went wrong. */
  kind?: 'bad' | undefined
  title: ReactNode
  children?: ReactNode
  amount?: ReactNode
  amountHint?: ReactNode
  /** One button or link. */
  action?: ReactNode
}

export function NextStep({ kind, title, children, amount, amountHint, action }: NextStepProps) {
  const words = useKitWords()
  return (
    <div className={kind ? `next ${kind}` : 'next'}>
      <div className="say">
        <span className="k">{words.nextStep}</span>
        <h2>{keepHyphensTogether(title)}</h2>
        {children && <p>{children}</p>}
      </div>
      {amount && (
        <div className="amt">
          <b>{amount}</b>
          {amountHint && <span>{amountHint}</span>}
        </div>
      )}
      {action}
    </div>
  )
}
