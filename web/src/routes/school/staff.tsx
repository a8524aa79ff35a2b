import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const staff = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.schoolStaff,
  component: lazyRouteComponent(() => import('#features/colleagues/staff-page.tsx'), 'StaffPage'),
})
