import { type AnyRoute, createRouter } from '@tanstack/react-router'
import { page } from './page.ts'

/** Downloaded behind the first page: when it is needed there may be no connection. */
const crashPage = page(() => import('./state-pages.tsx'), 'CrashPage')

/** A router of the portal: addresses without regard to case, pages downloaded ahead when pointed at. */
export function portalRouter(routeTree: AnyRoute) {
  const router = createRouter({
    routeTree,
    caseSensitive: false,
    trailingSlash: 'never',
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: crashPage,
  })
  const stop = router.subscribe('onRendered', () => {
    stop()
    void crashPage.preload?.()
  })
  return router
}
