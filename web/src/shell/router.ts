import {
  type AnyRoute,
  type AnyRouter,
  createRoute,
  createRouter,
  // biome-ignore lint/style/noRestrictedImports: the one place that is meant
  lazyRouteComponent,
} from '@tanstack/react-router'
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

/** Returns what makes the routes of an area: the name of an address, its page, and the filters that the address keeps. */
export const routesIn =
  <Paths extends Readonly<Record<string, string>>>(area: AnyRoute, paths: Paths) =>
  <File extends object, Name extends keyof File & string>(
    to: keyof Paths,
    download: () => Promise<File>,
    name: Name,
    filters?: { validate: (search: Record<string, unknown>) => object },
  ) =>
    createRoute({
      getParentRoute: () => area,
      path: paths[to],
      component: page(download, name),
      ...(filters && { validateSearch: filters.validate }),
    })

/** Dialogs, and what lies behind the menu that is open as a drawer */
const layers = '[role$="dialog"], .nav-scrim'

/** Back closes an open dialog or drawer, as Escape does, and the page beneath it stays: on a phone they cover it. */
function closesLayer({ action }: { action: string }): boolean {
  if (action !== 'BACK') return false
  if (![...document.querySelectorAll(layers)].some((layer) => layer.checkVisibility())) return false
  const press = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
  const heard = document.activeElement ?? document.body
  heard.dispatchEvent(press)
  return true
}

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
  // First, so that Back in a dialog is not asked about as leaving the page
  router.history.block({ blockerFn: closesLayer, enableBeforeUnload: false })
  // Not `router.load` itself: it is also the router's own listener, and would be unsubscribed with it.
  const deaf = router.history.subscribe(() => void router.load())
  const drawn = router.subscribe('onRendered', () => {
    drawn()
    deaf()
  })
  await router.load()
}
