import { createRoute } from '@tanstack/react-router'
import { seasonFilters } from '#shell/own-season.tsx'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const examDate = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.examDate,
  validateSearch: seasonFilters.validate,
  component: page(() => import('#features/exams/dates/page.tsx'), 'ExamDatesPage'),
})
