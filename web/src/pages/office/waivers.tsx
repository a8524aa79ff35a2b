import { createRoute } from '@tanstack/react-router'
import { waiverFilters } from '#features/payments/waivers/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const waivers = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.waivers,
  validateSearch: waiverFilters.validate,
  component: page(() => import('#features/payments/waivers/page.tsx'), 'WaiversPage'),
})
