import { createRoute } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const staff = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.schoolStaff,
  component: page(() => import('#features/accounts/invitations/members-page.tsx'), 'StaffPage'),
})
