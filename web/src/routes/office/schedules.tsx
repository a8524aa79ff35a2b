import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scheduleFilters } from '#features/office-schedules/filters.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const schedules = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.schedules,
  validateSearch: scheduleFilters.validate,
  component: lazyRouteComponent(
    () => import('#features/office-schedules/schedules-page.tsx'),
    'SchedulesPage',
  ),
})
