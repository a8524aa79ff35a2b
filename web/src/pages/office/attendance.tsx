import { createRoute } from '@tanstack/react-router'
import { paperFilters } from '#features/exams/attendance/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const attendance = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.attendance,
  validateSearch: paperFilters.validate,
  component: page(() => import('#features/exams/attendance/page.tsx'), 'PapersPage'),
})
