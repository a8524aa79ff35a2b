import { createRoute } from '@tanstack/react-router'
import { scheduleFilters } from '#features/exams/schedules/office-filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const schedules = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.schedules,
  validateSearch: scheduleFilters.validate,
  component: page(() => import('#features/exams/schedules/office-page.tsx'), 'SchedulesPage'),
})
