import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { signedInArea } from './areas.tsx'

/** Also for people on the way to a school: what they see leads there. */
export const dashboard = createRoute({
  getParentRoute: () => signedInArea,
  path: paths.dashboard,
  component: lazyRouteComponent(() => import('./dashboard-page.tsx'), 'DashboardPage'),
})
