import { createRoute, redirect } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { root } from './areas.tsx'

/**
 * The top-level areas of the specification (2.1) that its own links never name: each leads to its first page, and what
 * follows its name to the page of that address. `shared` held a placeholder.
 */
const firstPages = {
  'manage-student': paths.studentEntry,
  'manage-book': '/books',
  'manage-result': '/result',
  'importaant-link': '/Importantlink',
  shared: paths.dashboard,
} as const

export const topAreas = Object.entries(firstPages).map(([area, first]) =>
  createRoute({
    getParentRoute: () => root,
    path: `/${area}/$`,
    beforeLoad: ({ params, search }) => {
      throw redirect({ to: params._splat ? `/${params._splat}` : first, search, replace: true })
    },
  }),
)
