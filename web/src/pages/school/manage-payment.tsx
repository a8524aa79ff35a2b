import { createRoute } from '@tanstack/react-router'
import { paymentFilters } from '#features/payments/submission/filters.ts'
import { requireSchoolOrTeacher } from '#shell/guard.ts'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { signedInArea } from './areas.tsx'

/** Also open to a person whose school is still being verified (specification, 2.1). */
export const managePayment = createRoute({
  getParentRoute: () => signedInArea,
  path: paths.managePayment,
  validateSearch: paymentFilters.validate,
  beforeLoad: requireSchoolOrTeacher,
  component: page(() => import('#features/payments/submission/page.tsx'), 'ManagePaymentPage'),
})
