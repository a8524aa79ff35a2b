// biome-ignore lint/style/noRestrictedImports: the one place that is meant
import { type AnyRoute, type AnyRouter, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { languageLoaded } from './language/language.ts'

/**
 * The page of a route: the component `name` of a file that is downloaded when its address is opened or pointed at, and
 * with it the words that its parts ask for. So it is whole when it is shown first: what follows a place that waited for
 * words would be held back by React for 300 ms.
 */
export const page = <File extends object, Name extends keyof File & string>(
  download: () => Promise<File>,
  name: Name,
) =>
  lazyRouteComponent(async () => {
    const file = await download()
    await languageLoaded().catch(() => undefined)
    return file
  }, name)

/** Downloaded behind the first page: when it is needed there may be no connection. */
const crashPage = page(() => import('./load-problem.tsx'), 'CrashPage')

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
