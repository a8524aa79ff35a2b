import type { Endpoint } from '@podium/contract/endpoint'
import { Refusal } from './errors.ts'

/**
 * What stays with the school's own people while an officer acts for them: passwords, sign-ins and their own settings,
 * codes and links that open something, and the word of having paid (threats.md, T9, T12, T19).
 */
export const schoolsOwnCalls: ReadonlySet<string> = new Set([
  'POST /api/Account/LogoutEverywhere',
  'GET /api/Account/GetSessions',
  'POST /api/Account/SetLanguage',
  'POST /api/Account/ChangePassword',
  'POST /api/Account/SaveSchoolDetails',
  'POST /api/ManageSchool/Save_PaymentDetails',
  'POST /api/ManageSchool/ReadNotice',
  'POST /api/ManageStudent/FamilySlips',
  'POST /api/ManageStudent/RenewFamilyLink',
  'POST /api/ManageResult/RenewLink',
])

/** Refuses an officer who acts for a school what only its own people do. */
export function refuseActing(scope: unknown, { method, path }: Endpoint): void {
  const acting =
    typeof scope === 'object' && scope !== null && 'acting' in scope && scope.acting !== undefined
  if (acting && schoolsOwnCalls.has(`${method} ${path}`)) throw new Refusal('access.acting')
}
