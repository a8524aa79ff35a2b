import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { studentFilters } from '#features/enrolment/filters.ts'
import { paths } from '#shell/paths.ts'
import { root, schoolArea } from './areas.tsx'

export const studentEntry = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.studentEntry,
  validateSearch: studentFilters.validate,
  component: lazyRouteComponent(() => import('#features/enrolment/students-page.tsx'), 'StudentsPage'),
})

/** The empty path of the area leads to the entry of students (specification, 2.1). */
export const manageStudent = createRoute({
  getParentRoute: () => root,
  path: '/manage-student',
  beforeLoad: () => {
    throw redirect({ to: paths.studentEntry })
  },
})

/** The same page under the area's name, which the route table can be read as, too. */
export const studentEntryInArea = createRoute({
  getParentRoute: () => root,
  path: `/manage-student${paths.studentEntry}`,
  validateSearch: studentFilters.validate,
  beforeLoad: ({ search }) => {
    throw redirect({ to: paths.studentEntry, search })
  },
})
