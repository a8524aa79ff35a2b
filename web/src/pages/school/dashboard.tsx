import { createRoute } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { signedInArea } from './areas.tsx'

/** Also for people on the way to a school: what they see leads there. */
export const dashboard = createRoute({
  getParentRoute: () => signedInArea,
  path: paths.dashboard,
  component: page(() => import('./dashboard-page.tsx'), 'DashboardPage'),
})
