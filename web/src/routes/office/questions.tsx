import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { questionFilters } from '#features/office-questions/filters.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const questions = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.questions,
  validateSearch: questionFilters.validate,
  component: lazyRouteComponent(
    () => import('#features/office-questions/questions-page.tsx'),
    'OfficeQuestionsPage',
  ),
})
