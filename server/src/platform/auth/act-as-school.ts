import type { Endpoint } from '@podium/contract/endpoint'
import { Refusal } from '../errors.ts'
import { coordinatorsCalls } from './policy.ts'

/**
 * What stays with the school's own people while an officer acts for them: passwords, sign-ins and their own settings,
 * who of them comes in and who coordinates, codes and links that open something, what a parent has asked them, the word of
 * having paid, and the name under a list (docs/security.md, T9, T12, T19; docs/algorithms/sign-off.md).
 */
export const schoolsOwnCalls: ReadonlySet<string> = new Set([
  'POST /api/Account/LogoutEverywhere',
  'GET /api/Account/GetSessions',
  'POST /api/Account/EndSession',
  'POST /api/Account/SetLanguage',
  'POST /api/Account/ChangePassword',
  'POST /api/Account/SaveProfile',
  'POST /api/Account/SaveSchoolDetails',
  'POST /api/Account/AnswerAskedBack',
  'POST /api/ManageSchool/Save_PaymentDetails',
  'POST /api/ManageSchool/ReadNotice',
  'POST /api/ManageSchool/InviteColleague',
  'POST /api/ManageSchool/ResendInvitation',
  'POST /api/ManageSchool/WithdrawInvitation',
  'POST /api/ManageSchool/RemoveColleague',
  'POST /api/ManageSchool/OfferCoordination',
  'POST /api/ManageSchool/WithdrawOffer',
  'POST /api/ManageSchool/AnswerOffer',
  'POST /api/ManageStudent/AskForFamily',
  'POST /api/ManageStudent/WithdrawDataRequest',
  'POST /api/ManageStudent/FamilySlips',
  'POST /api/ManageStudent/RenewFamilyLink',
  'POST /api/ManageStudent/SignOffLists',
  'POST /api/ManageStudent/ReopenList',
  'POST /api/ManageResult/RenewLink',
])

/** Refuses an officer who acts for a school what only its own people do. */
export function refuseActing(scope: unknown, { method, path }: Endpoint): void {
  const acting =
    typeof scope === 'object' && scope !== null && 'acting' in scope && scope.acting !== undefined
  if (acting && schoolsOwnCalls.has(`${method} ${path}`)) throw new Refusal('access.acting')
}

/** Refuses somebody of a school what its coordinator alone does. */
export function refuseStaff(scope: unknown, { method, path }: Endpoint): void {
  const staff =
    typeof scope === 'object' && scope !== null && 'coordinator' in scope && scope.coordinator === false
  const refusal = staff ? coordinatorsCalls[`${method} ${path}`] : undefined
  if (refusal) throw new Refusal(refusal)
}
