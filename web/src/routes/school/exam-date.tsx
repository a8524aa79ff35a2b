import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const examDate = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.examDate,
  component: lazyRouteComponent(() => import('#features/exams/exam-dates-page.tsx'), 'ExamDatesPage'),
})
