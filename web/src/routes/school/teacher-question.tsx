import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const teacherQuestion = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.teacherQuestion,
  component: lazyRouteComponent(
    () => import('#features/questions/teacher-question-page.tsx'),
    'TeacherQuestionPage',
  ),
})
