import { createRoute } from '@tanstack/react-router'
import { questionFilters } from '#features/questions/office-filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const questions = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.questions,
  validateSearch: questionFilters.validate,
  component: page(() => import('#features/questions/office-page.tsx'), 'OfficeQuestionsPage'),
})
