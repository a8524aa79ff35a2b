import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requireSignIn } from '#shell/guard.ts'

export const root = createRootRoute({
  notFoundComponent: lazyRouteComponent(() => import('#shell/state-pages.tsx'), 'NotFoundPage'),
})

/** The frame of every office page. */
export const officeArea = createRoute({
  getParentRoute: () => root,
  id: 'office-area',
  beforeLoad: requireSignIn,
  component: lazyRouteComponent(() => import('./layout.tsx'), 'Layout'),
})
