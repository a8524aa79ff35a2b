import { createRoute } from '@tanstack/react-router'
import { mailFilters } from '#features/office/mails/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { settingsArea } from './areas.tsx'

export const mails = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.mails,
  validateSearch: mailFilters.validate,
  component: page(() => import('#features/office/mails/page.tsx'), 'MailsPage'),
})
