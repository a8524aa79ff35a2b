import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { applicationFilters } from '#features/schools/filters.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const applications = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.applications,
  validateSearch: applicationFilters.validate,
  component: lazyRouteComponent(() => import('#features/schools/applications-page.tsx'), 'ApplicationsPage'),
})
