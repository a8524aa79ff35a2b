import { createRoute } from '@tanstack/react-router'
import { eventFilters, listFilters, seasonFilters } from '#features/catalogue/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const catalogue = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.catalogue,
  validateSearch: seasonFilters.validate,
  component: page(() => import('#features/catalogue/seasons/page.tsx'), 'SeasonsPage'),
})

export const catalogueOpen = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.catalogueOpen,
  component: page(() => import('#features/catalogue/seasons/open-page.tsx'), 'OpenSeasonPage'),
})

export const catalogueLists = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.catalogueLists,
  validateSearch: listFilters.validate,
  component: page(() => import('#features/catalogue/lists/page.tsx'), 'ListsPage'),
})

export const catalogueEvent = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.catalogueEvent,
  validateSearch: eventFilters.validate,
  component: page(() => import('#features/catalogue/events/page.tsx'), 'CatalogueEventPage'),
})
