import { createRoute } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const bookOrder = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.bookOrder,
  component: page(() => import('#features/books/orders/page.tsx'), 'BookOrderPage'),
})
