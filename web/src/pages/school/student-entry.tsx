import { createRoute } from '@tanstack/react-router'
import { studentFilters } from '#features/students/entry/filters.ts'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const studentEntry = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.studentEntry,
  validateSearch: studentFilters.validate,
  component: page(() => import('#features/students/entry/students-page.tsx'), 'StudentsPage'),
})
