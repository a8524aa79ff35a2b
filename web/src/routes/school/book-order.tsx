import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const bookOrder = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.bookOrder,
  component: lazyRouteComponent(() => import('#features/books/book-order-page.tsx'), 'BookOrderPage'),
})
