import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const signOff = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.signOff,
  component: lazyRouteComponent(() => import('#features/signoff/sign-off-page.tsx'), 'SignOffPage'),
})
