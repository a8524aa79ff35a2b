import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { askFilters } from '#features/data-asks/filters.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const dataRequests = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.dataRequests,
  validateSearch: askFilters.validate,
  component: lazyRouteComponent(() => import('#features/data-asks/asks-page.tsx'), 'AsksPage'),
})
