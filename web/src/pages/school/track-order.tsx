import { createRoute, redirect } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea, signedInArea } from './areas.tsx'

/** The area's own address leads to its first page (specification, 2.1), which decides itself who may see it. */
export const importantLinkIndex = createRoute({
  getParentRoute: () => signedInArea,
  path: '/Importantlink',
  beforeLoad: () => {
    throw redirect({ to: paths.managePayment, replace: true })
  },
})

export const trackOrder = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.trackOrder,
  component: page(() => import('#features/shipping/tracking/page.tsx'), 'TrackOrderPage'),
})
