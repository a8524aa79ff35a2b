import { type AnyRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'

/** A router of the portal: addresses without regard to case, pages downloaded ahead when pointed at. */
export function portalRouter(routeTree: AnyRoute) {
  return createRouter({
    routeTree,
    caseSensitive: false,
    trailingSlash: 'never',
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: lazyRouteComponent(() => import('./state-pages.tsx'), 'CrashPage'),
  })
}
