import { createRoute } from '@tanstack/react-router'
import { seasonFilters } from '#shell/own-season.tsx'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const finalSummary = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.finalSummary,
  validateSearch: seasonFilters.validate,
  component: page(() => import('#features/students/lists/final-summary-page.tsx'), 'FinalSummaryPage'),
})
