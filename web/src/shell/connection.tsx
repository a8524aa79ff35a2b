import '#ui/loading.css'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useKitWords } from '#ui/kit-words.ts'
import { askEvery } from './lost-parts.ts'
import { usePending } from './pending.ts'
import { words } from './words.ts'

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

function subscribe(tell: () => void): () => void {
  addEventListener('online', tell)
  addEventListener('offline', tell)
  return () => {
    removeEventListener('online', tell)
    removeEventListener('offline', tell)
  }
}

/** Says that there is no connection while there is none: what waits for the server goes on by itself. */
export function OfflineNote() {
  const t = words.use()
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div className="offline" role="status">
      {!online && t('offline')}
    </div>
  )
}

/** Loads the page anew as soon as the server answers again. */
export function useReloadWhenBack(lost: boolean): void {
  useEffect(() => {
    if (!lost) return
    const timer = setInterval(
      () =>
        void fetch('/healthz', { cache: 'no-store' }).then(
          ({ ok }) => ok && location.reload(),
          () => undefined,
        ),
      askEvery,
    )
    return () => clearInterval(timer)
  }, [lost])
}
