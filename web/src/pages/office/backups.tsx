import { createRoute } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const care = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.care,
  component: page(() => import('#features/office/backups/page.tsx'), 'CarePage'),
})
