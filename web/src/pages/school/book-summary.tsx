import { createRoute, redirect } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

/** The area's own address leads to the order (specification, 2.1). */
export const bookIndex = createRoute({
  getParentRoute: () => schoolArea,
  path: '/books',
  beforeLoad: () => {
    throw redirect({ to: paths.bookOrder, replace: true })
  },
})

export const bookSummary = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.bookSummary,
  component: page(() => import('#features/books/summary/page.tsx'), 'BookSummaryPage'),
})
