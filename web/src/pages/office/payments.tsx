import { createRoute } from '@tanstack/react-router'
import { officePaymentFilters } from '#features/payments/verification/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const payments = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.payments,
  validateSearch: officePaymentFilters.validate,
  component: page(() => import('#features/payments/verification/page.tsx'), 'OfficePaymentsPage'),
})
