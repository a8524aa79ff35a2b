import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { incidentFilters, peopleFilters } from '#features/incidents/filters.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const incidents = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.incidents,
  validateSearch: incidentFilters.validate,
  component: lazyRouteComponent(() => import('#features/incidents/list-page.tsx'), 'IncidentsPage'),
})

export const incident = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.incident,
  validateSearch: peopleFilters.validate,
  component: lazyRouteComponent(() => import('#features/incidents/record-page.tsx'), 'IncidentPage'),
})
