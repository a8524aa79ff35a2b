import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const studentSummary = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.studentSummary,
  component: lazyRouteComponent(
    () => import('#features/participation/student-report-page.tsx'),
    'StudentReportPage',
  ),
})
