import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const gridEntry = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.gridEntry,
  component: lazyRouteComponent(() => import('#features/enrolment/grid-page.tsx'), 'GridPage'),
})
