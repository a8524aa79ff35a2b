import { createRoute } from '@tanstack/react-router'
import { contactFilters } from '#features/schools/contacts/filters.ts'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const contactDetails = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.contactDetails,
  validateSearch: contactFilters.validate,
  component: page(() => import('#features/schools/contacts/page.tsx'), 'ContactsPage'),
})
