import { createRoute } from '@tanstack/react-router'
import { cockpitFilters } from '#features/office/overview/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const overview = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.overview,
  component: page(() => import('#features/office/overview/page.tsx'), 'CockpitPage'),
})

export const reminders = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.reminders,
  validateSearch: cockpitFilters.validate,
  component: page(() => import('#features/office/overview/nudges.tsx'), 'RemindersPage'),
})
