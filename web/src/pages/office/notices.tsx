import { createRoute } from '@tanstack/react-router'
import { noticeFilters } from '#features/notices/office-filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const notices = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.notices,
  validateSearch: noticeFilters.validate,
  component: page(() => import('#features/notices/office-page.tsx'), 'OfficeNoticesPage'),
})
