import { createRoute, redirect } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

/** The empty path of the area leads to the details (specification, 2.1). */
export const schoolIndex = createRoute({
  getParentRoute: () => schoolArea,
  path: '/School',
  beforeLoad: () => {
    throw redirect({ to: paths.schoolDetails, replace: true })
  },
})

export const schoolDetails = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.schoolDetails,
  component: page(() => import('#features/schools/details/page.tsx'), 'SchoolDetailsPage'),
})
