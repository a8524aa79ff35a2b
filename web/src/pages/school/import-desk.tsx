import { createRoute } from '@tanstack/react-router'
import { deskFilters } from '#features/students/import/filters.ts'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const importDesk = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.importDesk,
  validateSearch: deskFilters.validate,
  component: page(() => import('#features/students/import/page.tsx'), 'DeskPage'),
})
