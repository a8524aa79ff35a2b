import { createRoute } from '@tanstack/react-router'
import { studentListFilters } from '#features/students/register/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const students = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.students,
  validateSearch: studentListFilters.validate,
  component: page(() => import('#features/students/register/page.tsx'), 'StudentRegisterPage'),
})

export const student = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.student,
  component: page(() => import('#features/students/register/record-page.tsx'), 'StudentRecordPage'),
})
