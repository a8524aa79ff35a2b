import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const questionStatus = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.questionPaperStatus,
  component: lazyRouteComponent(
    () => import('#features/dispatch/question-papers-page.tsx'),
    'QuestionPapersPage',
  ),
})
