import { createRoute } from '@tanstack/react-router'
import { changeFilters } from '#features/audit-log/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const changes = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.changes,
  validateSearch: changeFilters.validate,
  component: page(() => import('#features/audit-log/page.tsx'), 'ChangesPage'),
})
