import { createRoute } from '@tanstack/react-router'
import { finalFilters } from '#features/students/lists/filters.ts'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const finalSummary = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.finalSummary,
  validateSearch: finalFilters.validate,
  component: page(() => import('#features/students/lists/final-summary-page.tsx'), 'FinalSummaryPage'),
})
