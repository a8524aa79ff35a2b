import { createRoute } from '@tanstack/react-router'
import { requestFilters } from '#features/privacy/requests/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { settingsArea } from './areas.tsx'

export const dataRequests = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.dataRequests,
  validateSearch: requestFilters.validate,
  component: page(() => import('#features/privacy/requests/page.tsx'), 'RequestsPage'),
})
