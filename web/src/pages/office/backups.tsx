import { createRoute } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { settingsArea } from './areas.tsx'

export const care = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.care,
  component: page(() => import('#features/office/backups/page.tsx'), 'CarePage'),
})
