import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { bankFilters } from '#features/bank/filters.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const statements = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.statements,
  validateSearch: bankFilters.validate,
  component: lazyRouteComponent(() => import('#features/bank/page.tsx'), 'BankStatementsPage'),
})
