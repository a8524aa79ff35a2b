import { createRoute } from '@tanstack/react-router'
import { incidentFilters, peopleFilters } from '#features/privacy/incidents/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const incidents = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.incidents,
  validateSearch: incidentFilters.validate,
  component: page(() => import('#features/privacy/incidents/page.tsx'), 'IncidentsPage'),
})

export const incident = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.incident,
  validateSearch: peopleFilters.validate,
  component: page(() => import('#features/privacy/incidents/record-page.tsx'), 'IncidentPage'),
})
