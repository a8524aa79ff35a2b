import { type AnyRouter, redirect } from '@tanstack/react-router'
import { paths } from './paths.ts'
import { area, signedIn } from './session.ts'

const login = area === 'office' ? '/office/login' : paths.login

/** Before a page for signed-in people: without a stored user to the login, which leads back here afterwards. */
export function requireSignIn({ location }: { location: { href: string } }): void {
  if (!signedIn()) throw redirect({ to: login, search: { returnurl: location.href } })
}

/** Before a page of the school: without a school id to the dashboard (section 2.1). */
export function requireSchool(): void {
  if (!signedIn()?.schId) throw redirect({ to: paths.dashboard })
}

/** The payment page is also open to a person with a teacher id and no school yet (section 2.1). */
export function requireSchoolOrTeacher(): void {
  const user = signedIn()
  if (!user?.schId && !user?.teacherId) throw redirect({ to: paths.dashboard })
}

/** Whether the office's sign-in includes this permission; the server decides anyway. */
export function mayUse(permission: string): boolean {
  return signedIn()?.permissions?.includes(permission) ?? false
}

/**
 * The address to return to after the sign-in: only a page of our own route table, else undefined. Foreign addresses,
 * `//host`, backslashes and unknown paths are refused.
 */
export function ownReturnUrl(router: AnyRouter, given: unknown): string | undefined {
  if (typeof given !== 'string' || !/^\/(?![/\\])[^\\]*$/.test(given)) return undefined
  const path = given.split(/[?#]/)[0]?.toLowerCase().replace(/\/+$/, '') ?? ''
  const known = Object.keys(router.routesByPath).some((own) => own.toLowerCase().replace(/\/+$/, '') === path)
  return known && path !== '' && path !== login ? given : undefined
}
