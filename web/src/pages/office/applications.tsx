import { createRoute } from '@tanstack/react-router'
import { applicationFilters } from '#features/schools/applications/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const applications = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.applications,
  validateSearch: applicationFilters.validate,
  component: page(() => import('#features/schools/applications/page.tsx'), 'ApplicationsPage'),
})
