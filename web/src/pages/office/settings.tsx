import { createRoute } from '@tanstack/react-router'
import { jobFilters } from '#features/office/settings/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { settingsArea } from './areas.tsx'

export const settings = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.settings,
  component: page(() => import('#features/office/settings/page.tsx'), 'SettingsPage'),
})

export const jobs = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.jobs,
  validateSearch: jobFilters.validate,
  component: page(() => import('#features/office/jobs/page.tsx'), 'JobsPage'),
})
