import '#ui/loading.css'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useKitWords } from '#ui/kit-words.ts'
import { retryInterval } from './failed-downloads.ts'
import { usePending } from './pending.ts'
import { words } from './words.ts'

const shownAfter = 300

/** Shows a 3 px line at the top while a request is pending for longer than 300 ms, or while `also` is set. */
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

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** Says that the connection is lost while it is; waiting requests continue by themselves. */
export function OfflineNote() {
  const t = words.use()
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div className="offline" role="status">
      {!online && t('offline')}
    </div>
  )
}

/** Reloads the page once the server answers again. */
export function useReloadWhenBack(lost: boolean): void {
  useEffect(() => {
    if (!lost) return
    const timer = setInterval(
      () =>
        void fetch('/healthz', { cache: 'no-store' }).then(
          ({ ok }) => ok && location.reload(),
          () => undefined,
        ),
      retryInterval,
    )
    return () => clearInterval(timer)
  }, [lost])
}
