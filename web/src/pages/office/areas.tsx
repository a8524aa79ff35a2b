import { createRootRoute, createRoute } from '@tanstack/react-router'
import { requireSignIn } from '#shell/guard.ts'
import { page } from '#shell/page.ts'

export const root = createRootRoute({
  notFoundComponent: page(() => import('#shell/state-pages.tsx'), 'NotFoundPage'),
})

/** The frame of every office page. */
export const officeArea = createRoute({
  getParentRoute: () => root,
  id: 'office-area',
  beforeLoad: requireSignIn,
  component: page(() => import('./layout.tsx'), 'Layout'),
})
