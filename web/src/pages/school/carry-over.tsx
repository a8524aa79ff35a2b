import { createRoute } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const carryOver = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.carryOver,
  component: page(() => import('#features/students/carry-over/page.tsx'), 'CarryPage'),
})
