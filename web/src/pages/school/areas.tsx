import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { requireSchool, requireSignIn } from '#shell/guard.ts'
import { paths } from '#shell/paths.ts'
import { page } from '#shell/router.ts'
import { seasonInAddress, syncSeason } from '#shell/season.ts'

export const root = createRootRoute({
  notFoundComponent: page(() => import('#shell/layout-school.tsx'), 'SchoolNotFound'),
})

interface GateSearch {
  id?: string
  returnurl?: string
  /** The session expired, with (`kept`) or without (`yes`) saved drafts; or it ended because its token was reused */
  ended?: 'kept' | 'yes' | 'reused'
}

/** Reads the search parameters of the sign-in and registration pages. */
export const gateSearch = ({ id, returnurl, ended }: Record<string, unknown>): GateSearch => ({
  ...(typeof id === 'string' ? { id } : {}),
  ...(typeof returnurl === 'string' ? { returnurl } : {}),
  ...(ended === 'kept' || ended === 'yes' || ended === 'reused' ? { ended } : {}),
})

/** The root redirects to the sign-in and keeps the return address. */
export const index = createRoute({
  getParentRoute: () => root,
  path: paths.root,
  validateSearch: gateSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: paths.login, search })
  },
})

/** The layout of every page for signed-in users; parent of the dashboard. */
export const signedInArea = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  ...seasonInAddress,
  beforeLoad: (opened) => {
    requireSignIn(opened)
    syncSeason(opened)
  },
  component: page(() => import('#shell/layout-school.tsx'), 'SchoolLayout'),
})

/** Pages that need a registered school; others are sent to the dashboard. */
export const schoolArea = createRoute({
  getParentRoute: () => signedInArea,
  id: 'school',
  beforeLoad: requireSchool,
})
