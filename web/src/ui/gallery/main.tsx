import { QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRoute, RouterProvider } from '@tanstack/react-router'
import { SchoolLayout } from '#shell/layout-school.tsx'
import { paths } from '#shell/paths.ts'
import { queryClient } from '#shell/query.ts'
import { firstPage, page, portalRouter } from '#shell/router.ts'
import { startSession } from '#shell/session.ts'
import { start } from '#shell/start.tsx'
import { Toaster } from '../toast.tsx'

/** The page of all parts in all states, in the school's frame, for looking and for axe. Built by GALLERY=1, never shipped. */
startSession('gallery', {
  userId: 1,
  userName: 'Meera Namunawala',
  schId: 417,
  schCode: 'VNK0417',
  schName: 'Sri Gnanodaya Vidyaniketan Senior Secondary School',
})

const root = createRootRoute({ component: SchoolLayout })
const pages = {
  [paths.dashboard]: page(() => import('./parts.tsx'), 'DashboardParts'),
  [paths.studentEntry]: page(() => import('./table.tsx'), 'TableParts'),
  [paths.contactDetails]: page(() => import('./parts.tsx'), 'FormParts'),
  '/gallery.html': page(() => import('./parts.tsx'), 'AllParts'),
}
const routes = Object.entries(pages).map(([path, component]) =>
  createRoute({ getParentRoute: () => root, path, component }),
)
const router = portalRouter(root.addChildren(routes))

void start(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
    <Toaster />
  </QueryClientProvider>,
  () => firstPage(router),
)
