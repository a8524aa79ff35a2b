import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { requireSchool, requireSignIn } from '#shell/guard.ts'
import { paths } from '#shell/paths.ts'
import { page } from '#shell/router.ts'
import { followSeason, seasonInAddress } from '#shell/season.ts'

export const root = createRootRoute({
  notFoundComponent: page(() => import('#shell/layout-school.tsx'), 'SchoolNotFound'),
})

interface GateSearch {
  id?: string
  returnurl?: string
  /** The session has run out: with drafts that wait, or without; or was ended for being used twice */
  ended?: 'kept' | 'yes' | 'reused'
}

/** What the addresses of sign-in and registration say. */
export const gateSearch = ({ id, returnurl, ended }: Record<string, unknown>): GateSearch => ({
  ...(typeof id === 'string' ? { id } : {}),
  ...(typeof returnurl === 'string' ? { returnurl } : {}),
  ...(ended === 'kept' || ended === 'yes' || ended === 'reused' ? { ended } : {}),
})

/** The empty path leads to the sign-in and keeps where a person wanted to go. */
export const index = createRoute({
  getParentRoute: () => root,
  path: paths.root,
  validateSearch: gateSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: paths.login, search })
  },
})

/** The frame of every page for signed-in people; parent of the dashboard. */
export const signedInArea = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  ...seasonInAddress,
  beforeLoad: (opened) => {
    requireSignIn(opened)
    followSeason(opened)
  },
  component: page(() => import('#shell/layout-school.tsx'), 'SchoolLayout'),
})

/** Pages that need a registered school; others are sent to the dashboard. */
export const schoolArea = createRoute({
  getParentRoute: () => signedInArea,
  id: 'school',
  beforeLoad: requireSchool,
})
