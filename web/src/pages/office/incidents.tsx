import { createRoute } from '@tanstack/react-router'
import { incidentFilters, peopleFilters } from '#features/privacy/incidents/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { settingsArea } from './areas.tsx'

export const incidents = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.incidents,
  validateSearch: incidentFilters.validate,
  component: page(() => import('#features/privacy/incidents/page.tsx'), 'IncidentsPage'),
})

export const incident = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.incident,
  validateSearch: peopleFilters.validate,
  component: page(() => import('#features/privacy/incidents/record-page.tsx'), 'IncidentPage'),
})
