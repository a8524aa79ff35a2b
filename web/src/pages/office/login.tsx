import { createRoute, redirect } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { signedIn } from '#shell/session.ts'
import { root } from './areas.tsx'

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
