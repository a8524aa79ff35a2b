import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { requireSignIn } from '#shell/guard.ts'
import { officePaths } from '#shell/paths.ts'
import { page } from '#shell/router.ts'
import { seasonInAddress, syncSeason } from '#shell/season.ts'
import { signedIn } from '#shell/session.ts'

export const root = createRootRoute({
  notFoundComponent: page(() => import('./layout.tsx'), 'OfficeNotFound'),
})

/** The frame of every office page. */
export const officeArea = createRoute({
  getParentRoute: () => root,
  id: 'office-area',
  ...seasonInAddress,
  beforeLoad: (opened) => {
    requireSignIn(opened)
    syncSeason(opened)
  },
  component: page(() => import('./layout.tsx'), 'Layout'),
})

/** The pages of «Settings», with their side tabs. */
export const settingsArea = createRoute({
  getParentRoute: () => officeArea,
  id: 'settings-area',
  component: page(() => import('./layout.tsx'), 'SettingsLayout'),
})

interface SignInSearch {
  /** The page to open after signing in. */
  returnurl?: string
  /** The session ended on the server. */
  ended?: true
  /** The office has just been set up. */
  ready?: true
}

export const login = createRoute({
  getParentRoute: () => root,
  path: officePaths.login,
  validateSearch: ({ returnurl, ended, ready }: Record<string, unknown>): SignInSearch => ({
    ...(typeof returnurl === 'string' ? { returnurl } : {}),
    ...(ended ? { ended: true } : {}),
    ...(ready ? { ready: true } : {}),
  }),
  beforeLoad: () => {
    if (signedIn()) throw redirect({ to: officePaths.overview })
  },
  component: page(() => import('#features/staff/sign-in-page.tsx'), 'SignInPage'),
})

export const join = createRoute({
  getParentRoute: () => root,
  path: officePaths.join,
  validateSearch: ({ token }: Record<string, unknown>): { token?: string } =>
    token === undefined ? {} : { token: String(token) },
  component: page(() => import('#features/staff/join-page.tsx'), 'JoinPage'),
})
