import './loading.css'
import type { ReactNode } from 'react'

interface ProgressBarProps {
  /** The counts as text: «214 of 342 lines. 168 matched, 31 need a look.» */
  children: ReactNode
  label: string
  total: number
  done: number
  /** How many of `done` need a look (hatched) or are left out (grey). */
  doubtful?: number
  skipped?: number
  /** A link or «Cancel» at the end. */
  aside?: ReactNode
}

/** Progress of a long job, with counts as text. */
export function ProgressBar({
  children,
  label,
  total,
  done,
  doubtful = 0,
  skipped = 0,
  aside,
}: ProgressBarProps) {
  const share = (n: number) => `${total > 0 ? (100 * n) / total : 0}%`
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
        aria-valuenow={done}
      >
        <i style={{ width: share(done - doubtful - skipped) }} />
        {doubtful > 0 && <i className="w" style={{ width: share(doubtful) }} />}
        {skipped > 0 && <i className="x" style={{ width: share(skipped) }} />}
      </div>
    </div>
  )
}
