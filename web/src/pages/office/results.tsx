import { createRoute } from '@tanstack/react-router'
import { listFilters, officeFilters, previewFilters } from '#features/results/office-filters.ts'
import { officePaths } from '#shell/paths.ts'
import { page } from '#shell/router.ts'
import { officeArea } from './areas.tsx'

export const results = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.results,
  component: page(() => import('#features/results/office-events-page.tsx'), 'OfficeResultsPage'),
})

export const resultEvent = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.resultEvent,
  validateSearch: officeFilters.validate,
  component: page(() => import('#features/results/office-event-page.tsx'), 'OfficeResultEventPage'),
})

export const schoolPreview = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.schoolPreview,
  validateSearch: previewFilters.validate,
  component: page(() => import('#features/results/release/school-preview.tsx'), 'SchoolPreviewPage'),
})

export const nextLevel = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.nextLevel,
  component: page(() => import('#features/results/next-level/page.tsx'), 'NextLevelPage'),
})

export const nextLevelEvent = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.nextLevelEvent,
  validateSearch: listFilters.validate,
  component: page(() => import('#features/results/next-level/round-page.tsx'), 'NextLevelRoundPage'),
})
