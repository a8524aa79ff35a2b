import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { requireSignIn } from '#shell/guard.ts'
import { officePaths } from '#shell/paths.ts'
import { page } from '#shell/router.ts'
import { followSeason, seasonInAddress } from '#shell/season.ts'
import { signedIn } from '#shell/session.ts'

export const root = createRootRoute({
  notFoundComponent: page(() => import('#shell/load-problem.tsx'), 'NotFoundPage'),
})

/** The frame of every office page. */
export const officeArea = createRoute({
  getParentRoute: () => root,
  id: 'office-area',
  ...seasonInAddress,
  beforeLoad: (opened) => {
    requireSignIn(opened)
    followSeason(opened)
  },
  component: page(() => import('./layout.tsx'), 'Layout'),
})

/** The pages of «Settings», beside their side tabs. */
export const settingsArea = createRoute({
  getParentRoute: () => officeArea,
  id: 'settings-area',
  component: page(() => import('./layout.tsx'), 'SettingsLayout'),
})

interface SignInSearch {
  /** Where one wanted to go. */
  returnurl?: string
  /** The server no longer knew the session. */
  ended?: true
  /** The office was set up just now. */
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
