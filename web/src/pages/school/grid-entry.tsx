import { createRoute } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const gridEntry = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.gridEntry,
  component: page(() => import('#features/students/grid/page.tsx'), 'GridPage'),
})
