import { createRoute } from '@tanstack/react-router'
import { studentListFilters } from '#features/student-register/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const students = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.students,
  validateSearch: studentListFilters.validate,
  component: page(() => import('#features/student-register/list-page.tsx'), 'StudentRegisterPage'),
})

export const student = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.student,
  component: page(() => import('#features/student-register/record-page.tsx'), 'StudentRecordPage'),
})
