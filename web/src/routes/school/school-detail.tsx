import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { root } from './areas.tsx'

export const schoolDetail = createRoute({
  getParentRoute: () => root,
  path: paths.schoolDetail,
  component: lazyRouteComponent(
    () => import('#features/accounts/school-detail-page.tsx'),
    'SchoolDetailPage',
  ),
})
