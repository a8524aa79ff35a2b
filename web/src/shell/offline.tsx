import './offline.css'
import { useEffect, useSyncExternalStore } from 'react'
import { askEvery } from './lost-parts.ts'
import { words } from './words.ts'

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
