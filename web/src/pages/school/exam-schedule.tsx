import { createRoute } from '@tanstack/react-router'
import { scheduleFilters } from '#features/exams/schedules/filters.ts'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const examSchedule = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.examScheduleStatus,
  validateSearch: scheduleFilters.validate,
  component: page(() => import('#features/exams/schedules/page.tsx'), 'ExamSchedulePage'),
})
