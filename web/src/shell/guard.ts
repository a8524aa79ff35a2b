import { type AnyRouter, redirect } from '@tanstack/react-router'
import { paths } from './paths.ts'
import { area, signedIn, useSession } from './session.ts'

const login = area === 'office' ? '/office/login' : paths.login

/** Guards pages for signed-in users: others go to the sign-in, which leads back here. */
export function requireSignIn({ location }: { location: { href: string } }): void {
  if (!signedIn()) throw redirect({ to: login, search: { returnurl: location.href } })
}

/** Guards pages of a school: users without a school go to the dashboard (section 2.1). */
export function requireSchool(): void {
  if (!signedIn()?.schId) throw redirect({ to: paths.dashboard })
}

/** Guards the payment page, which is also open to users with a teacher id and no school yet (section 2.1). */
export function requireSchoolOrTeacher(): void {
  const user = signedIn()
  if (!user?.schId && !user?.teacherId) throw redirect({ to: paths.dashboard })
}

/** Whether the officer has a permission; the server checks it anyway. */
export function useMay(permission: string): boolean {
  return useSession()?.permissions?.includes(permission) ?? false
}

/**
 * Returns the address to open after signing in if it is in our own route table, otherwise undefined. Foreign addresses,
 * `//host`, backslashes and unknown paths are refused.
 */
export function safeReturnUrl(router: AnyRouter, returnUrl: unknown): string | undefined {
  if (typeof returnUrl !== 'string' || !/^\/(?![/\\])[^\\]*$/.test(returnUrl)) return undefined
  const path = returnUrl.split(/[?#]/)[0]?.toLowerCase().replace(/\/+$/, '') ?? ''
  const isOwnRoute = Object.keys(router.routesByPath).some(
    (route) => route.toLowerCase().replace(/\/+$/, '') === path,
  )
  return isOwnRoute && path !== '' && path !== login ? returnUrl : undefined
}
