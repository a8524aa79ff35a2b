import { createRoute } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const signOff = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.signOff,
  component: page(() => import('#features/students/sign-off/page.tsx'), 'SignOffPage'),
})
