import type { login } from '@podium/contract/accounts/calls'
import type { Answer } from '#shell/call.ts'
import { paths } from '#shell/paths.ts'
import { startSession } from '#shell/session.ts'
import { forgetProof } from './link-gate.tsx'
import { type GateSearch, ownAddress } from './location.ts'
import { forgetRegistration } from './registration/register-draft.ts'

/**
 * Stores the session and opens the next page: the one requested before sign-in, contact details after a link with an
 * id, otherwise the dashboard (specification, section 2.1).
 */
export function openPortal(
  { token, userDetails }: Answer<typeof login>,
  stay: boolean,
  from: GateSearch,
): void {
  forgetProof()
  forgetRegistration()
  const { userId, userName, schId, schCode, schName, teacherId, roleId, formPermissions } = userDetails
  const user = { userId, userName, schId, schCode, schName, teacherId, roleId, formPermissions }
  startSession(token, user, stay)
  const startPage = from.id === undefined ? paths.dashboard : paths.contactDetails
  location.replace(ownAddress(from.returnurl) ?? startPage)
}
