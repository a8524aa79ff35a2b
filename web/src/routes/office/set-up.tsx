import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { officePaths } from '#shell/paths.ts'
import { root } from './areas.tsx'

export const setUp = createRoute({
  getParentRoute: () => root,
  path: officePaths.setUp,
  component: lazyRouteComponent(() => import('#features/staff/set-up-page.tsx'), 'SetUpPage'),
})
