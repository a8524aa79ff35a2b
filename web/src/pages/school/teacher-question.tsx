import { createRoute } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const teacherQuestion = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.teacherQuestion,
  component: page(() => import('#features/questions/page.tsx'), 'TeacherQuestionPage'),
})
