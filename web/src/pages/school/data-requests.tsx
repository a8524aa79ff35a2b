import { createRoute } from '@tanstack/react-router'
import { askFilters } from '#features/privacy/requests/school-filters.ts'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const dataRequests = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.dataRequests,
  validateSearch: askFilters.validate,
  component: page(() => import('#features/privacy/requests/school-page.tsx'), 'AsksPage'),
})
