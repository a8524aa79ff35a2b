import { type AnyRoute, type AnyRouter, createRouter } from '@tanstack/react-router'
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

/**
 * Downloads the page of the address before anything is drawn. Who goes on or back meanwhile gets that one: until it is
 * drawn, the router does not hear of it by itself.
 */
export async function firstPage(router: AnyRouter): Promise<void> {
  // Not `router.load` itself: the router hears with that, and would be deaf with it.
  const deaf = router.history.subscribe(() => void router.load())
  const drawn = router.subscribe('onRendered', () => {
    drawn()
    deaf()
  })
  await router.load()
}
