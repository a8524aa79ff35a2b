import { createRoute } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const studentSummary = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.studentSummary,
  component: page(() => import('#features/students/lists/student-report-page.tsx'), 'StudentReportPage'),
})
