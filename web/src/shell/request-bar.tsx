import { useEffect, useState } from 'react'
import '#ui/loading.css'
import { useKitWords } from '#ui/kit-words.ts'
import { usePending } from './pending.ts'

const shownAfter = 300

/** A 3 px line at the top while any request is pending, or `also` something else, for longer than 300 ms. */
export function RequestBar({ also = false }: { also?: boolean }) {
  const words = useKitWords()
  const busy = usePending() || also
  const [shown, setShown] = useState(false)
  useEffect(() => {
    if (!busy) return setShown(false)
    const timer = setTimeout(() => setShown(true), shownAfter)
    return () => clearTimeout(timer)
  }, [busy])
  if (!shown) return null
  return (
    <div className="hair" role="progressbar" aria-label={words.loading}>
      <i />
    </div>
  )
}
