import { createRoute } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const examDate = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.examDate,
  component: page(() => import('#features/exams/dates/page.tsx'), 'ExamDatesPage'),
})
