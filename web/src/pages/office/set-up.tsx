import { createRoute } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { root } from './areas.tsx'

export const setUp = createRoute({
  getParentRoute: () => root,
  path: officePaths.setUp,
  component: page(() => import('#features/staff/set-up-page.tsx'), 'SetUpPage'),
})
