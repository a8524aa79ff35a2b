import { createRoute } from '@tanstack/react-router'
import { bankFilters } from '#features/bank/statements/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const statements = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.statements,
  validateSearch: bankFilters.validate,
  component: page(() => import('#features/bank/statements/page.tsx'), 'BankStatementsPage'),
})
