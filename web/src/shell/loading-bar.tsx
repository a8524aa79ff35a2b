import { useRouterState } from '@tanstack/react-router'
import { RequestBar } from './request-bar.tsx'

/** The line under the header while any request is pending or a page is on its way. */
export function LoadingBar() {
  const navigating = useRouterState({ select: (state) => state.status === 'pending' })
  return <RequestBar also={navigating} />
}
