import { createRoute } from '@tanstack/react-router'
import { changeFilters } from '#features/audit-log/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { settingsArea } from './areas.tsx'

export const changes = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.changes,
  validateSearch: changeFilters.validate,
  component: page(() => import('#features/audit-log/page.tsx'), 'ChangesPage'),
})
