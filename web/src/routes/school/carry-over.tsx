import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const carryOver = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.carryOver,
  component: lazyRouteComponent(() => import('#features/enrolment/carry-page.tsx'), 'CarryPage'),
})
