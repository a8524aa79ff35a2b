import { createRoute } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const attendance = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.attendance,
  component: page(() => import('#features/exams/attendance/school-page.tsx'), 'AttendancePage'),
})
