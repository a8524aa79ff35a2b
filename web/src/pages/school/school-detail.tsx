import { createRoute } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { root } from './areas.tsx'

export const schoolDetail = createRoute({
  getParentRoute: () => root,
  path: paths.schoolDetail,
  component: page(() => import('#features/accounts/registration/school-detail-page.tsx'), 'SchoolDetailPage'),
})
