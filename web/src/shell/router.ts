// biome-ignore lint/style/noRestrictedImports: the one place that is meant
import { type AnyRoute, type AnyRouter, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { languageLoaded } from './language/language.ts'
import { CrashPage } from './load-problem.tsx'

/**
 * The page of a route: the component `name` of a file that is downloaded, with its words, when the address is opened or
 * hovered. So it is complete when first shown: React delays by 300 ms whatever follows a place that waited for words.
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

/** Creates a router: addresses ignore case, pages are preloaded on hover. */
export function portalRouter(routeTree: AnyRoute) {
  return createRouter({
    routeTree,
    caseSensitive: false,
    trailingSlash: 'never',
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: CrashPage,
  })
}

/**
 * Downloads the first page before anything is drawn. If the user goes back or forward meanwhile, loads that page: until
 * the first render, the router does not do so itself.
 */
export async function firstPage(router: AnyRouter): Promise<void> {
  // Not `router.load` itself: it is also the router's own listener, and would be unsubscribed with it.
  const deaf = router.history.subscribe(() => void router.load())
  const drawn = router.subscribe('onRendered', () => {
    drawn()
    deaf()
  })
  await router.load()
}
