import { createRoute } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const questionStatus = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.questionPaperStatus,
  component: page(() => import('#features/shipping/tracking/question-papers-page.tsx'), 'QuestionPapersPage'),
})
