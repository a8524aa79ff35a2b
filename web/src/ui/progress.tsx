import './loading.css'
import type { ReactNode } from 'react'

interface ProgressBarProps {
  /** The counts as text: «214 of 342 lines. 168 matched, 31 need a look.» */
  children: ReactNode
  label: string
  total: number
  done: number
  /** A link or «Cancel» at the end. */
  aside?: ReactNode
}

/** Progress of a long job, with counts as text. */
export function ProgressBar({ children, label, total, done, aside }: ProgressBarProps) {
  return (
    <div className="prog">
      <p>{children}</p>
      {aside}
      <div
        className="pbar"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}>
        <i style={{ width: `${total > 0 ? (100 * done) / total : 0}%` }} />
      </div>
    </div>
  )
}
