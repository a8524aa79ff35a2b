import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { jobFilters } from '#features/settings/filters.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const settings = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.settings,
  component: lazyRouteComponent(() => import('#features/settings/settings-page.tsx'), 'SettingsPage'),
})

export const jobs = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.jobs,
  validateSearch: jobFilters.validate,
  component: lazyRouteComponent(() => import('#features/settings/jobs-page.tsx'), 'JobsPage'),
})
