import { createRoute } from '@tanstack/react-router'
import { waiverFilters } from '#features/waivers/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const waivers = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.waivers,
  validateSearch: waiverFilters.validate,
  component: page(() => import('#features/waivers/waivers-page.tsx'), 'WaiversPage'),
})
