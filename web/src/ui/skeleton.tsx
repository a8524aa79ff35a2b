import './loading.css'
import { useKitWords } from './kit-words.ts'

interface SkeletonProps {
  /** The shape of the content. */
  shape: 'table' | 'cards' | 'form' | 'text'
  rows?: number
  /** It stands for a whole page, which has a heading from the start. */
  page?: boolean
}

const widths = ['42%', '100%', '88%', '64%', '92%', '70%']
const Bar = ({ n }: { n: number }) => <div className="skel" style={{ width: widths[n % widths.length] }} />

/**
 * Grey bars in the shape of the content during its first load; not used if there may be no content at all. Inside a box
 * with `hideAfterSkeleton`, content below it is hidden until it is gone.
 */
export function Skeleton({ shape, rows = 6, page }: SkeletonProps) {
  const words = useKitWords()
  const lines = Array.from({ length: rows }, (_, n) => n)
  return (
    <div className="coming" role="status" aria-busy="true" aria-label={words.loading}>
      {page && (
        <h1 className="sr" tabIndex={-1}>
          {words.loading}
        </h1>
      )}
      {shape === 'text' && (
        <div className="skels">
          {lines.map((n) => (
            <Bar key={n} n={n} />
          ))}
        </div>
      )}
      {shape === 'table' && (
        <div className="skel-rows">
          {lines.map((n) => (
            <div key={n}>
              <Bar n={n + 1} />
              <Bar n={3} />
              <Bar n={5} />
              <Bar n={n} />
            </div>
          ))}
        </div>
      )}
      {shape === 'cards' && (
        <div className="skel-cards">
          {lines.map((n) => (
            <div key={n} className="panel pad skels">
              <Bar n={0} />
              <Bar n={1} />
              <Bar n={2} />
            </div>
          ))}
        </div>
      )}
      {shape === 'form' && (
        <div className="skel-form">
          {lines.map((n) => (
            <div key={n}>
              <Bar n={0} />
              <Bar n={1} />
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

/**
 * A ref for a box whose parts load one by one: hides the children below one that is still loading, because what appears
 * above would push them away under a press. With `:has()` each answer would restyle the whole page.
 */
export function hideAfterSkeleton(box: Element | null) {
  if (!box) return
  const mark = (show: boolean) => {
    let coming = false
    for (const child of box.children) {
      if (coming || show) child.toggleAttribute('data-later', coming)
      coming ||= child.matches('.coming') || child.querySelector('.coming') !== null
    }
  }
  mark(true)
  // Shows what has arrived first, and what it was hiding in a separate task: both at once block a phone.
  const observer = new MutationObserver(() => {
    mark(false)
    requestAnimationFrame(() => setTimeout(() => mark(true)))
  })
  observer.observe(box, { childList: true, subtree: true })
  return () => observer.disconnect()
}
