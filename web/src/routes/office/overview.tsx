import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const overview = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.overview,
  component: lazyRouteComponent(() => import('#features/staff/overview-page.tsx'), 'OverviewPage'),
})
