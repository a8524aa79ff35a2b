import { useIsFetching, useIsMutating } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import '#ui/loading.css'
import { words } from './words.ts'

const shownAfter = 300

/** A 3 px line under the header while anything is under way for longer than 300 ms. */
export function LoadingBar() {
  const t = words.use()
  const navigating = useRouterState({ select: (state) => state.status === 'pending' })
  const busy = useIsFetching() + useIsMutating() > 0 || navigating
  const [shown, setShown] = useState(false)
  useEffect(() => {
    if (!busy) return setShown(false)
    const timer = setTimeout(() => setShown(true), shownAfter)
    return () => clearTimeout(timer)
  }, [busy])
  if (!shown) return null
  return (
    <div className="hair" role="progressbar" aria-label={t('loading')}>
      <i />
    </div>
  )
}
