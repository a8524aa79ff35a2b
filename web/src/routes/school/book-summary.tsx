import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

/** The area's own address; the specification leads it to books/order (2.1), which is not built yet. */
export const bookIndex = createRoute({
  getParentRoute: () => schoolArea,
  path: '/books',
  beforeLoad: () => {
    throw redirect({ to: paths.bookSummary, replace: true })
  },
})

export const bookSummary = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.bookSummary,
  component: lazyRouteComponent(() => import('#features/books/book-summary-page.tsx'), 'BookSummaryPage'),
})
