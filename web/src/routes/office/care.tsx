import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const care = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.care,
  component: lazyRouteComponent(() => import('#features/care/care-page.tsx'), 'CarePage'),
})
